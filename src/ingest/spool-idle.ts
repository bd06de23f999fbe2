/**
 * Sessions that never ended: a closed window, a crash, a machine that went to sleep fire no hook. Their transcripts lie
 * on disk; those that are idle and not ingested are spooled like any other.
 */
import type { SpoolEntry } from "../core/memory.ts";
import type { RunRecord } from "../core/report.ts";
import type { FoundTranscript } from "../hosts/host.ts";
import { spoolSession } from "./ingest-queue.ts";

/** A transcript that was written to more recently belongs to a session that may go on. */
export const IDLE_AFTER_MS = 600_000;
/** Most sessions that one start spools, newest first: a first start in an old project must not cost a day's budget. */
const MAX_PER_PASS = 20;

export interface SpoolIdleRequest {
  readonly directory: string;
  readonly host: string;
  readonly cwd: string;
  readonly found: readonly FoundTranscript[];
  /** The project's runs, finished or not. */
  readonly runs: readonly Pick<RunRecord, "host" | "session" | "report" | "updatedAt">[];
  /** The session that asks: it is about to be written to. */
  readonly except?: string;
  readonly now: Date;
}

/** @returns How many were spooled. */
export async function spoolIdle(request: SpoolIdleRequest): Promise<number> {
  const due = request.found
    .filter((transcript) => isIdle(transcript, request) && !isCovered(transcript, request))
    .sort((a, b) => b.modifiedAtMs - a.modifiedAtMs)
    .slice(0, MAX_PER_PASS);
  for (const transcript of due) await spoolSession(request.directory, entryOf(transcript, request), request.now);
  return due.length;
}

function isIdle(transcript: FoundTranscript, { except, now }: SpoolIdleRequest): boolean {
  return (
    transcript.session !== except && transcript.bytes > 0 && now.getTime() - transcript.modifiedAtMs >= IDLE_AFTER_MS
  );
}

/** A run that began after the last write has seen it all, or waits for its retry. */
function isCovered(transcript: FoundTranscript, { host, runs }: SpoolIdleRequest): boolean {
  return runs.some(
    (run) =>
      run.host === host &&
      run.session === transcript.session &&
      (run.report?.startedAt ?? run.updatedAt).getTime() >= transcript.modifiedAtMs,
  );
}

function entryOf(transcript: FoundTranscript, { host, cwd }: SpoolIdleRequest): SpoolEntry {
  return {
    host,
    session: transcript.session,
    transcript: transcript.path,
    cwd,
    offset: transcript.bytes,
    reason: "idle",
  };
}
