/**
 * What went wrong at a provider, told apart where the status is known: worth another try, or a matter of configuration.
 * The provider library's own error is not kept as the cause, for it holds the whole prompt.
 */
import { APICallError } from "ai";
import { ModelError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { quoted } from "../api-key.ts";
import { hintForStatus, isRetryableStatus } from "../http/status.ts";
import { parseRetryAfter } from "../retry.ts";

export interface ErrorContext {
  readonly model: string;
  readonly endpoint: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly now: () => Date;
}

/** Body and message of a 400 or 422 in lower case: the ladder sees whether they name something that can be left out. */
export function refusalOf(thrown: unknown): string | undefined {
  if (!APICallError.isInstance(thrown)) return undefined;
  if (thrown.statusCode !== 400 && thrown.statusCode !== 422) return undefined;
  return `${thrown.message} ${thrown.responseBody ?? ""}`.toLowerCase();
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
  const said = quoted(messageOf(thrown), context.key);
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
    ...hintForStatus(status, said),
    ...given({ retryAfterMs }),
  });
}
