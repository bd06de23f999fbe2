/** A memory of its own for one case: a fresh home, the case's profile, fixed ids and a clock that stands. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedder, type LanguageModel, openMemory, sha256 } from "../../../src/internals.ts";
import { keptOpen } from "../../systems/kept-open.ts";

export type EvalMemory = Awaited<ReturnType<typeof openMemory>>;

export interface CaseMemory {
  /** Seeds its ids. */
  readonly name: string;
  readonly folder: string;
  readonly profile: string;
  readonly now: Date;
  readonly embedder: Embedder | null;
  /** `null`: rules extract. */
  readonly model: LanguageModel | null;
}

/** Gives `work` a folder that is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-golden-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function openCase(of: CaseMemory): Promise<{ readonly memory: EvalMemory; readonly cwd: string }> {
  const { name, folder, profile, now, embedder, model } = of;
  const [cwd, home] = [join(folder, "work"), join(folder, "arcticmem")];
  mkdirSync(cwd);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.json"), JSON.stringify({ profile }), { mode: 0o600 });
  const variables = { HOME: folder, USERPROFILE: folder, ARCTICMEM_HOME: home, ARCTICMEM_NO_WORKER: "1" };
  const memory = await openMemory({
    cwd,
    environment: { platform: process.platform, variables },
    now: () => now,
    ids: countedIds(name),
    embedder: embedder === null ? null : keptOpen(embedder),
    languageModel: model,
  });
  return { memory, cwd };
}

function countedIds(seed: string): { next(): string } {
  let count = 0;
  return {
    next() {
      count += 1;
      return BigInt(`0x${sha256(`${seed}/${count}`).slice(0, 15)}`)
        .toString(32)
        .padStart(12, "0")
        .replace(/[ilou]/g, "z");
    },
  };
}
