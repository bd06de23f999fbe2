/** The log of the hooks: short lines without anything that was said, in one file and its predecessor. */
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Two files of this size at most. */
const MAX_LOG_BYTES = 262_144;
const MAX_LINE_CHARACTERS = 500;

/** Never throws: what can't be logged is lost. */
export function appendLog(file: string, line: string, at: Date): void {
  const text = `${at.toISOString()} ${line.replace(/\s+/g, " ").slice(0, MAX_LINE_CHARACTERS)}\n`;
  try {
    rotate(file);
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // a read-only or full disk: the hook goes on without a log
    }
  }
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
}
