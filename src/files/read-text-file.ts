/** Reads a file that should be text, whoever wrote it. */
import { readFileSync } from "node:fs";

/** How much of a file is looked at to tell text from the rest, as git does. */
const PROBE_BYTES = 8000;

/** The text of a file; undefined where it is not there, not readable, or not text. */
export function readTextFile(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    return isBinary(bytes) ? undefined : decodeText(bytes);
  } catch {
    return undefined; // absent, a folder or not readable: no text for us
  }
}

/** Whether the first bytes are those of a binary file: a NUL among them. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, PROBE_BYTES).includes(0);
}

/** UTF-8 without byte order mark; what is not UTF-8 becomes replacement characters. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}
