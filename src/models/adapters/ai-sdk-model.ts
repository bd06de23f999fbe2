/**
 * The road that all providers of the `ai` package share: one request, its time-out, its retries, its steps down the
 * transport ladder. The reply stays as it came; reading it belongs to the pipeline.
 */
import { generateText, type LanguageModel as SdkModel } from "ai";
import type { ModelError } from "../../core/errors.ts";
import { type KeySource, readApiKey } from "../api-key.ts";
import type { Variables } from "../http/proxy.ts";
import type { LanguageModel, ModelReply, ModelRequest } from "../language-model.ts";
import { DEFAULT_RETRY, REAL_RETRY_DEPS, type RetryDeps, type RetryPolicy, withRetries } from "../retry.ts";
import { refusalOf, toModelError } from "./provider-error.ts";
import {
  createTransportMemory,
  type Rung,
  schemaInWords,
  stepDown,
  type Transport,
  type TransportMemory,
} from "./transport-ladder.ts";

/** Header by which a scripted endpoint, a proxy or a log can tell the stages apart. */
const STAGE_HEADER = "x-arcticmem-stage";

/** What a caller may set for any provider; the defaults are those of production. */
export interface AdapterOptions {
  readonly retry?: RetryPolicy;
  readonly retryDeps?: RetryDeps;
  readonly transports?: TransportMemory;
  readonly now?: () => Date;
}

/** Where a model is asked, and how. */
export interface ModelEndpoint {
  /** Up to and without the path of the request, as in `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly key: KeySource;
  readonly environment: Variables;
}

/** What differs between providers. */
export interface ProviderRoad {
  readonly provider: string;
  readonly rungs: readonly [Rung, ...Rung[]];
  connect(key: string | undefined, transport: Transport): SdkModel;
}

interface Road extends ProviderRoad {
  /** `provider:model`. */
  readonly name: string;
  readonly endpoint: ModelEndpoint;
  readonly host: string;
  readonly transports: TransportMemory;
  readonly retry: RetryPolicy;
  readonly retryDeps: RetryDeps;
  readonly now: () => Date;
}

/** Attempt counter of one request, shared by its retries and steps. */
interface Counter {
  calls: number;
}

/**
 * Builds a LanguageModel on one provider's road. The key is read when a call is made, so that building the graph needs
 * none: a missing one is told then, as `CONFIG_INVALID`.
 */
export function createSdkModel(
  endpoint: ModelEndpoint,
  provider: ProviderRoad,
  options: AdapterOptions = {},
): LanguageModel {
  // The library prints its warnings to stdout, which belongs to the answer.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const road: Road = {
    ...provider,
    name: `${provider.provider}:${endpoint.model}`,
    endpoint,
    host: new URL(endpoint.baseUrl).host,
    transports: options.transports ?? createTransportMemory(),
    retry: options.retry ?? DEFAULT_RETRY,
    retryDeps: options.retryDeps ?? REAL_RETRY_DEPS,
    now: options.now ?? (() => new Date()),
  };
  return {
    name: road.name,
    endpoint: road.host,
    contextTokens: endpoint.contextTokens,
    generate: (request) => generate(road, request),
  };
}

async function generate(road: Road, request: ModelRequest): Promise<ModelReply> {
  const key = await readApiKey(road.endpoint.key, road.endpoint.environment);
  const counter: Counter = { calls: 0 };
  return withRetries(() => askDownTheLadder(road, request, { key, counter }), {
    policy: road.retry,
    deps: road.retryDeps,
    signal: request.signal,
  });
}

interface Attempt {
  readonly key: string | undefined;
  readonly counter: Counter;
}

/** One try: as often as the endpoint names something that can be left out. */
async function askDownTheLadder(road: Road, request: ModelRequest, attempt: Attempt): Promise<ModelReply> {
  const { rungs, transports } = road;
  const memoryKey = `${road.endpoint.baseUrl} ${road.name}`;
  const remembered = transports.read(memoryKey);
  let transport: Transport = remembered ?? { rung: rungs[0], temperature: true, limitName: "max_tokens" };
  for (;;) {
    const answer = await ask(road, request, { ...attempt, transport });
    if (answer.kind === "reply") {
      transports.write(memoryKey, transport);
      return answer.reply;
    }
    const next = answer.refusal === undefined ? undefined : stepDown(answer.refusal, transport, rungs);
    if (next === undefined) throw answer.error;
    transport = next;
  }
}

type Answer =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  | { readonly kind: "error"; readonly error: ModelError; readonly refusal: string | undefined };

async function ask(road: Road, request: ModelRequest, attempt: Attempt & { transport: Transport }): Promise<Answer> {
  const { key, counter, transport } = attempt;
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  counter.calls += 1;
  try {
    const result = await generateText({
      model: road.connect(key, transport),
      system: request.system + schemaInWords(transport.rung, request.schema.json),
      prompt: request.prompt,
      ...(transport.temperature ? { temperature: 0 } : {}),
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: signal,
      headers: { [STAGE_HEADER]: request.stage },
      output: rawOutput(request, transport.rung),
    });
    return { kind: "reply", reply: toReply(result, counter.calls) };
  } catch (thrown) {
    request.signal?.throwIfAborted();
    const error = toModelError(thrown, timeout.aborted, {
      model: road.name,
      endpoint: road.host,
      key,
      timeoutMs: request.timeoutMs,
      now: road.now,
    });
    return { kind: "error", error, refusal: refusalOf(thrown) };
  }
}

interface SdkResult {
  readonly text: string;
  readonly finishReason: string;
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

function toReply({ text, finishReason, usage }: SdkResult, calls: number): ModelReply {
  return {
    text,
    truncated: finishReason === "length",
    usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
    calls,
  };
}

/** Asks for the format of a rung and takes whatever comes: the library would throw for a reply that does not fit. */
function rawOutput({ schema }: ModelRequest, rung: Rung) {
  const json = { type: "json" as const, name: schema.name, schema: schema.json };
  const format =
    rung === "plain" ? ({ type: "text" } as const) : rung === "json_schema" ? json : ({ type: "json" } as const);
  return {
    name: "raw",
    responseFormat: Promise.resolve(format),
    parseCompleteOutput: async ({ text }: { readonly text: string }) => text,
    parsePartialOutput: async ({ text }: { readonly text: string }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}
