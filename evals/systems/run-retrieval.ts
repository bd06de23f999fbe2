/** A whole run of the retrieval eval: folders of sets in, tables, run files and JSON out. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { MiniLmEmbedder, type RetrievalSettings, settingsFor } from "../../src/internals.ts";
import { type EvalSet, EvalSetError, findSets, readSet } from "../datasets/eval-set.ts";
import { contradictionsJson, setJson } from "../score/json-report.ts";
import { OURS, resultOf, type SetResult } from "../score/set-result.ts";
import {
  answerTable,
  categoryTable,
  comparisonTable,
  contradictionTable,
  halvesTable,
  latencyTable,
  metricTable,
} from "../score/table.ts";
import { type CachedEmbedder, cachedEmbedder } from "./cached-embedder.ts";
import { type JudgedPairs, judgeContradictions } from "./contradictions.ts";
import { measureSet } from "./measure-set.ts";
import { parseOptions, type RetrievalOptions, UsageError } from "./retrieval-options.ts";
import { fusedBy, TEXT_ARMS_ONLY } from "./variants.ts";

export interface RetrievalOutput {
  /** The report. */
  readonly print: (text: string) => void;
  /** Progress and trouble. */
  readonly tell: (line: string) => void;
}

/** @returns Exit code: 0 done, 1 where a folder or a set could not be measured, 2 misused. */
export async function runRetrieval(args: readonly string[], output: RetrievalOutput): Promise<0 | 1 | 2> {
  try {
    return await measureAll(parseOptions(args), output);
  } catch (thrown) {
    if (!(thrown instanceof UsageError || thrown instanceof EvalSetError)) throw thrown;
    output.tell(thrown.message);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

interface FolderResult {
  readonly folder: string;
  readonly sets: readonly SetResult[];
  readonly contradictions: readonly JudgedPairs[];
}

async function measureAll(options: RetrievalOptions, { print, tell }: RetrievalOutput): Promise<0 | 1> {
  const folders = options.data.map((folder) => ({ folder, ...findSets(folder) }));
  for (const { remarks } of folders) for (const remark of remarks) tell(remark);
  checkNames(options, folders);
  const embedder = openEmbedder(options);
  const results: FolderResult[] = [];
  let hasFailed = false;
  for (const { folder, names } of folders) {
    const sets: SetResult[] = [];
    for (const name of names.filter((known) => options.sets?.includes(known) ?? true)) {
      const set = await measured({ folder, name }, { options, embedder, tell });
      if (set === undefined) hasFailed = true;
      else sets.push(set);
    }
    const wanted = judgeContradictions(folder).filter(({ set }) => options.sets?.includes(set) ?? true);
    results.push({ folder, sets, contradictions: wanted });
  }
  await embedder?.close();
  const about = aboutRun(options, embedder);
  const report = [headOf(about, embedder), ...results.flatMap(sectionsOf)].filter((part) => part !== "").join("\n\n");
  print(report);
  if (options.out !== undefined) write(join(options.out, "table.md"), `${report}\n`);
  if (options.results !== undefined) write(options.results, `${RESULTS_HEAD}\n${report}\n`);
  if (options.json !== undefined) write(options.json, `${JSON.stringify(jsonOf(about, results), null, 1)}\n`);
  return hasFailed ? 1 : 0;
}

/** @throws {EvalSetError} where there is nothing to measure. @throws {UsageError} for a name that no folder has. */
function checkNames(
  { data, sets, facts }: RetrievalOptions,
  folders: readonly { readonly folder: string; readonly names: readonly string[] }[],
): void {
  const pairs = folders.flatMap(({ folder }) => judgeContradictions(folder).map(({ set }) => set));
  const names = [...folders.flatMap((found) => found.names), ...pairs];
  if (names.length === 0) throw new EvalSetError(`There is no set in ${data.join(", ")}.`);
  const unknown = [...(sets ?? []), ...facts].filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new UsageError(`There is no set ${unknown.join(", ")} in ${data.join(", ")}. There are: ${names.join(", ")}.`);
}

function openEmbedder({ embedder, cache }: RetrievalOptions): CachedEmbedder | undefined {
  return embedder === "none" ? undefined : cachedEmbedder(new MiniLmEmbedder(), cache);
}

interface RunContext {
  readonly options: RetrievalOptions;
  readonly embedder: CachedEmbedder | undefined;
  readonly tell: (line: string) => void;
}

/** Undefined where the set could not be measured; the others are measured all the same. */
async function measured(
  { folder, name }: { readonly folder: string; readonly name: string },
  { options, embedder, tell }: RunContext,
): Promise<SetResult | undefined> {
  const { facts, fusion, ablate } = options;
  try {
    const set = half(readSet(folder, name, { short: options.short }), options.split);
    for (const remark of set.remarks) tell(`${name}: ${remark}`);
    const asFacts = facts.includes(name) || set.documents.some(({ status }) => status !== undefined);
    const settings = chosenSettings(options, embedder);
    const result = await measureSet(set, {
      embedder,
      asFacts,
      settings,
      isShipped: fusion === undefined,
      ablate,
      tell,
    });
    if (options.out !== undefined) writeRun(options.out, result, set);
    return result;
  } catch (thrown) {
    tell(`${name} is not measured: ${thrown instanceof EvalSetError ? thrown.message : stackOf(thrown)}`);
    return undefined;
  } finally {
    embedder?.save();
  }
}

const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

function chosenSettings({ fusion }: RetrievalOptions, embedder: CachedEmbedder | undefined): RetrievalSettings {
  const shipped = settingsFor(embedder?.fingerprint);
  return fusion === undefined ? shipped : fusedBy(shipped, fusion);
}

/** The queries of one half, where one is asked for. */
function half(set: EvalSet, split: string | undefined): EvalSet {
  return split === undefined ? set : { ...set, queries: set.queries.filter((query) => query.split === split) };
}

/** One line a query, in the order of the file: what the kit's `score` reads. */
function writeRun(folder: string, result: SetResult, { name, queries }: EvalSet): void {
  const ranked = resultOf(result, OURS)?.ranked;
  const lines = queries.map((query) => JSON.stringify({ id: query.id, ranked: ranked?.get(query) ?? [] }));
  write(join(folder, `${name}.run.jsonl`), lines.map((line) => `${line}\n`).join(""));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, text);
}

interface AboutRun {
  readonly commit: string;
  readonly seed: number;
  readonly rounds: number;
  readonly embedder: string;
  readonly node: string;
  readonly options: RetrievalOptions;
}

function aboutRun(options: RetrievalOptions, embedder: CachedEmbedder | undefined): AboutRun {
  return {
    commit: commit(),
    seed: 12_345,
    rounds: 5_000,
    embedder: embedder?.fingerprint ?? "none",
    node: process.version,
    options,
  };
}

function headOf({ commit: at, seed, rounds, embedder, options }: AboutRun, cached: CachedEmbedder | undefined): string {
  const asked = [
    options.fusion === undefined ? "" : ` Fusion: ${options.fusion}.`,
    options.split === undefined ? "" : ` Only the half ${options.split}.`,
    options.short ? " Short queries." : "",
  ].join("");
  const times =
    cached === undefined || cached.queryMs.length === 0
      ? ""
      : ` Embedding a query: ${middle(cached.queryMs)} ms (p50).`;
  return `Embedder: ${embedder}. Commit ${at}. Bootstrap seed ${seed}, ${rounds.toLocaleString("en")} rounds.${asked}${times}`;
}

const middle = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);

/** With a plus where the package's code has changes that are not committed. */
function commit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", [...args], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    const top = git("rev-parse", "--show-toplevel");
    const isChanged = git("-C", top, "status", "--porcelain", "--", "src", "assets", "evals") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`;
  } catch {
    return "unknown"; // a packed copy has no repository
  }
}

function sectionsOf({ folder, sets, contradictions }: FolderResult): string[] {
  const remarks = sets.flatMap(({ set, remarks: odd }) => odd.map((remark) => `- ${set}: ${remark}`));
  const withLanguages = sets.filter(({ queries }) => queries.some(({ cat }) => /^same-/.test(cat)));
  const tables = [
    ...(["nDCG@10", "R@5", "R@10", "MRR@10"] as const).map((metric) =>
      sets.length === 0 ? "" : metricTable(sets, metric),
    ),
    comparisonTable(sets),
    halvesTable(sets),
    answerTable(sets),
    categoryTable(sets),
    categoryTable(withLanguages, TEXT_ARMS_ONLY),
    contradictionTable(contradictions),
    latencyTable(sets),
    remarks.join("\n"),
  ];
  return [`## Sets in \`${basename(resolve(folder))}\``, ...tables.filter((part) => part !== "")];
}

function jsonOf(about: AboutRun, results: readonly FolderResult[]): object {
  return {
    ...about,
    folders: results.map(({ folder, sets, contradictions }) => ({
      folder: basename(resolve(folder)),
      sets: sets.map(setJson),
      contradictions: contradictions.map(contradictionsJson),
    })),
  };
}

const RESULTS_HEAD = `# Retrieval results

Generated by \`npm run eval:retrieval -- --data <folder> --data evals/datasets --ablate --results evals/RESULTS.md\`; not
edited by hand. The sets in \`dev\` are public ones that are not part of the project: only figures are published. LoCoMo is
measured on its four main categories. \`evals/datasets/README.md\` says what our own sets are, \`docs/evals.md\` what the tables mean.
Facts come in through \`memory.add\`, everything else through the file indexer, and \`memory.search\` answers.
`;
