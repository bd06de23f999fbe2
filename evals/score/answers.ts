/** Whether an answer holds only what belongs there, and whether there is none where nothing is known. */
import type { EvalQuery } from "../datasets/eval-set.ts";
import { mean } from "./metrics.ts";
import { OURS, type Part, partsOf, resultOf, type SetResult } from "./set-result.ts";

/** Precision counts what a caller sees who asks for as many. */
const SEEN = 10;

export interface AnswerScores {
  /** `all`, or a half. */
  readonly part: string;
  /** Of the answerable ones; an empty answer has precision 0, documents that neither help nor harm are not counted. */
  readonly precision: number;
  readonly recall: number;
  /** Documents in an answer, on average. */
  readonly returned: number;
  /** Queries whose answer holds what is forbidden, with those documents. */
  readonly forbidden: readonly { readonly query: string; readonly documents: readonly string[] }[];
  /** Queries with a superseded document above the one that took its place. */
  readonly outdatedFirst: readonly string[];
  readonly unanswerable: Silence;
  /** Unanswerable ones by how near to the field they ask. */
  readonly byKind: Readonly<Record<string, Silence>>;
}

export interface Silence {
  readonly queries: number;
  readonly silent: number;
  /** Those that were answered all the same. */
  readonly answered: readonly string[];
}

/** For sets of facts, and those that ask for what is not there. None for others. */
export function answerScores(set: SetResult, system: string = OURS): AnswerScores[] {
  const asked = [...set.queries, ...set.apart];
  const judged = asked.some(({ forbidden, rel }) => forbidden !== undefined || isEmpty(rel));
  if (set.unit !== "fact" && !judged) return [];
  return partsOf(asked).map((part) => scoresOfPart(set, system, part));
}

const isEmpty = (rel: EvalQuery["rel"]): boolean => Object.keys(rel).length === 0;

function scoresOfPart(set: SetResult, system: string, { name, has }: Part): AnswerScores {
  const { ranked, answered } = resultOf(set, system) ?? {};
  const seen = (query: EvalQuery): readonly string[] =>
    (ranked?.get(query) ?? []).slice(0, Math.min(SEEN, answered?.get(query) ?? SEEN));
  const queries = set.queries.filter(has);
  const silent = set.apart.filter((query) => has(query) && isEmpty(query.rel));
  const found = (query: EvalQuery): number => seen(query).filter((id) => id in query.rel).length;
  const counted = (query: EvalQuery): number => seen(query).filter((id) => !query.neutral?.includes(id)).length;
  const kinds = [...new Set(silent.flatMap(({ kind }) => kind ?? []))].sort();
  const silence = (of: readonly EvalQuery[]): Silence => {
    const answered = of.filter((query) => seen(query).length > 0).map(({ id }) => id);
    return { queries: of.length, silent: of.length - answered.length, answered };
  };
  return {
    part: name,
    precision: mean(queries.map((query) => found(query) / Math.max(1, counted(query)))),
    recall: mean(queries.map((query) => found(query) / Object.keys(query.rel).length)),
    returned: mean(queries.map((query) => seen(query).length)),
    forbidden: [...queries, ...silent].flatMap((query) => {
      const documents = seen(query).filter((id) => query.forbidden?.includes(id));
      return documents.length === 0 ? [] : [{ query: query.id, documents }];
    }),
    outdatedFirst: queries
      .filter((query) => hasOutdatedFirst(set, query, ranked?.get(query) ?? []))
      .map(({ id }) => id),
    unanswerable: silence(silent),
    byKind: Object.fromEntries(kinds.map((kind) => [kind, silence(silent.filter((query) => query.kind === kind))])),
  };
}

/** By the successor that the set names; where it names none, by any relevant document that holds now. */
function hasOutdatedFirst({ documents }: SetResult, query: EvalQuery, ranked: readonly string[]): boolean {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return ranked.some((id, at) => {
    const document = byId.get(id);
    if (document?.status !== "superseded") return false;
    const below = ranked.slice(at + 1);
    if (document.successor !== undefined) return below.includes(document.successor);
    return !(id in query.rel) && below.some((other) => other in query.rel && byId.get(other)?.status !== "superseded");
  });
}
