/** What a long part has got through so far, on disk: a run that is stopped goes on where it was, in another sitting. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Share } from "./share.ts";

interface Saved {
  /** Names of what is done, by pass. */
  readonly done: Readonly<Record<string, readonly string[]>>;
  /** What was counted, by pass and sitting. */
  readonly shares: Readonly<Record<string, Share>>;
  readonly sittings: number;
}

export class Progress {
  readonly #path: string;
  #saved: Saved;

  /** @param key - Another one begins anew: commit and seed. */
  constructor(key: string) {
    this.#path = join(tmpdir(), `arcticmem-long-${key}.json`);
    const saved = existsSync(this.#path) ? (JSON.parse(readFileSync(this.#path, "utf8")) as Saved) : EMPTY;
    this.#saved = { ...saved, sittings: saved.sittings + 1 };
  }

  get sittings(): number {
    return this.#saved.sittings;
  }

  isDone(pass: string, name: string): boolean {
    return this.#saved.done[pass]?.includes(name) === true;
  }

  save(pass: string, name: string, share: Share): void {
    const { done, shares, sittings } = this.#saved;
    this.#saved = {
      sittings,
      done: { ...done, [pass]: [...(done[pass] ?? []), name] },
      shares: { ...shares, [`${pass} ${sittings}`]: share },
    };
    writeFileSync(this.#path, JSON.stringify(this.#saved));
  }

  shares(): Share[] {
    return Object.values(this.#saved.shares);
  }

  /** The whole is through. */
  forget(): void {
    rmSync(this.#path, { force: true });
  }
}

const EMPTY: Saved = { done: {}, shares: {}, sittings: 0 };
