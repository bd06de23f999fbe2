/**
 * Waiting and trying again, once for all models: full jitter, so that many clients do not come back in step, and never
 * sooner than the endpoint asked.
 */
import { setTimeout } from "node:timers/promises";
import { ModelError } from "../core/errors.ts";
import { given } from "../core/given.ts";

export interface RetryPolicy {
  /** Tries in all, the first included; ≥ 1. */
  readonly attempts: number;
  readonly baseDelayMs: number;
  /** Longest wait; an endpoint that asks for more is not waited for. */
  readonly maxDelayMs: number;
}

/** Two tries more after the first. Full jitter over a doubling base is what AWS's builders' library found best. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 3, baseDelayMs: 500, maxDelayMs: 30_000 };

export interface RetryDeps {
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 ≤ x < 1. */
  random(): number;
}

export const REAL_RETRY_DEPS: RetryDeps = { sleep: sleepFor, random: Math.random };

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly deps: RetryDeps;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the tries are used up.
 *
 * @returns What the last try returned.
 * @throws What the last try threw: only a retryable ModelError is tried again.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      const waitMs = tried < options.policy.attempts ? delayBefore(tried, thrown, options) : undefined;
      if (waitMs === undefined) throw thrown;
      await options.deps.sleep(waitMs, options.signal);
    }
  }
}

/** How long to wait before try `tried + 1`; undefined when another try is no use. */
function delayBefore(tried: number, thrown: unknown, { policy, deps }: RetryOptions): number | undefined {
  if (!(thrown instanceof ModelError) || !thrown.retryable) return undefined;
  const asked = thrown.retryAfterMs ?? 0;
  if (asked > policy.maxDelayMs) return undefined;
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (tried - 1));
  return Math.max(asked, Math.floor(deps.random() * ceiling));
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @returns Milliseconds from `now`, ≥ 0; undefined where the header is missing or unreadable.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, given({ signal })).catch((thrown: unknown) => {
    throw signal?.reason ?? thrown;
  });
}
