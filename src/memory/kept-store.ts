/**
 * The store of a process that lives long. A file that another process has purged stays whole for whoever holds it open:
 * a server would go on answering from what was deleted, and lose what it is told next. So each use asks whether the file
 * is still the one that was opened.
 */
import { statSync } from "node:fs";
import type { Store } from "../store/store.ts";

interface KeptStoreOptions {
  readonly path: string;
  readonly open: () => Promise<Store>;
}

export class KeptStore {
  readonly #options: KeptStoreOptions;
  #opened: Promise<Store> | undefined;
  #file: bigint | undefined;
  /** Purged under us, and perhaps still in the middle of an answer. */
  readonly #left: Promise<Store>[] = [];

  constructor(options: KeptStoreOptions) {
    this.#options = options;
  }

  /** @throws {ArcticMemError} what opening throws; the next call tries again. */
  get(): Promise<Store> {
    if (this.#opened !== undefined && this.#file !== undefined && fileAt(this.#options.path) !== this.#file) {
      this.#left.push(this.#opened);
      this.#opened = undefined;
    }
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    const all = [...this.#left, this.#opened];
    for (const opened of all) await (await opened?.catch(() => undefined))?.close();
  }

  async #open(): Promise<Store> {
    this.#file = undefined;
    try {
      const store = await this.#options.open();
      this.#file = fileAt(this.#options.path);
      return store;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }
}

/** Tells a file from another one of the same name; 0 where there is none. */
function fileAt(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
}
