/**
 * What went wrong at a provider, told apart where the status is known: worth another try, or a matter of configuration.
 * The provider library's own error is not kept as the cause, for it holds the whole prompt.
 */
import { APICallError } from "ai";
import { ModelError, messageOf } from "../../core/errors.ts";
import { withoutKey } from "../api-key.ts";
import { parseRetryAfter } from "../retry.ts";

export interface ErrorContext {
  readonly model: string;
  readonly endpoint: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly now: () => Date;
}

/** Longest piece of an endpoint's answer that is quoted in a message. */
const QUOTED_CHARACTERS = 300;
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);

/** A request's outcome as far as the transport ladder has to know it. */
export interface Refusal {
  /** Body and message of a 400 or 422, lower case. */
  readonly text: string;
}

/** What a 400 or 422 says, so that the ladder can see whether it names something that can be left out. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (!APICallError.isInstance(thrown)) return undefined;
  if (thrown.statusCode !== 400 && thrown.statusCode !== 422) return undefined;
  return { text: `${thrown.message} ${thrown.responseBody ?? ""}`.toLowerCase() };
}

/** Turns whatever a provider threw into a ModelError; `timedOut` when our own clock ended the call. */
export function toModelError(thrown: unknown, timedOut: boolean, context: ErrorContext): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const { model, endpoint } = context;
  if (timedOut) {
    return new ModelError(`${model} at ${endpoint} did not answer within ${context.timeoutMs} ms.`, {
      retryable: true,
      hint: "Raise the model's time-out, or use a faster model.",
    });
  }
  const said = withoutKey(messageOf(thrown), context.key).replace(/\s+/g, " ").slice(0, QUOTED_CHARACTERS);
  if (!APICallError.isInstance(thrown)) {
    return new ModelError(`${model} at ${endpoint} gave no usable answer: ${said}`, { retryable: true });
  }
  const status = thrown.statusCode;
  if (status === undefined) {
    return new ModelError(`${endpoint} can't be reached: ${said}`, {
      retryable: true,
      hint: "Check the network and the model's base URL.",
    });
  }
  const retryAfterMs = parseRetryAfter(thrown.responseHeaders?.["retry-after"], context.now());
  return new ModelError(`${model} at ${endpoint} answered ${status}: ${said}`, {
    retryable: isRetryableStatus(status),
    ...hintFor(status, said),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** 2xx here means a body that could not be read: cut off, or a proxy's page. */
function isRetryableStatus(status: number): boolean {
  return status < 300 || status >= 500 || RETRYABLE_STATUSES.has(status);
}

function hintFor(status: number, said: string): { hint?: string } {
  if (status === 401 || status === 403) return { hint: "Check the API key and what it may use." };
  if (status === 402) return { hint: "The account behind the key is out of credit." };
  if (status === 404) return { hint: "Check the model's name and its base URL." };
  if (/context|too long|too large|maximum/i.test(said) || status === 413) {
    return { hint: "Set the model's contextTokens to what it really takes." };
  }
  if (status === 429) return { hint: "The endpoint limits the rate; the work is tried again later." };
  return {};
}
