/** What was measured on one set: every system's answer to every query, with its scores. */
import type { EvalDocument, EvalQuery } from "../datasets/eval-set.ts";
import type { Scores } from "./metrics.ts";

export interface SystemResult {
  readonly system: string;
  readonly scores: ReadonlyMap<EvalQuery, Scores>;
  /** What was returned, best first: the answer, or the titles that were named beside an answer of nothing. */
  readonly ranked: ReadonlyMap<EvalQuery, readonly string[]>;
  /** How many of these were the answer; default all. */
  readonly answered?: ReadonlyMap<EvalQuery, number> | undefined;
  /** Time of each search without the model, in ms, where it was taken. */
  readonly searchMs: readonly number[];
}

export interface SetResult {
  readonly set: string;
  readonly unit: "fact" | "chunk";
  readonly documents: readonly EvalDocument[];
  /** Those that the figures are about. */
  readonly queries: readonly EvalQuery[];
  /** Those that are reported apart. */
  readonly apart: readonly EvalQuery[];
  readonly results: readonly SystemResult[];
  readonly loadMs: number;
  /** What was odd, as sentences. */
  readonly remarks: readonly string[];
}

export const REFERENCE = "BM25 of the kit";
export const OURS = "ArcticMem";

export function resultOf(set: SetResult, system: string): SystemResult | undefined {
  return set.results.find((result) => result.system === system);
}

export function scoresOf(set: SetResult, system: string, queries: readonly EvalQuery[] = set.queries): Scores[] {
  const result = resultOf(set, system);
  return queries.flatMap((query) => result?.scores.get(query) ?? []);
}

export interface Part {
  /** `all`, or a half. */
  readonly name: string;
  readonly has: (query: { readonly split?: string }) => boolean;
}

/** The whole, and the halves where there is more than one. */
export function partsOf(queries: readonly { readonly split?: string }[]): Part[] {
  const splits = [...new Set(queries.map(({ split }) => split))].filter((split) => split !== undefined).sort();
  const halves = splits.length < 2 ? [] : splits;
  return [
    { name: "all", has: () => true },
    ...halves.map((name): Part => ({ name, has: ({ split }) => split === name })),
  ];
}

export interface Category {
  readonly name: string;
  readonly has: (query: EvalQuery) => boolean;
}

const OF_A_LANGUAGE = /^(\w+)-[a-z]{2}$/;

/** Each category, and what ends in a language also together; none where all queries are of one. */
export function categoriesOf(queries: readonly EvalQuery[]): Category[] {
  const names = [...new Set(queries.map(({ cat }) => cat))].sort();
  if (names.length < 2) return [];
  const families = [...new Set(names.flatMap((name) => OF_A_LANGUAGE.exec(name)?.[1] ?? []))];
  return [
    ...families.map((family): Category => {
      return { name: `${family}-… together`, has: ({ cat }) => OF_A_LANGUAGE.exec(cat)?.[1] === family };
    }),
    ...names.map((name): Category => ({ name, has: ({ cat }) => cat === name })),
  ];
}
