/**
 * The spool: hooks leave a note that a session wants ingesting and are gone in milliseconds; the worker reads the notes
 * later. One small file per session, written whole or not at all, so that neither a kill nor a full disk leaves half a
 * note. A note holds where the session is, never what was said in it.
 */
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "../core/errors.ts";
import { randomHex, sha256 } from "../core/hash.ts";
import { parseObject } from "../core/json/json-values.ts";
import type { SpoolEntry } from "../core/memory.ts";
import { hasCome, LONGEST_PAUSE_MS } from "../core/report.ts";

/** A note as it lies in the spool. */
export interface SpooledSession extends SpoolEntry {
  readonly at: Date;
  /** Not to be tried before; set when the store itself could not be used. */
  readonly notBefore: Date | null;
  /** Tries that ended in an error that no run could record. */
  readonly attempts: number;
  readonly file: string;
  /** The file's bytes when it was read: a newer note under the same name is another note. */
  readonly raw: string;
}

/** Below the spool: notes that could not be read. */
const QUARANTINE = "quarantine";
const NOTE = ".json";
/** A note on its way out; found again after a crash. */
const SETTLED = ".settled";
const TEMPORARY = ".tmp";
/** A note is some paths and a few words; what is longer was not written by us. */
const MAX_NOTE_BYTES = 65_536;
const STALE_TEMPORARY_MS = 3_600_000;
const REASONS: readonly string[] = ["session-end", "pre-compact", "idle", "request"] satisfies SpoolEntry["reason"][];

/**
 * Leaves a note; a later one for the same session replaces it. Durable when it returns.
 *
 * @param directory - The spool, created with mode 0700 where it is missing.
 */
export async function spoolSession(directory: string, entry: SpoolEntry, at: Date): Promise<void> {
  await writeNote(directory, entry, { at, notBefore: null, attempts: 0 });
}

/** Every note, oldest first. Garbage and half-written files are set aside, never in the way. */
export async function readSpool(directory: string): Promise<SpooledSession[]> {
  const names = await namesIn(directory);
  await recoverSettled(directory, names);
  const sessions: SpooledSession[] = [];
  for (const name of await namesIn(directory)) {
    if (name.endsWith(TEMPORARY)) await dropStale(join(directory, name));
    if (!name.endsWith(NOTE)) continue;
    const raw = await readNote(join(directory, name));
    if (raw === undefined) continue;
    const session = parseNote(raw, name);
    if (session === undefined) await setAside(directory, name);
    else sessions.push(session);
  }
  return sessions.sort((a, b) => a.at.getTime() - b.at.getTime() || a.file.localeCompare(b.file));
}

/**
 * Takes a note out after its session was dealt with.
 *
 * @returns False when a newer note stands under the same name: it stays.
 */
export async function settleSpooled(directory: string, session: SpooledSession): Promise<boolean> {
  const path = join(directory, session.file);
  const aside = `${path}${SETTLED}`;
  if (!(await succeeds(rename(path, aside)))) return true;
  const raw = await readNote(aside);
  if (raw === session.raw || raw === undefined) {
    await succeeds(unlink(aside));
    return true;
  }
  await putBack(aside, path);
  return false;
}

export interface Postponement {
  readonly notBefore: Date;
  /** Whether this try counts towards giving up. */
  readonly counts: boolean;
}

/** Leaves the note where it is, not to be looked at before `notBefore`; a newer note wins. */
export async function postponeSpooled(
  directory: string,
  session: SpooledSession,
  { notBefore, counts }: Postponement,
): Promise<void> {
  if (!(await settleSpooled(directory, session))) return;
  await writeNote(directory, session, { at: session.at, notBefore, attempts: session.attempts + Number(counts) });
}

/** Gives a note up: it is kept aside for a person to look at. */
export async function abandonSpooled(directory: string, session: SpooledSession): Promise<void> {
  await setAside(directory, session.file);
}

/** Whether a note waits that may be tried now. Reads only the spool. */
export async function isSpoolDue(directory: string, now: Date): Promise<boolean> {
  return (await readSpool(directory)).some((session) => isDue(session, now));
}

export function isDue(session: SpooledSession, now: Date): boolean {
  return session.notBefore === null || hasCome(session.notBefore, now, LONGEST_PAUSE_MS);
}

/** How many notes wait. */
export async function countSpooled(directory: string): Promise<number> {
  return (await namesIn(directory)).filter((name) => name.endsWith(NOTE) || name.endsWith(SETTLED)).length;
}

type NoteState = Pick<SpooledSession, "at" | "notBefore" | "attempts">;

/** Folder of the notes that could not be used, with how many there are. */
export async function notesSetAside(directory: string): Promise<{ readonly folder: string; readonly count: number }> {
  const folder = join(directory, QUARANTINE);
  return { folder, count: (await namesIn(folder)).length };
}

async function writeNote(directory: string, entry: SpoolEntry, { at, notBefore, attempts }: NoteState): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { host, session, transcript, cwd, offset, reason } = entry;
  const text = JSON.stringify({ host, session, transcript, cwd, offset, reason, at, notBefore, attempts });
  const path = join(directory, `${sha256(`${host}\n${session}`).slice(0, 40)}${NOTE}`);
  const temporary = `${path}.${randomHex(6)}${TEMPORARY}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** @returns Undefined where the file went away meanwhile: another worker settled it. */
async function readNote(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MAX_NOTE_BYTES) return "";
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    return "";
  }
}

function parseNote(raw: string, file: string): SpooledSession | undefined {
  // of what is half-written or garbage nothing is left: the caller sets it aside
  const { host, session, transcript, cwd, offset, reason, at, notBefore, attempts } = parseObject(raw) ?? {};
  const when = dateOf(at);
  if (typeof host !== "string" || typeof session !== "string" || session === "" || when === undefined) return undefined;
  if (typeof transcript !== "string" || transcript === "" || typeof cwd !== "string") return undefined;
  return {
    host,
    session,
    transcript,
    cwd,
    offset: typeof offset === "number" && Number.isFinite(offset) ? offset : 0,
    reason: isReason(reason) ? reason : "request",
    at: when,
    notBefore: dateOf(notBefore) ?? null,
    attempts: typeof attempts === "number" && Number.isInteger(attempts) ? attempts : 0,
    file,
    raw,
  };
}

function isReason(value: unknown): value is SpoolEntry["reason"] {
  return typeof value === "string" && REASONS.includes(value);
}

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

async function setAside(directory: string, name: string): Promise<void> {
  await mkdir(join(directory, QUARANTINE), { recursive: true, mode: 0o700 });
  await succeeds(rename(join(directory, name), join(directory, QUARANTINE, name)));
}

/** A worker that died between taking a note out and forgetting it leaves it here: better seen twice than never. */
async function recoverSettled(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (name.endsWith(SETTLED)) await putBack(join(directory, name), join(directory, name.slice(0, -SETTLED.length)));
  }
}

/** Restores a note unless a newer one has come; `link` never replaces. */
async function putBack(aside: string, path: string): Promise<void> {
  await succeeds(link(aside, path));
  await succeeds(unlink(aside));
}

async function dropStale(path: string): Promise<void> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs > STALE_TEMPORARY_MS) await unlink(path);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error; // its writer finished meanwhile
  }
}

/** For steps that another process may have done first. */
async function succeeds(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch {
    return false; // another process was faster; both wanted the same
  }
}
