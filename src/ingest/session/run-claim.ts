/**
 * A run from claim to end: the lease that keeps two workers off one session, the heartbeat that holds it, and what each
 * kind of ending means for the next try. How it ended is never guessed from what it left behind.
 */
import type { RunId } from "../../core/ids.ts";
import type { IngestReport, RunResult } from "../../core/report.ts";
import { DAY_MS, startOfDay } from "../../core/time/days.ts";
import type { RunClaim, RunFinish, RunStart, RunTable } from "../../store/store.ts";

export const MAX_ATTEMPTS = 3;
const LEASE_MS = 900_000;
const HEARTBEAT_MS = 240_000;
/** Pause after a failed try. */
const BACK_OFF_MS = 3_600_000;

export interface ClaimDeps {
  readonly runs: RunTable;
  readonly now: () => Date;
  readonly owner: string;
}

export function claimRun(
  { runs, now, owner }: ClaimDeps,
  start: Omit<RunStart, "owner" | "leaseMs" | "maxAttempts">,
): Promise<RunClaim> {
  return runs.claim({ ...start, owner, leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS }, now());
}

/**
 * Works while the lease is renewed; a lease that another worker took over stops the work. A run that the caller stopped is
 * free at once, instead of when its lease is over.
 *
 * @throws What `work` throws.
 */
export async function underLease<T>(
  { runs, now, owner }: ClaimDeps,
  { id, signal }: { readonly id: RunId; readonly signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    const until = new Date(now().getTime() + LEASE_MS);
    runs.heartbeat(id, owner, until).then(
      (held) => {
        if (!held) lost.abort(new Error("the lease of this run was taken over"));
      },
      () => undefined, // the store is busy: the lease outlives three missed beats
    );
  }, HEARTBEAT_MS);
  timer.unref();
  try {
    return await work(signal === undefined ? lost.signal : AbortSignal.any([lost.signal, signal]));
  } catch (error) {
    const stopped = { status: "waiting", notBefore: null, watermark: 0, report: null, error: "stopped" } as const;
    if (signal?.aborted === true) await runs.finish(id, stopped, now());
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Writes the end of a run: final, to be tried again, or given up.
 *
 * @returns The report as it stands: what failed for the last time will not be retried.
 */
export async function finishRun(
  { runs, now }: ClaimDeps,
  { id, attempts }: { readonly id: RunId; readonly attempts: number },
  { report: written, watermark }: { readonly report: IngestReport; readonly watermark: number },
): Promise<IngestReport> {
  const at = now();
  const report = { ...written, result: afterTries(written.result, attempts) };
  await runs.finish(id, { ...endingOf(report.result, { at, watermark }), report }, at);
  return report;
}

function afterTries(result: RunResult, attempts: number): RunResult {
  if (result.kind !== "failed" || !result.retryable || attempts < MAX_ATTEMPTS) return result;
  return { ...result, retryable: false, message: `${result.message} (given up after ${attempts} tries)` };
}

interface Ending {
  readonly at: Date;
  readonly watermark: number;
}

function endingOf(result: RunResult, { at, watermark }: Ending): Omit<RunFinish, "report"> {
  switch (result.kind) {
    case "facts":
    case "no_facts":
      return { status: "done", notBefore: null, watermark, error: null };
    case "skipped": {
      const putOff = result.reason === "budget" || result.reason === "active";
      if (!putOff) return { status: "done", notBefore: null, watermark, error: null };
      return { status: "waiting", notBefore: retryTime(result.reason, at), watermark: 0, error: null };
    }
    case "failed": {
      const { retryable, message: error } = result;
      const notBefore = retryable ? new Date(at.getTime() + BACK_OFF_MS) : null;
      return { status: retryable ? "waiting" : "dead", notBefore, watermark: 0, error };
    }
    default:
      return result satisfies never;
  }
}

/** A budget is renewed with the day. */
function retryTime(reason: "budget" | "active", now: Date): Date {
  return reason === "budget" ? new Date(startOfDay(now).getTime() + DAY_MS) : new Date(now.getTime() + BACK_OFF_MS);
}
