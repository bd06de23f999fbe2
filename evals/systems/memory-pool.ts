/** Memories of one home, one a project, a few open at a time: a set may have hundreds of projects. */
import type { Embedder, Memory } from "../../src/index.ts";
import { keptOpen } from "./kept-open.ts";

const MOST_OPEN = 8;

export class MemoryPool {
  readonly #open: (group: string, embedder: Embedder | null) => Promise<Memory>;
  /** The one used longest ago first. */
  readonly #memories = new Map<string, Memory>();

  constructor(open: (group: string, embedder: Embedder | null) => Promise<Memory>) {
    this.#open = open;
  }

  async get(group: string, embedder: Embedder | null): Promise<Memory> {
    const key = JSON.stringify([embedder?.fingerprint ?? null, group]);
    const memory = this.#memories.get(key) ?? (await this.#open(group, embedder === null ? null : keptOpen(embedder)));
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    const [[oldest, unused] = []] = this.#memories;
    if (this.#memories.size > MOST_OPEN && oldest !== undefined) {
      this.#memories.delete(oldest);
      await unused?.[Symbol.asyncDispose]();
    }
    return memory;
  }

  async close(): Promise<void> {
    const open = [...this.#memories.values()];
    this.#memories.clear();
    for (const memory of open) await memory[Symbol.asyncDispose]();
  }
}
