/** Looking at a file before it is read, with the errors that every reader owes. */
import { open, stat } from "node:fs/promises";
import { ArcticMemError, messageOf, systemCodeOf } from "../../core/errors.ts";

/** @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`. */
export async function statFile(path: string): Promise<{ size: number; mtime: Date }> {
  try {
    return await stat(path);
  } catch (cause) {
    throw readError(path, cause);
  }
}

/**
 * The first `bytes` of a file as text, the file's whole text where it is shorter.
 *
 * @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`.
 */
export async function readHead(path: string, bytes: number): Promise<string> {
  try {
    await using file = await open(path, "r");
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (cause) {
    throw readError(path, cause);
  }
}

/** What a failed read means; an abort stays what it is. */
export function readError(path: string, cause: unknown): unknown {
  const code = systemCodeOf(cause);
  if (code === "ABORT_ERR") return cause;
  if (code === "ENOENT") {
    return new ArcticMemError("FILE_NOT_FOUND", `There is no file ${path}.`, { hint: "Check the path.", cause });
  }
  return new ArcticMemError("FILE_UNREADABLE", `${path} can't be read: ${messageOf(cause)}`, {
    hint: "It has to be a file that you may read.",
    cause,
  });
}
