/**
 * A small real model on loopback behind chat completions, for `npm run long`: SmolLM2-135M-Instruct run by node-llama-cpp.
 * It respects its context (a prompt that does not fit is refused, as endpoints do) and follows a JSON schema by grammar.
 *
 *   tsx scripts/small-model-server.ts --llama <folder of node-llama-cpp> --model <file.gguf> [--context 4096]
 *     [--formats json_schema,json_object] [--seconds 30] [--least-items 1]
 *
 * Prints `listening <port>` when it is ready, ends with its stdin.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

interface Generated {
  readonly responseText: string;
  readonly stopReason: string;
}

/** What is used of node-llama-cpp, which is no dependency of this project. */
interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    createContext(options: { contextSize: number; threads: number; sequences: number }): Promise<{
      getSequence(): unknown;
    }>;
    tokenize(text: string): readonly unknown[];
  }>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
  getGrammarFor(name: "json"): Promise<unknown>;
}
interface LlamaModule {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  readonly LlamaChatSession: new (options: {
    contextSequence: unknown;
    systemPrompt: string;
  }) => {
    promptWithMeta(prompt: string, options: Readonly<Record<string, unknown>>): Promise<Generated>;
    dispose(options?: { disposeSequence?: boolean }): void;
  };
}

interface ChatBody {
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly max_tokens?: number;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema?: unknown } };
}

const { values } = parseArgs({
  options: {
    llama: { type: "string" },
    model: { type: "string" },
    context: { type: "string", default: "4096" },
    formats: { type: "string", default: "json_schema,json_object" },
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    "least-items": { type: "string", default: "0" },
  },
});
const contextTokens = Number(values.context);
const formats = new Set(values.formats.split(","));
/** Tokens that the chat's own marks take, with room to spare. */
const CHAT_MARKS = 40;
const MOST_STAGES = 7;
/** Below this there is no reply worth having. */
const LEAST_REPLY = 48;
/** 1: no list may be empty, so that every reply proposes something. */
const leastItems = Number(values["least-items"]);
/** A model of this size repeats itself without end: what the schema leaves open is bounded, so that replies end. */
const LONGEST_STRING = 16;
/** Except in fields that a guard reads closely. */
const LONGER_STRING = 70;
const LONGER_FIELDS = new Set(["title", "content", "quote", "text", "reason"]);
const MOST_ITEMS = 1;
const MORE_ITEMS: Readonly<Record<string, number>> = { decisions: 3, verdicts: 3 };
/** A model of this size names no handle that there is: it chooses among some that there may be and some that there are not. */
const HANDLES: Readonly<Record<string, readonly unknown[]>> = {
  fact: ["A", "B", "C", "D", "Z"],
  target: [1, 2, 3, 4, 99, null],
  candidate: [1, 2, 3, 4, 99],
};
/** Greedy decoding gives the same few texts again and again; the stress is in their variety. */
const TEMPERATURE = 0.7;

const module = (await import(pathToFileURL(join(values.llama ?? "", "dist/index.js")).href)) as LlamaModule;
const llama = await module.getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath: values.model ?? "" });
// One thread: on a machine that is shared, two that wait for one another are forty times slower.
const context = await model.createContext({ contextSize: contextTokens, threads: 1, sequences: MOST_STAGES });
/** One for each stage: what its prompts begin with is the same, and is read once. */
const sequences = new Map<string, unknown>();
const grammars = new Map<string, Promise<unknown>>();
let queue: Promise<unknown> = Promise.resolve();
let served = 0;

const server = createServer((request, response) => {
  handle(request, response).catch((thrown) => sendError(response, 500, String(thrown)));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatBody;
  const format = body.response_format?.type ?? "text";
  if (format !== "text" && !formats.has(format)) {
    return sendError(response, 400, `response_format ${format} is not supported`);
  }
  const left = new AbortController();
  response.on("close", () => left.abort());
  const stage = String(request.headers["x-arcticmem-stage"] ?? "");
  const turn = queue.then(() => (left.signal.aborted ? undefined : answer({ body, stage }, response, left.signal)));
  queue = turn.catch(() => undefined);
  await turn;
}

interface Call {
  readonly body: ChatBody;
  readonly stage: string;
}

/** The random tag of a call, and what stands for it before the model, so that prompts of a stage begin alike. */
const TAG = /evidence-[a-z0-9]{12}/g;
const SAME_TAG = "evidence-000000000000";

async function answer({ body, stage }: Call, response: ServerResponse, left: AbortSignal): Promise<void> {
  const textOf = (role: string) =>
    (body.messages ?? [])
      .filter((message) => message.role === role)
      .map(({ content }) => plainText(content))
      .join("\n")
      .replace(TAG, SAME_TAG);
  const [system, prompt] = [textOf("system"), textOf("user")];
  const promptTokens = model.tokenize(system).length + model.tokenize(prompt).length + CHAT_MARKS;
  const room = contextTokens - promptTokens;
  if (room < LEAST_REPLY) {
    const message = `This model's maximum context length is ${contextTokens} tokens, the prompt has ${promptTokens}`;
    return sendError(response, 400, message);
  }
  const grammar = await grammarFor(body.response_format);
  const session = new module.LlamaChatSession({ contextSequence: sequenceOf(stage), systemPrompt: system });
  served += 1;
  const overdue = new AbortController();
  let clock: NodeJS.Timeout | undefined;
  const reply = await session.promptWithMeta(prompt, {
    maxTokens: Math.min(body.max_tokens ?? room, room),
    temperature: TEMPERATURE,
    seed: Number(values.seed) + served,
    signal: AbortSignal.any([left, overdue.signal]),
    stopOnAbortSignal: true,
    onTextChunk: () => {
      clock ??= setTimeout(() => overdue.abort(), Number(values.seconds) * 1000);
    },
    ...(grammar === undefined ? {} : { grammar }),
  });
  clearTimeout(clock);
  session.dispose({ disposeSequence: false });
  const completionTokens = model.tokenize(reply.responseText).length;
  const isWhole = reply.stopReason === "eogToken" || reply.stopReason === "stopGenerationTrigger";
  send(response, 200, {
    object: "chat.completion",
    model: "smollm2-135m-instruct",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: reply.responseText },
        finish_reason: isWhole ? "stop" : "length",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  });
}

function sequenceOf(stage: string): unknown {
  const known = sequences.get(stage) ?? context.getSequence();
  sequences.set(stage, known);
  return known;
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => String(part?.text ?? "")).join("\n") : "";
}

async function grammarFor(format: ChatBody["response_format"]): Promise<unknown> {
  if (format === undefined || format.type === "text") return undefined;
  const schema = format.json_schema?.schema;
  if (schema === undefined) return llama.getGrammarFor("json");
  const bounded = bound(schema);
  const key = JSON.stringify(bounded);
  const known = grammars.get(key) ?? llama.createGrammarForJsonSchema(bounded);
  grammars.set(key, known);
  return known;
}

/** The same schema in the dialect that grammars take, with an end to every string and list. */
function bound(schema: unknown, field = ""): unknown {
  const { type, enum: values, properties, items } = schema as Readonly<Record<string, unknown>>;
  if (values !== undefined) return { enum: values };
  if (HANDLES[field] !== undefined) return { enum: HANDLES[field] };
  if (Array.isArray(type)) return { oneOf: type.map((one) => bound({ ...(schema as object), type: one }, field)) };
  if (type === "string") return { type, maxLength: LONGER_FIELDS.has(field) ? LONGER_STRING : LONGEST_STRING };
  if (type === "array")
    return { type, items: bound(items), minItems: leastItems, maxItems: MORE_ITEMS[field] ?? MOST_ITEMS };
  if (type !== "object" || properties === undefined) return { type };
  const bounded = Object.entries(properties as object).map(([key, value]) => [key, bound(value, key)]);
  return { type, properties: Object.fromEntries(bounded) };
}

function sendError(response: ServerResponse, status: number, message: string): void {
  if (!response.headersSent) send(response, status, { error: { message, type: "invalid_request_error" } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
