/** Lets only the first of two hooks that run for one event do its work. Needs neither store nor lock. */
import { closeSync, mkdirSync, openSync, readdirSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

const FOLDER = "hook-marks";
/** Two hosts run one event within milliseconds; a session that is resumed takes seconds. */
const SAME_EVENT_MS = 2_000;
/** Marks are swept when there are so many. */
const SWEEP_ABOVE = 200;

/**
 * @param directory - Where marks are kept; made where it is missing.
 * @returns False when the same event was claimed a moment ago. True also when marks can't be kept: an event that is
 *   answered twice does less harm than one that is not answered.
 */
export function claimOnce(directory: string, event: string, nowMs: number): boolean {
  const folder = join(directory, FOLDER);
  const mark = join(folder, sha256(event).slice(0, 32));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (create(mark)) {
      sweep(folder, nowMs);
      return true;
    }
    if (nowMs - statSync(mark).mtimeMs < SAME_EVENT_MS) return false;
    utimesSync(mark, nowMs / 1000, nowMs / 1000);
    return true;
  } catch {
    return true; // a folder that can't be written must not cost the user the memory
  }
}

/** @returns False where it exists. */
function create(mark: string): boolean {
  try {
    closeSync(openSync(mark, "wx", 0o600));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function sweep(folder: string, nowMs: number): void {
  const marks = readdirSync(folder);
  if (marks.length <= SWEEP_ABOVE) return;
  for (const name of marks) {
    const path = join(folder, name);
    if (nowMs - statSync(path).mtimeMs > SAME_EVENT_MS) unlinkSync(path);
  }
}
