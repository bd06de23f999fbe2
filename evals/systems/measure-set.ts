/** One set and every system: loaded once, asked with each setting in turn. */
import type { Embedder, RetrievalSettings } from "../../src/internals.ts";
import { type EvalQuery, type EvalSet, mainQueries } from "../datasets/eval-set.ts";
import { type Scores, scoreRanking } from "../score/metrics.ts";
import { OURS, type SetResult, type SystemResult } from "../score/set-result.ts";
import { type LoadedSet, loadSet } from "./arcticmem.ts";
import { stockFts5 } from "./stock-fts5.ts";
import type { System, TimedSystem } from "./system.ts";
import { ablations, baselines, type Variant } from "./variants.ts";
import { serveOtherVectors } from "./vector-rules.ts";
import { grepMatch, okapi } from "./word-baselines.ts";

export interface MeasureOptions {
  readonly embedder: Embedder | undefined;
  readonly asFacts: boolean;
  /** Those that are shipped, or another fusion of them. */
  readonly settings: RetrievalSettings;
  /** Whether `settings` are those in force, so that the search is left to choose them itself. */
  readonly isShipped: boolean;
  readonly ablate: boolean;
  readonly tell: (line: string) => void;
}

export async function measureSet(set: EvalSet, options: MeasureOptions): Promise<SetResult> {
  const { embedder, asFacts, settings, tell } = options;
  const unit = asFacts ? "fact" : "chunk";
  const loaded = await loadSet(set, { embedder, asFacts });
  try {
    tell(`${set.name}: ${set.documents.length} documents as ${unit}s in ${(loaded.loadMs / 1_000).toFixed(1)} s`);
    for (const query of set.queries) embedder?.embedQuery?.(query.text);
    const failures: string[] = [];
    const run = (system: System): Promise<SystemResult> => runSystem(set, system, failures);
    const results = [await run(grepMatch(set)), await run(await stockFts5(set)), await run(okapi(set))];
    for (const variant of baselines(settings)) results.push(await runVariant(variant, { set, loaded, options, run }));
    const ours = await run(loaded.system(OURS, options.isShipped ? {} : { settings }));
    results.push(ours);
    for (const variant of options.ablate ? ablations(settings) : []) {
      const { name: system } = variant;
      const canChange = variant.unit === undefined || variant.unit === unit;
      results.push(canChange ? await runVariant(variant, { set, loaded, options, run }) : { ...ours, system });
    }
    const main = mainQueries(set);
    return {
      set: set.name,
      unit,
      documents: set.documents,
      queries: main,
      apart: set.queries.filter((query) => !main.includes(query)),
      results,
      loadMs: loaded.loadMs,
      remarks: [...set.remarks, ...refusals(loaded), ...new Set(failures)],
    };
  } finally {
    await loaded.close();
  }
}

interface VariantRun {
  readonly set: EvalSet;
  readonly loaded: LoadedSet;
  readonly options: MeasureOptions;
  readonly run: (system: System) => Promise<SystemResult>;
}

async function runVariant(variant: Variant, { loaded, options, run }: VariantRun): Promise<SystemResult> {
  const { name, isBlind = false, vectors } = variant;
  const { embedder } = options;
  if (isBlind) return run(loaded.system(name, { embedder: null, settings: variant.settings }));
  const settings = variant.settings ?? options.settings;
  if (vectors === undefined || embedder === undefined) return run(loaded.system(name, { settings }));
  const others = await serveOtherVectors(loaded.store, embedder, vectors);
  try {
    return await run(loaded.system(name, { settings, embedder: others.embedder }));
  } finally {
    await others.restore();
  }
}

/** Projects one after the other, so that few are open at once. A search that fails has found nothing, and is told of. */
async function runSystem(
  { queries }: EvalSet,
  system: System & Partial<TimedSystem>,
  failures: string[],
): Promise<SystemResult> {
  const ranked = new Map<EvalQuery, readonly string[]>();
  const scores = new Map<EvalQuery, Scores>();
  for (const query of queries.toSorted((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0))) {
    const ids = await system.rank(query).catch((thrown) => {
      failures.push(`${system.name} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return [];
    });
    ranked.set(query, ids);
    scores.set(query, scoreRanking(ids, query.rel));
  }
  return { system: system.name, scores, ranked, answered: system.answered, searchMs: system.searchMs ?? [] };
}

function refusals({ refused }: LoadedSet): string[] {
  return [...refused].map(([reason, count]) => `${count} documents are not kept: ${reason}`);
}
