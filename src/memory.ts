/**
 * Opens the memory: builds the object graph lazily, and alone picks the adapters.
 */
import { homedir } from "node:os";
import { ArcticMemError } from "./core/errors.ts";
import type { Memory } from "./core/memory.ts";

export interface OpenMemoryOptions {
  /** Where the project is looked for; default the process's own directory. */
  readonly cwd?: string;
  /** Default: the process's own. */
  readonly environment?: { readonly home?: string; readonly variables: Readonly<Record<string, string | undefined>> };
}

/**
 * Opens lazily: no file is touched, no module of weight loaded, before the first call that needs it.
 *
 * @throws {ArcticMemError} `CONFIG_INVALID`; store errors come from the first call that needs the store.
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  throw new ArcticMemError("STORE_BROKEN", `not wired yet: ${options.cwd ?? homedir()}`);
}
