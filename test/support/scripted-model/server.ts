/**
 * A model on loopback that answers by script: OpenAI's chat completions, embeddings and model list, Anthropic's
 * messages. It records what it was asked, so that tests can assert on prompts; a request that the script does not
 * expect is answered 599 and fails the test when the server is closed.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { openAiProtocol } from "./openai-protocol.ts";
import { countTokens, type ScriptedProtocol, textOf } from "./protocol.ts";
import { findEntry, type ModelCall, type ScriptEntry, toSaid } from "./script.ts";

const PROTOCOLS: readonly ScriptedProtocol[] = [openAiProtocol, anthropicProtocol];
export const UNMATCHED_STATUS = 599;

export interface ScriptedModel extends AsyncDisposable {
  /** Without a path: Claude Code's `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** With `/v1`: what OpenAI-compatible clients and `@ai-sdk/anthropic` take. */
  readonly baseUrl: string;
  readonly calls: readonly ModelCall[];
  /** Requests that no entry fitted. */
  readonly unmatched: readonly string[];
  callsOf(stage: string): ModelCall[];
  /** Adds entries behind those that are there. */
  extend(entries: readonly ScriptEntry[]): void;
  /** @throws {Error} naming each request that no entry fitted. */
  assertAllMatched(): void;
  /** Closes without asserting. */
  close(): Promise<void>;
}

interface State {
  readonly script: ScriptEntry[];
  readonly used: Map<ScriptEntry, number>;
  readonly calls: ModelCall[];
  readonly unmatched: string[];
}

/** Starts on a free port of 127.0.0.1. Disposing of it asserts that every request was expected. */
export async function startScriptedModel(script: readonly ScriptEntry[], port = 0): Promise<ScriptedModel> {
  const state: State = { script: [...script], used: new Map(), calls: [], unmatched: [] };
  const server = createServer((request, response) => {
    handle(state, request, response).catch((thrown) => {
      state.unmatched.push(`${request.method} ${request.url}: ${String(thrown)}`);
      if (!response.headersSent) sendJson(response, UNMATCHED_STATUS, { error: { message: String(thrown) } });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return toScriptedModel(state, server);
}

function toScriptedModel(state: State, server: Server): ScriptedModel {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const assertAllMatched = () => {
    if (state.unmatched.length > 0) throw new Error(`unexpected model calls:\n${state.unmatched.join("\n")}`);
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url,
    baseUrl: `${url}/v1`,
    calls: state.calls,
    unmatched: state.unmatched,
    callsOf: (stage) => state.calls.filter((call) => call.stage === stage),
    extend: (entries) => void state.script.push(...entries),
    assertAllMatched,
    close,
    async [Symbol.asyncDispose]() {
      await close();
      assertAllMatched();
    },
  };
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const body = await readBody(request);
  const protocol = PROTOCOLS.find(({ paths }) => paths.includes(path));
  if (request.method === "POST" && protocol !== undefined) {
    await answerCall({ state, protocol, response }, toCall(state, protocol, { request, body }));
    return;
  }
  if (request.method === "HEAD") return void response.writeHead(200).end();
  if (path === "/v1/models")
    return sendJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
  if (path === "/v1/embeddings") return sendJson(response, 200, embeddings(body));
  if (path === "/v1/messages/count_tokens")
    return sendJson(response, 200, { input_tokens: countTokens(textOf(body.messages)) });
  sendJson(response, 404, { error: { message: `no such path: ${path}` } });
}

function toCall(
  state: State,
  protocol: ScriptedProtocol,
  { request, body }: { readonly request: IncomingMessage; readonly body: Record<string, unknown> },
): ModelCall {
  const header = request.headers["x-arcticmem-stage"];
  const stage = typeof header === "string" ? header : null;
  const callIndex = state.calls.filter((earlier) => earlier.stage === stage).length;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { ...protocol.read(body), stage, callIndex, headers };
}

interface Exchange {
  readonly state: State;
  readonly protocol: ScriptedProtocol;
  readonly response: ServerResponse;
}

async function answerCall({ state, protocol, response }: Exchange, call: ModelCall): Promise<void> {
  state.calls.push(call);
  const entry = findEntry(state.script, state.used, call);
  if (entry === undefined) {
    const what = `${call.protocol} call ${call.callIndex} of stage ${call.stage}: …${call.text.slice(-300)}`;
    state.unmatched.push(what);
    return sendJson(response, UNMATCHED_STATUS, protocol.writeError(UNMATCHED_STATUS, "no entry of the script fits"));
  }
  state.used.set(entry, (state.used.get(entry) ?? 0) + 1);
  if (entry.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, entry.delayMs));
  if (entry.closeSocket === true) return void response.destroy();
  send({ state, protocol, response }, call, entry);
}

function send({ protocol, response }: Exchange, call: ModelCall, entry: ScriptEntry): void {
  const reply = typeof entry.reply === "function" ? entry.reply(call) : (entry.reply ?? "");
  const status = entry.status ?? 200;
  const streamed = status === 200 && call.stream;
  const text = streamed
    ? protocol.writeStream(call, toSaid(reply)).join("")
    : status === 200
      ? JSON.stringify(protocol.write(call, toSaid(reply)))
      : errorBody(protocol, status, reply);
  const type = streamed ? "text/event-stream" : "application/json";
  response.writeHead(status, { "content-type": type, ...entry.headers });
  if (entry.cutAfterBytes === undefined) return void response.end(text);
  response.write(Buffer.from(text).subarray(0, entry.cutAfterBytes), () => response.destroy());
}

function errorBody(protocol: ScriptedProtocol, status: number, reply: unknown): string {
  if (typeof reply === "string") return JSON.stringify(protocol.writeError(status, reply || `scripted ${status}`));
  return JSON.stringify(reply);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Vectors that depend on the text alone: good enough to be stored and compared for equality. */
function embeddings(body: Record<string, unknown>) {
  const texts = [body.input].flat().map(String);
  return {
    object: "list",
    model: String(body.model),
    data: texts.map((text, index) => ({ object: "embedding", index, embedding: hashVector(text) })),
    usage: { prompt_tokens: countTokens(texts.join("")), total_tokens: countTokens(texts.join("")) },
  };
}

function hashVector(text: string): number[] {
  const bytes = [...createHash("sha256").update(text).digest()];
  const raw = bytes.map((byte) => byte / 127.5 - 1);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
