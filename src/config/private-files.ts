/** Files that only their owner may read: folders 0700, files 0600, written whole or not at all. */
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { ArcticMemError, type ErrorCode, messageOf, systemCodeOf } from "../core/errors.ts";
import { given } from "../core/given.ts";

/** Mode of folders in which everybody keeps files. */
const STICKY = 0o1000;

const CODES: Readonly<Record<string, ErrorCode>> = {
  EACCES: "PERMISSION_DENIED",
  EPERM: "PERMISSION_DENIED",
  EROFS: "PERMISSION_DENIED",
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
};

const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  PERMISSION_DENIED: "Make the folder writable, or set ARCTICMEM_HOME to one that is.",
  STORE_FULL: "Free some space, or set ARCTICMEM_HOME to a folder on another disk.",
};

/**
 * Makes a folder and its parents; those that it makes belong to the owner alone, and so does the folder itself, even
 * where it was there before with wider permissions. A folder of somebody else is left as it is, and so are the home folder
 * itself and folders that all share, such as `/tmp`: our files in them are private by their own mode.
 *
 * @throws {ArcticMemError} `PERMISSION_DENIED`, `STORE_FULL`, else `FILE_UNREADABLE`.
 */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(path);
    const isOthersToo = (mode & STICKY) !== 0 || path === homedir();
    if ((mode & 0o077) !== 0 && uid === process.getuid?.() && !isOthersToo) chmodSync(path, 0o700);
  } catch (thrown) {
    throw fileError(thrown, path);
  }
}

/**
 * Replaces a file's content in one step: readers see the old text or the new, never a part.
 *
 * @throws {ArcticMemError} as `ensurePrivateFolder`; the old file is then untouched.
 */
export function writePrivateFile(path: string, text: string): void {
  ensurePrivateFolder(dirname(path));
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw fileError(thrown, path);
  }
}

/** What a failed file operation means to the user. */
export function fileError(thrown: unknown, path: string): ArcticMemError {
  const code = CODES[systemCodeOf(thrown)] ?? "FILE_UNREADABLE";
  const details = { cause: thrown, ...given({ hint: HINTS[code] }) };
  return new ArcticMemError(code, `${path}: ${messageOf(thrown)}`, details);
}
