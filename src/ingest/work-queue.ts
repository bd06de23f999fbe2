/**
 * One run of the worker: what the spool holds, what failed before and is due again, and the vectors that are missing.
 * Alone under its lease, and over when there is nothing left to do.
 */
import { ArcticMemError, messageOf } from "../core/errors.ts";
import type { WorkReport } from "../core/memory.ts";
import { hasCome, type IngestReport, LONGEST_LEASE_MS, LONGEST_PAUSE_MS, type RunRecord } from "../core/report.ts";
import { DAY_MS } from "../core/time/days.ts";
import type { RunTable } from "../store/store.ts";
import type { IngestRequest, IngestResult } from "./ingest-deps.ts";
import {
  abandonSpooled,
  isDue,
  postponeSpooled,
  readSpool,
  type SpooledSession,
  settleSpooled,
} from "./ingest-queue.ts";
import { MAX_ATTEMPTS } from "./session/run-claim.ts";
import { isStoreError } from "./session/store-error.ts";
import { takeLease, type WorkerLease } from "./worker-lease.ts";

export interface WorkQueueDeps {
  readonly runs: Pick<RunTable, "list" | "get" | "finish">;
  readonly spoolDirectory: string;
  readonly leasePath: string;
  readonly ingest: (request: IngestRequest) => Promise<IngestResult>;
  readonly embedMissing: (signal?: AbortSignal) => Promise<number>;
  readonly isPaused: () => Promise<boolean>;
  readonly now: () => Date;
}

export interface WorkOptions {
  readonly onStage?: (stage: string) => void;
  readonly signal?: AbortSignal;
}

/** As long as one session may take with a slow model; renewed before each. */
const LEASE_MS = 900_000;
/** Pause after the store could not be used. */
const POSTPONE_MS = 600_000;
/** Sessions of one worker run: what is left belongs to the next, so that no worker lives for ever. */
const MAX_SESSIONS = 200;
const MAX_RUNS = 100;

/** @throws {ArcticMemError} where spool or store can't be read at all; single sessions that fail are reported. */
export async function workQueue(deps: WorkQueueDeps, options: WorkOptions = {}): Promise<WorkReport> {
  if (await deps.isPaused()) return idleReport(await remainingIn(deps), false);
  const lease = takeLease({ path: deps.leasePath, leaseMs: LEASE_MS, now: deps.now() });
  if (lease === undefined) return idleReport(await remainingIn(deps), true);
  try {
    return await workUnderLease(deps, lease, options);
  } finally {
    lease.release();
  }
}

interface Tally {
  readonly processed: IngestReport[];
  readonly failed: { session: string; message: string; retryable: boolean }[];
}

async function workUnderLease(deps: WorkQueueDeps, lease: WorkerLease, options: WorkOptions): Promise<WorkReport> {
  const tally: Tally = { processed: [], failed: [] };
  await drainSpool(deps, { lease, options, tally });
  for (const run of await dueRuns(deps.runs, deps.now())) {
    if (isOver(deps, lease, options)) break;
    await retry(deps, run, { options, tally });
  }
  options.onStage?.("embed");
  const embedded = options.signal?.aborted === true ? 0 : await embedQuietly(deps, options.signal, tally);
  return { ...tally, remaining: await remainingIn(deps), busy: false, embedded };
}

interface Draining {
  readonly lease: WorkerLease;
  readonly options: WorkOptions;
  readonly tally: Tally;
}

/** Until nothing is due: notes that come in meanwhile belong to this run too. */
async function drainSpool(deps: WorkQueueDeps, { lease, options, tally }: Draining): Promise<void> {
  for (let count = 0; count < MAX_SESSIONS; ) {
    const due = (await readSpool(deps.spoolDirectory)).filter((session) => isDue(session, deps.now()));
    if (due.length === 0) return;
    for (const session of due) {
      if (isOver(deps, lease, options)) return;
      await workOne(deps, session, { options, tally });
      count += 1;
    }
  }
}

function isOver({ now }: WorkQueueDeps, lease: WorkerLease, { signal }: WorkOptions): boolean {
  return signal?.aborted === true || !lease.renew(now());
}

type Working = Omit<Draining, "lease">;

/** The note goes once the run stands in the store, whatever became of it; without the store it waits. */
async function workOne(deps: WorkQueueDeps, spooled: SpooledSession, { options, tally }: Working): Promise<void> {
  const { host, session, transcript, cwd } = spooled;
  try {
    const result = await deps.ingest({ host, session, transcript, cwd, ...options });
    take(result, tally);
    await settleSpooled(deps.spoolDirectory, spooled);
  } catch (error) {
    if (options.signal?.aborted === true) return;
    const counts = !isStoreError(error);
    const retryable = !counts || spooled.attempts + 1 < MAX_ATTEMPTS;
    tally.failed.push({ session, message: messageOf(error), retryable });
    const notBefore = new Date(deps.now().getTime() + POSTPONE_MS);
    if (retryable) await postponeSpooled(deps.spoolDirectory, spooled, { notBefore, counts });
    else await abandonSpooled(deps.spoolDirectory, spooled);
  }
}

async function retry(deps: WorkQueueDeps, run: RunRecord, { options, tally }: Working): Promise<void> {
  const { host, session, transcript } = run;
  try {
    const result = await deps.ingest({ host, session, transcript, cwd: null, ...options });
    take(result, tally);
    await closeOvertaken(deps, run, result);
  } catch (error) {
    if (options.signal?.aborted !== true) tally.failed.push({ session, message: messageOf(error), retryable: true });
  }
}

/**
 * A run that was not the one that was tried again: the session went on and another run covers it, its transcript is
 * gone, or its model is not in use any more. It must not come up at every turn.
 */
async function closeOvertaken(
  { runs, now }: WorkQueueDeps,
  run: RunRecord,
  { report, waiting }: IngestResult,
): Promise<void> {
  if (report.run === run.id || waiting?.run === run.id) return;
  const end = { notBefore: null, watermark: 0, report: null };
  if (report.result.kind === "failed" && report.result.failure === "missing") {
    await runs.finish(run.id, { ...end, status: "dead", error: report.result.message }, now());
  } else if ((await runs.get(report.run))?.digest !== run.digest) {
    await runs.finish(run.id, { ...end, status: "done", error: "the session went on: a later run covers it" }, now());
  } else {
    const notBefore = new Date(now().getTime() + DAY_MS);
    await runs.finish(run.id, { ...end, status: "waiting", notBefore, error: `${run.extractor} is not in use` }, now());
  }
}

function take({ report, waiting }: IngestResult, { processed, failed }: Tally): void {
  for (const one of [report, ...(waiting === null ? [] : [waiting])]) {
    if (one.result.kind !== "failed") processed.push(one);
    else failed.push({ session: one.session, message: one.result.message, retryable: one.result.retryable });
  }
}

/** Runs that wait and whose pause is over, and runs whose worker died; one for each session, oldest first. */
async function dueRuns(runs: Pick<RunTable, "list">, now: Date): Promise<RunRecord[]> {
  const waiting = await runs.list({ status: "waiting", limit: MAX_RUNS });
  const running = await runs.list({ status: "running", limit: MAX_RUNS });
  const due = [
    ...waiting.filter(({ notBefore }) => notBefore === null || hasCome(notBefore, now, LONGEST_PAUSE_MS)),
    ...running.filter(({ leaseUntil }) => leaseUntil === null || hasCome(leaseUntil, now, LONGEST_LEASE_MS)),
  ];
  const bySession = new Map(due.map((run) => [`${run.host}\n${run.session}`, run]));
  return [...bySession.values()].sort((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime());
}

/** Vectors that can't be made now are made by the next run; search goes by words meanwhile. */
async function embedQuietly(
  { embedMissing }: WorkQueueDeps,
  signal: AbortSignal | undefined,
  { failed }: Tally,
): Promise<number> {
  try {
    return await embedMissing(signal);
  } catch (error) {
    const retryable = !(error instanceof ArcticMemError) || error.code !== "MODEL_FILE_BROKEN";
    failed.push({ session: "vectors", message: messageOf(error), retryable });
    return 0;
  }
}

async function remainingIn({ spoolDirectory, runs, now }: WorkQueueDeps): Promise<number> {
  const sessions = await readSpool(spoolDirectory);
  return sessions.length + (await dueRuns(runs, now())).length;
}

function idleReport(remaining: number, busy: boolean): WorkReport {
  return { processed: [], failed: [], remaining, busy, embedded: 0 };
}
