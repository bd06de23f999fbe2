/** One request to an embedding endpoint: JSON in, JSON out, within a time, and errors that say what a person can do. */
import type { IncomingMessage } from "node:http";
import { ModelError, messageOf } from "../../../core/errors.ts";
import { given } from "../../../core/given.ts";
import { quoted } from "../../api-key.ts";
import type { Variables } from "../../http/proxy.ts";
import { sendRequest } from "../../http/send-request.ts";
import { hintForStatus, isRetryableStatus, saysTooLong } from "../../http/status.ts";
import { parseRetryAfter } from "../../retry.ts";

export interface JsonPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Never told on. */
  readonly key: string | undefined;
  /** `provider:model`, for messages. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly variables: Variables;
  readonly now: () => Date;
}

/** `tooLong`: the endpoint takes less text at once; what it said is in the error. */
export type JsonAnswer = { readonly answer: unknown } | { readonly tooLong: ModelError };

/**
 * @throws {ModelError} retryable on time-outs, broken connections, 429 and 5xx.
 * @throws The signal's reason, when it is aborted.
 */
export async function postJson(post: JsonPost): Promise<JsonAnswer> {
  const { url, signal, timeoutMs, name } = post;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { status, headers, body } = await sendRequest({
      url,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...post.headers },
      body: JSON.stringify(post.body),
      idleMs: timeoutMs,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      variables: post.variables,
    });
    const text = await readText(body);
    return status === 200 ? { answer: parse(text, post) } : refusal(status, { text, headers }, post);
  } catch (thrown) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      const message = `${name} at ${url.host} did not answer within ${timeoutMs} ms.`;
      throw new ModelError(message, { retryable: true, hint: "Raise embedder.timeoutMs, or use a faster model." });
    }
    if (thrown instanceof ModelError) throw thrown;
    throw new ModelError(`${name} at ${url.host} broke off: ${quoted(messageOf(thrown), post.key)}`, {
      retryable: true,
    });
  }
}

async function readText(body: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string, { name, url }: JsonPost): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const hint = "Check the base URL: a proxy or another service may answer there.";
    throw new ModelError(`${name} at ${url.host} answered something that is no JSON.`, { retryable: true, hint });
  }
}

interface Refusal {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function refusal(status: number, { text, headers }: Refusal, post: JsonPost): JsonAnswer {
  const words = quoted(text, post.key);
  const asked = headers["retry-after"];
  const retryAfterMs = parseRetryAfter(typeof asked === "string" ? asked : undefined, post.now());
  const error = new ModelError(`${post.name} at ${post.url.host} answered ${status}: ${words}`, {
    retryable: isRetryableStatus(status),
    ...hintForStatus(status, ""),
    ...given({ retryAfterMs }),
  });
  const refused = status === 400 || status === 422 || status === 413;
  if (refused && (status === 413 || saysTooLong(words)) && !/dimension/i.test(words)) return { tooLong: error };
  throw error;
}
