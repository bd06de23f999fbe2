/** The tables of an eval run, as markdown that also reads well in a terminal. */
import type { JudgedPairs } from "../systems/contradictions.ts";
import { TEXT_ARMS_ONLY, VECTORS_ALONE, WORDS_ALONE } from "../systems/variants.ts";
import { answerScores, type Silence } from "./answers.ts";
import { contradictionScores } from "./contradiction-scores.ts";
import { type Metric, mean, meanScores, pairedBootstrap, quantile } from "./metrics.ts";
import { categoriesOf, OURS, partsOf, REFERENCE, resultOf, type SetResult, scoresOf } from "./set-result.ts";

const ARMS = [WORDS_ALONE, VECTORS_ALONE];

const figure = (value: number): string => value.toFixed(3);
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** One metric: systems by sets, with the mean over sets. */
export function metricTable(sets: readonly SetResult[], metric: Metric): string {
  const systems = sets[0]?.results.map(({ system }) => system) ?? [];
  const rows = systems.map((system) => {
    const values = sets.map((set) => meanScores(scoresOf(set, system))[metric]);
    return [system, ...values.map(figure), figure(mean(values))];
  });
  return table([metric, ...sets.map(({ set }) => set), "mean"], rows);
}

export interface Comparison {
  readonly set: string;
  readonly metric: Metric;
  readonly ours: number;
  readonly over: Readonly<Record<string, ReturnType<typeof pairedBootstrap>>>;
  readonly betterArm: string;
}

/** Against BM25 and against the better of our own arms, each with the interval of a paired bootstrap. */
export function comparisonsOf(sets: readonly SetResult[]): Comparison[] {
  return sets.flatMap((set) =>
    (["nDCG@10", "R@5", "MRR@10"] as const).map((metric): Comparison => {
      const values = (system: string): number[] => scoresOf(set, system).map((scores) => scores[metric]);
      const [first = "", second = ""] = ARMS;
      const betterArm = mean(values(second)) > mean(values(first)) ? second : first;
      const ours = values(OURS);
      const over = [REFERENCE, betterArm].map((system) => [system, pairedBootstrap(ours, values(system))] as const);
      return { set: set.set, metric, ours: mean(ours), over: Object.fromEntries(over), betterArm };
    }),
  );
}

export function comparisonTable(sets: readonly SetResult[]): string {
  const interval = (difference: Comparison["over"][string] | undefined): string =>
    difference === undefined
      ? ""
      : `${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}]`;
  const rows = comparisonsOf(sets).map(({ set, metric, ours, over, betterArm }) => [
    set,
    metric,
    figure(ours),
    interval(over[REFERENCE]),
    interval(over[betterArm]),
    betterArm,
  ]);
  return table(["set", "metric", OURS, `over ${REFERENCE} [95%]`, "over the better arm [95%]", "which is"], rows);
}

const IN_PARTS = ["R@1", "R@3", "R@5", "nDCG@10", "MRR@10"] as const satisfies readonly Metric[];

/** Systems on each half, for sets that have halves. */
export function halvesTable(sets: readonly SetResult[]): string {
  const rows = sets.flatMap((set) => {
    const parts = partsOf(set.queries).slice(1);
    if (parts.length === 0) return [];
    return [REFERENCE, ...ARMS, TEXT_ARMS_ONLY, OURS].map((system) => [
      set.set,
      system,
      ...(["R@3", "R@5", "nDCG@10"] as const).flatMap((metric) =>
        parts.map(({ has }) => figure(meanScores(scoresOf(set, system, set.queries.filter(has)))[metric])),
      ),
    ]);
  });
  const halves = partsOf(sets.flatMap(({ queries }) => queries))
    .slice(1)
    .map(({ name }) => name);
  const heads = ["R@3", "R@5", "nDCG@10"].flatMap((metric) => halves.map((name) => `${metric} ${name}`));
  return rows.some((cells) => cells.length !== heads.length + 2) ? "" : table(["set", "system", ...heads], rows);
}

/** One system's figures by category, those that are reported apart included; with the halves where there are any. */
export function categoryTable(sets: readonly SetResult[], system: string = OURS): string {
  const rows = sets.flatMap((set) => {
    const queries = [...set.queries, ...set.apart].filter(({ rel }) => Object.keys(rel).length > 0);
    const parts = partsOf(queries);
    return categoriesOf(queries).map(({ name, has }) => {
      const asked = queries.filter(has);
      const byPart = parts.map((part) => meanScores(scoresOf(set, system, asked.filter(part.has))));
      const cell = (metric: Metric): string => {
        const [all = "", ...halves] = byPart.map((scores) => figure(scores[metric]));
        return halves.length === 0 ? all : `${all} (${halves.join(" / ")})`;
      };
      return [set.set, name, String(asked.length), ...IN_PARTS.map(cell)];
    });
  });
  return table([`${system}: set`, "category", "queries", ...IN_PARTS], rows);
}

export function answerTable(sets: readonly SetResult[]): string {
  const silent = ({ queries, silent: count }: Silence): string => (queries === 0 ? "" : `${count} of ${queries}`);
  const rows = sets.flatMap((set) =>
    answerScores(set).map((scores) => [
      set.set,
      scores.part,
      figure(scores.precision),
      figure(scores.recall),
      scores.returned.toFixed(2),
      String(scores.forbidden.length),
      String(scores.outdatedFirst.length),
      silent(scores.unanswerable),
      Object.entries(scores.byKind)
        .map(([kind, of]) => `${kind} ${silent(of)}`)
        .join(", "),
    ]),
  );
  const head = [
    "set",
    "queries",
    "precision",
    "recall",
    "returned",
    "with what is forbidden",
    "outdated above current",
  ];
  return table([...head, "unanswerable: silent", "by kind"], rows);
}

export function contradictionTable(judged: readonly JudgedPairs[]): string {
  const share = (value: number | null): string => (value === null ? "" : figure(value));
  const rows = judged.flatMap(({ set, pairs }) =>
    contradictionScores(pairs).map(({ part, of, real, precision, recall, falseAlarms }) => [
      set,
      part,
      String(of),
      String(real),
      share(precision),
      share(recall),
      String(falseAlarms.length),
    ]),
  );
  return table(["set", "pairs", "of", "real", "precision", "recall", "false alarms"], rows);
}

export function latencyTable(sets: readonly SetResult[]): string {
  const rows = sets.map((set) => {
    const times = resultOf(set, OURS)?.searchMs ?? [];
    return [
      set.set,
      set.unit,
      String(set.documents.length),
      String(set.queries.length + set.apart.length),
      String(new Set(set.documents.map(({ group }) => group)).size),
      (set.loadMs / 1_000).toFixed(1),
      quantile(times, 0.5).toFixed(2),
      quantile(times, 0.95).toFixed(2),
    ];
  });
  const head = ["set", "unit", "documents", "queries", "groups", "loaded in, s"];
  return table([...head, "search without the model p50, ms", "p95, ms"], rows);
}
