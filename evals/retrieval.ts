/**
 * Retrieval quality on sets in the kit's format, beside baselines in the same run.
 *
 *   npm run eval:retrieval -- --data <folder> [--data …] [--set a,b] [--facts set,…] [--short] [--embedder minilm|none]
 *     [--fusion min-max|rrf] [--split dev|test] [--ablate] [--out <folder>] [--cache <folder>] [--results <file>]
 *
 * Sets whose documents have a `status`, or that `--facts` names, are loaded as memories, others as pieces of files.
 * `--out` gets `<set>.run.jsonl` and `table.md`; `--cache` keeps vectors between runs; `--results` writes the report
 * that is committed. Nothing of the data is copied anywhere else.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Embedder,
  type FusionKind,
  MiniLmEmbedder,
  type RetrievalSettings,
  settingsFor,
} from "../src/internals.ts";
import { type EvalSet, listSets, mainQueries, readSet } from "./datasets/eval-set.ts";
import { type Scores, scoreRanking } from "./score/metrics.ts";
import {
  answerTable,
  categoryTable,
  comparisonTable,
  latencyTable,
  metricTable,
  OURS,
  type SetResult,
  type SystemResult,
} from "./score/table.ts";
import { type LoadedSet, loadSet } from "./systems/arcticmem.ts";
import { cachedEmbedder } from "./systems/cached-embedder.ts";
import { stockFts5 } from "./systems/stock-fts5.ts";
import type { System } from "./systems/system.ts";
import { ablations, baselines, fusedBy, type Variant } from "./systems/variants.ts";
import { grepMatch, okapi } from "./systems/word-baselines.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", multiple: true },
    set: { type: "string" },
    facts: { type: "string" },
    out: { type: "string" },
    cache: { type: "string" },
    results: { type: "string" },
    embedder: { type: "string", default: "minilm" },
    fusion: { type: "string" },
    split: { type: "string" },
    short: { type: "boolean", default: false },
    ablate: { type: "boolean", default: false },
  },
});

const listed = (value: string | undefined): string[] | undefined => value?.split(",").map((part) => part.trim());

function openEmbedder(): (Embedder & { save?(): void }) | undefined {
  if (options.embedder === "none") return undefined;
  if (options.embedder !== "minilm") throw new Error(`--embedder ${options.embedder}: known are minilm and none`);
  const embedder = new MiniLmEmbedder();
  return options.cache === undefined ? embedder : cachedEmbedder(embedder, options.cache);
}

function chosenSettings(embedder: Embedder | undefined): RetrievalSettings {
  const shipped = settingsFor(embedder?.fingerprint);
  if (options.fusion === undefined) return shipped;
  if (options.fusion !== "min-max" && options.fusion !== "rrf") {
    throw new Error(`--fusion ${options.fusion}: known are min-max and rrf`);
  }
  return fusedBy(shipped, options.fusion satisfies FusionKind);
}

async function runSystem(
  set: EvalSet,
  system: System & { readonly searchMs?: readonly number[] },
): Promise<SystemResult> {
  const ranked = new Map<string, readonly string[]>();
  const scores = new Map<string, Scores>();
  for (const query of set.queries) {
    const ids = await system.rank(query);
    ranked.set(query.id, ids);
    scores.set(query.id, scoreRanking(ids, query.rel));
  }
  return { system: system.name, scores, ranked, searchMs: system.searchMs ?? [] };
}

async function measureSet(set: EvalSet, embedder: Embedder | undefined): Promise<SetResult> {
  const asFacts =
    set.documents.some(({ status }) => status !== undefined) || listed(options.facts)?.includes(set.name) === true;
  const loaded = await loadSet(set, { embedder, asFacts });
  process.stderr.write(`${set.name}: ${set.documents.length} documents in ${Math.round(loaded.loadMs)} ms\n`);
  for (const query of set.queries) embedder?.embedQuery?.(query.text);
  const shipped = chosenSettings(embedder);
  const variants: Variant[] = [
    ...baselines(shipped),
    { name: OURS, settings: shipped },
    ...(options.ablate ? ablations(shipped) : []),
  ];
  const systems: System[] = [grepMatch(set), await stockFts5(set), okapi(set), ...variants.map(asSystem(loaded))];
  const results: SystemResult[] = [];
  for (const system of systems) {
    const run = await runSystem(set, system);
    results.push(run);
    if (system.name === OURS) writeRun(set, run);
  }
  await loaded.close();
  const main = mainQueries(set);
  return {
    set: set.name,
    unit: asFacts ? "fact" : "chunk",
    documents: set.documents.length,
    queries: main,
    apart: set.queries.filter((query) => !main.includes(query)),
    results,
  };
}

/** The queries of one half, where `--split` names it. */
function half(set: EvalSet): EvalSet {
  const { split } = options;
  return split === undefined ? set : { ...set, queries: set.queries.filter((query) => query.split === split) };
}

function asSystem(loaded: LoadedSet): (variant: Variant) => System {
  return ({ name, settings }) => loaded.system(name, settings);
}

function writeRun({ name }: EvalSet, { ranked }: SystemResult): void {
  if (options.out === undefined) return;
  mkdirSync(options.out, { recursive: true });
  const lines = [...ranked].map(([id, ids]) => JSON.stringify({ id, ranked: ids }));
  writeFileSync(join(options.out, `${name}.run.jsonl`), `${lines.join("\n")}\n`);
}

function headOf(embedder: Embedder | undefined): string {
  return `Embedder: ${embedder?.fingerprint ?? "none"}. Commit ${commit()}. Bootstrap seed 12345, 5,000 rounds.`;
}

function reportOf(sets: readonly SetResult[]): string {
  return [
    metricTable(sets, "nDCG@10"),
    metricTable(sets, "R@5"),
    metricTable(sets, "R@10"),
    metricTable(sets, "MRR@10"),
    comparisonTable(sets),
    answerTable(sets),
    categoryTable(sets),
    latencyTable(sets),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown"; // a packed copy has no repository
  }
}

const RESULTS_HEAD = `# Retrieval results

Generated by \`npm run eval:retrieval -- --data <folder> --data evals/datasets --ablate --results evals/RESULTS.md\`; not
edited by hand. The sets in \`dev\` are public ones that are not part of the project: only figures are published. LoCoMo is
measured on its four main categories. \`evals/datasets/README.md\` says what our own sets are.
`;

async function main(): Promise<void> {
  const folders = options.data ?? [];
  const wanted = (folder: string): string[] =>
    listSets(folder).filter((name) => listed(options.set)?.includes(name) ?? true);
  const present = folders.filter((folder) => wanted(folder).length > 0);
  for (const folder of folders) if (!present.includes(folder)) console.log(`skipped: no sets in ${folder}`);
  if (folders.length === 0) console.log("skipped: no --data folder given");
  if (present.length === 0) return;
  const embedder = openEmbedder();
  const sections: string[] = [];
  for (const folder of present) {
    const sets: SetResult[] = [];
    for (const name of wanted(folder)) {
      sets.push(await measureSet(half(readSet(folder, name, { short: options.short })), embedder));
    }
    sections.push(`## Sets in \`${basename(folder)}\``, reportOf(sets));
  }
  embedder?.save?.();
  await embedder?.close();
  const report = [headOf(embedder), ...sections].join("\n\n");
  console.log(report);
  if (options.out !== undefined) writeFileSync(join(options.out, "table.md"), `${report}\n`);
  if (options.results !== undefined) writeFileSync(options.results, `${RESULTS_HEAD}\n${report}\n`);
}

await main();
