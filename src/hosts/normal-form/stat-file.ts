/** Size and time of a file, with the errors that every reader owes. */
import { stat } from "node:fs/promises";
import { ArcticMemError, messageOf } from "../../core/errors.ts";

/** @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`. */
export async function statFile(path: string): Promise<{ size: number; mtime: Date }> {
  try {
    return await stat(path);
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (isMissing) throw new ArcticMemError("FILE_NOT_FOUND", `There is no file ${path}.`, { cause });
    throw new ArcticMemError("FILE_UNREADABLE", `${path} can't be read: ${messageOf(cause)}`, { cause });
  }
}
