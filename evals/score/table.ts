/** The tables of an eval run, as markdown that also reads well in a terminal. */
import type { EvalQuery } from "../datasets/eval-set.ts";
import { METRICS, type Metric, meanScores, pairedBootstrap, quantile, type Scores } from "./metrics.ts";

export interface SystemResult {
  readonly system: string;
  /** By query id. */
  readonly scores: ReadonlyMap<string, Scores>;
  /** What was returned, best first, by query id. */
  readonly ranked: ReadonlyMap<string, readonly string[]>;
  /** Time of each search without the model, where it was taken. */
  readonly searchMs: readonly number[];
}

export interface SetResult {
  readonly set: string;
  readonly unit: "fact" | "chunk";
  readonly documents: number;
  /** Those that the figures are about. */
  readonly queries: readonly EvalQuery[];
  /** Those that are reported apart. */
  readonly apart: readonly EvalQuery[];
  readonly results: readonly SystemResult[];
}

const REFERENCE = "BM25 of the kit";
const ARMS = ["words alone", "vectors alone"];
export const OURS = "ArcticMem";

const figure = (value: number): string => value.toFixed(3);
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function resultOf(set: SetResult, system: string): SystemResult | undefined {
  return set.results.find((result) => result.system === system);
}

export function scoresOf(set: SetResult, system: string, queries: readonly EvalQuery[] = set.queries): Scores[] {
  const result = resultOf(set, system);
  return queries.flatMap(({ id }) => result?.scores.get(id) ?? []);
}

function valuesOf(set: SetResult, system: string, metric: Metric): number[] {
  return scoresOf(set, system).map((scores) => scores[metric]);
}

/** One metric: systems by sets, with the mean over sets. */
export function metricTable(sets: readonly SetResult[], metric: Metric): string {
  const systems = sets[0]?.results.map(({ system }) => system) ?? [];
  const rows = systems.map((system) => {
    const values = sets.map((set) => meanScores(scoresOf(set, system))[metric]);
    return [system, ...values.map(figure), figure(values.reduce((sum, value) => sum + value, 0) / values.length)];
  });
  return table([metric, ...sets.map(({ set }) => set), "mean"], rows);
}

/** Against BM25 with its interval, and against the better of our own arms. */
export function comparisonTable(sets: readonly SetResult[]): string {
  const rows = sets.flatMap((set) =>
    (["nDCG@10", "R@5", "MRR@10"] as const).map((metric) => {
      const ours = valuesOf(set, OURS, metric);
      const { mean, low, high } = pairedBootstrap(ours, valuesOf(set, REFERENCE, metric));
      const arms = ARMS.map((arm) => meanScores(scoresOf(set, arm))[metric]);
      const own = meanScores(scoresOf(set, OURS))[metric];
      return [
        set.set,
        metric,
        figure(own),
        `${signed(mean)} [${signed(low)}, ${signed(high)}]`,
        signed(own - Math.max(...arms)),
      ];
    }),
  );
  return table(["set", "metric", OURS, `over ${REFERENCE} [95%]`, "over the better arm"], rows);
}

/** Our figures by category, those that are reported apart included. */
export function categoryTable(sets: readonly SetResult[]): string {
  const rows = sets.flatMap((set) => {
    const categories = [...new Set([...set.queries, ...set.apart].map(({ cat }) => cat))].sort();
    if (categories.length < 2) return [];
    return categories.map((category) => {
      const queries = [...set.queries, ...set.apart].filter(({ cat }) => cat === category);
      const mean = meanScores(scoresOf(set, OURS, queries));
      return [set.set, category, String(queries.length), ...METRICS.map((metric) => figure(mean[metric]))];
    });
  });
  return rows.length === 0 ? "" : table(["set", "category", "queries", ...METRICS], rows);
}

/** Precision counts what a caller sees who asks for as many. */
const SEEN = 10;

/**
 * Whether an answer holds only what belongs there, and whether there is none where nothing is known. A query with an
 * empty answer has precision 0; documents that neither help nor harm are not counted.
 */
export function answerTable(sets: readonly SetResult[]): string {
  const rows = sets.flatMap((set) => {
    const ranked = resultOf(set, OURS)?.ranked ?? new Map<string, readonly string[]>();
    const seen = (query: EvalQuery): readonly string[] => (ranked.get(query.id) ?? []).slice(0, SEEN);
    const mean = (values: readonly number[]): string =>
      values.length === 0 ? "" : figure(values.reduce((sum, value) => sum + value, 0) / values.length);
    const unanswerable = set.apart.filter(({ rel }) => Object.keys(rel).length === 0);
    const judged = [...set.queries, ...unanswerable].some(({ forbidden }) => forbidden !== undefined);
    if (set.unit !== "fact" && unanswerable.length === 0 && !judged) return [];
    const found = (query: EvalQuery): number => seen(query).filter((id) => id in query.rel).length;
    const counted = (query: EvalQuery): number => seen(query).filter((id) => !query.neutral?.includes(id)).length;
    return [
      [
        set.set,
        mean(set.queries.map((query) => found(query) / Math.max(1, counted(query)))),
        mean(set.queries.map((query) => found(query) / Object.keys(query.rel).length)),
        mean(set.queries.map((query) => seen(query).length)),
        String(set.queries.filter((query) => seen(query).some((id) => query.forbidden?.includes(id))).length),
        mean(unanswerable.map((query) => (seen(query).length === 0 ? 1 : 0))),
      ],
    ];
  });
  const head = ["set", "precision", "recall", "returned", "answers with what is forbidden", "unanswerable: silent"];
  return rows.length === 0 ? "" : table(head, rows);
}

export function latencyTable(sets: readonly SetResult[]): string {
  const rows = sets.map((set) => {
    const times = resultOf(set, OURS)?.searchMs ?? [];
    return [
      set.set,
      set.unit,
      String(set.documents),
      String(set.queries.length + set.apart.length),
      quantile(times, 0.5).toFixed(2),
      quantile(times, 0.95).toFixed(2),
    ];
  });
  return table(["set", "unit", "documents", "queries", "search p50, ms", "p95, ms"], rows);
}
