/**
 * Sessions that never ended: a closed window, a crash, a machine that went to sleep fire no hook. Their transcripts lie
 * on disk; those that are idle and not ingested are spooled like any other.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SpoolEntry } from "../core/memory.ts";
import type { RunRecord } from "../core/report.ts";
import type { FoundTranscript } from "../hosts/host.ts";
import { spoolSession } from "./ingest-queue.ts";

/** A transcript that was written to more recently belongs to a session that may go on. */
export const IDLE_AFTER_MS = 600_000;
/** Most sessions that one start spools, newest first: a first start in an old project must not cost a day's budget. */
const MAX_PER_PASS = 20;
const SPOOLED_FILE = "idle-sessions.list";
const MAX_STATES = 2_000;

export interface SpoolIdleRequest {
  readonly directory: string;
  readonly host: string;
  readonly cwd: string;
  readonly found: readonly FoundTranscript[];
  /** The project's runs, finished or not. */
  readonly runs: readonly Pick<RunRecord, "host" | "session" | "report" | "updatedAt">[];
  /** Default: ten minutes. */
  readonly idleMs?: number;
  /** The session that asks: it is about to be written to. */
  readonly except?: string;
  readonly now: Date;
}

/** @returns How many were spooled. */
export async function spoolIdle(request: SpoolIdleRequest): Promise<number> {
  const spooled = await readSpooled(request.directory);
  const due = request.found
    .filter((transcript) => isIdle(transcript, request) && !isCovered(transcript, request))
    .filter((transcript) => !spooled.includes(stateOf(transcript, request)))
    .sort((a, b) => b.modifiedAtMs - a.modifiedAtMs)
    .slice(0, MAX_PER_PASS);
  for (const transcript of due) await spoolSession(request.directory, entryOf(transcript, request), request.now);
  if (due.length > 0) await noteSpooled(request.directory, [...spooled, ...due.map((one) => stateOf(one, request))]);
  return due.length;
}

/** A transcript in one state of its file: when it is written to again it is another. */
function stateOf({ session, bytes, modifiedAtMs }: FoundTranscript, { host }: SpoolIdleRequest): string {
  return [host, session, bytes, Math.floor(modifiedAtMs)].join(" ");
}

/** States that were spooled before: hosts write a last line after a session's end that teaches nothing new. */
async function readSpooled(directory: string): Promise<string[]> {
  try {
    return (await readFile(join(directory, SPOOLED_FILE), "utf8")).split("\n").filter((line) => line !== "");
  } catch {
    return []; // none yet; a lost list costs a second look at each session
  }
}

async function noteSpooled(directory: string, states: readonly string[]): Promise<void> {
  const path = join(directory, SPOOLED_FILE);
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${states.slice(-MAX_STATES).join("\n")}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

function isIdle(
  { session, bytes, modifiedAtMs }: FoundTranscript,
  { except, now, idleMs = IDLE_AFTER_MS }: SpoolIdleRequest,
): boolean {
  return session !== except && bytes > 0 && now.getTime() - modifiedAtMs >= idleMs;
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
