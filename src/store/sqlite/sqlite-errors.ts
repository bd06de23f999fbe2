/** SQLite's errors in the words of the store. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { ArcticMemError, type ErrorCode, messageOf, systemCodeOf } from "../../core/errors.ts";

/** What one commit takes: some pages of the log, and the shared memory's next 32 KB. */
const ROOM_BYTES = 65_536;

interface Diagnosis {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

const LOCKED: Diagnosis = {
  code: "STORE_LOCKED",
  message: "the memory store is busy",
  hint: "Another process is writing to it; try again in a moment.",
};
const FULL: Diagnosis = {
  code: "STORE_FULL",
  message: "no room is left for the memory store",
  hint: "Free some disk space; what was stored before is unharmed.",
};
const DENIED: Diagnosis = {
  code: "PERMISSION_DENIED",
  message: "the memory store cannot be opened or written",
  hint: "Check the owner and the permissions of the file and of its folder.",
};
const MISPLACED: Diagnosis = {
  code: "CONFIG_INVALID",
  message: "no memory store can be kept at this path",
  hint: "Choose another path: a file in a folder that can be made.",
};
const BROKEN: Diagnosis = {
  code: "STORE_BROKEN",
  message: "the memory store is damaged or not an SQLite database",
  hint: "Nothing was deleted. Move the file away and restore the newest backup beside it.",
};
const FAILED: Diagnosis = {
  code: "STORE_BROKEN",
  message: "the disk under the memory store does not answer as it should",
  hint: "Check the disk; the file was left as it is.",
};

/** By SQLite's primary result codes, see https://www.sqlite.org/rescode.html. */
const DIAGNOSES: Readonly<Record<number, Diagnosis>> = {
  3: DENIED,
  5: LOCKED,
  6: LOCKED,
  8: DENIED,
  10: FAILED,
  11: BROKEN,
  13: FULL,
  14: DENIED,
  23: DENIED,
  26: BROKEN,
};

/**
 * @param thrown - Whatever a driver or the file system threw.
 * @param location - Path of the store, for the message.
 * @returns An `ArcticMemError` for what users can run into; a mistake in our own SQL comes back as it was.
 */
export function explainSqliteError(thrown: unknown, location: string): unknown {
  if (thrown instanceof ArcticMemError) return thrown;
  const told = DIAGNOSES[resultCodeOf(thrown) & 0xff] ?? fileDiagnosis(thrown);
  if (told === undefined) return thrown;
  const diagnosis = told === FAILED && isDiskFull(location) ? FULL : told;
  return new ArcticMemError(diagnosis.code, `${location}: ${diagnosis.message} (${messageOf(thrown)})`, {
    hint: diagnosis.hint,
    cause: thrown,
  });
}

/** On a full disk SQLite may fail to grow its shared memory, and then only speaks of an I/O error. */
function isDiskFull(location: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(location));
    return bavail * bsize < ROOM_BYTES;
  } catch {
    return false; // a disk that does not even tell its size is broken, not full
  }
}

/** node:sqlite says `errcode`, libsql `rawCode`, or only a number at the end of the message when a file won't open. */
function resultCodeOf(thrown: unknown): number {
  if (typeof thrown !== "object" || thrown === null) return 0;
  if ("errcode" in thrown && typeof thrown.errcode === "number") return thrown.errcode;
  if ("rawCode" in thrown && typeof thrown.rawCode === "number") return thrown.rawCode;
  return Number(/^ConnectionFailed\(.*: (\d+)"\)$/s.exec(messageOf(thrown))?.[1] ?? 0);
}

function fileDiagnosis(thrown: unknown): Diagnosis | undefined {
  const code = systemCodeOf(thrown);
  if (["EACCES", "EPERM", "EROFS"].includes(code)) return DENIED;
  if (["ENOSPC", "EDQUOT"].includes(code)) return FULL;
  return ["EISDIR", "ENOTDIR", "EEXIST", "ENOENT", "ENAMETOOLONG", "ELOOP"].includes(code) ? MISPLACED : undefined;
}
