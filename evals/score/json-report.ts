/** All that a run measured, for programs: what the tables say and what stands behind them. */
import type { EvalQuery } from "../datasets/eval-set.ts";
import type { JudgedPairs } from "../systems/contradictions.ts";
import { type AnswerScores, answerScores } from "./answers.ts";
import { type ContradictionScores, contradictionScores } from "./contradiction-scores.ts";
import { meanScores, quantile, type Scores } from "./metrics.ts";
import { categoriesOf, OURS, partsOf, resultOf, type SetResult, type SystemResult, scoresOf } from "./set-result.ts";
import { type Comparison, comparisonsOf } from "./table.ts";

const SHOWN = 10;

export interface SystemJson {
  readonly system: string;
  /** By `all` and half. */
  readonly scores: Readonly<Record<string, Scores>>;
  readonly categories: Readonly<Record<string, Readonly<Record<string, Scores & { readonly queries: number }>>>>;
  readonly searchMs: { readonly p50: number; readonly p95: number } | null;
}

export interface SetJson {
  readonly set: string;
  readonly unit: SetResult["unit"];
  readonly documents: number;
  readonly queries: number;
  readonly apart: number;
  readonly loadMs: number;
  readonly remarks: readonly string[];
  readonly systems: readonly SystemJson[];
  readonly comparisons: readonly Comparison[];
  readonly answers: readonly AnswerScores[];
  /** Ours, one by one: ten documents each. */
  readonly asked: readonly (Pick<EvalQuery, "id" | "cat" | "split"> & {
    readonly scores: Scores | null;
    readonly ranked: readonly string[];
  })[];
}

export function setJson(set: SetResult): SetJson {
  const ours = resultOf(set, OURS);
  return {
    set: set.set,
    unit: set.unit,
    documents: set.documents.length,
    queries: set.queries.length,
    apart: set.apart.length,
    loadMs: Math.round(set.loadMs),
    remarks: set.remarks,
    systems: set.results.map((result) => systemJson(set, result)),
    comparisons: comparisonsOf([set]),
    answers: answerScores(set),
    asked: [...set.queries, ...set.apart].map((query) => ({
      id: query.id,
      cat: query.cat,
      ...(query.split === undefined ? {} : { split: query.split }),
      scores: ours?.scores.get(query) ?? null,
      ranked: (ours?.ranked.get(query) ?? []).slice(0, SHOWN),
    })),
  };
}

function systemJson(set: SetResult, { system, searchMs }: SystemResult): SystemJson {
  const asked = [...set.queries, ...set.apart].filter(({ rel }) => Object.keys(rel).length > 0);
  const byPart = <Of>(queries: readonly EvalQuery[], of: (part: readonly EvalQuery[]) => Of): Record<string, Of> =>
    Object.fromEntries(partsOf(queries).map(({ name, has }) => [name, of(queries.filter(has))]));
  const scored = (queries: readonly EvalQuery[]): Scores & { readonly queries: number } => {
    return { ...meanScores(scoresOf(set, system, queries)), queries: queries.length };
  };
  return {
    system,
    scores: byPart(set.queries, scored),
    categories: Object.fromEntries(
      categoriesOf(asked).map(({ name, has }) => [name, byPart(asked.filter(has), scored)]),
    ),
    searchMs: searchMs.length === 0 ? null : { p50: quantile(searchMs, 0.5), p95: quantile(searchMs, 0.95) },
  };
}

export interface ContradictionsJson {
  readonly set: string;
  readonly scores: readonly ContradictionScores[];
}

export function contradictionsJson({ set, pairs }: JudgedPairs): ContradictionsJson {
  return { set, scores: contradictionScores(pairs) };
}
