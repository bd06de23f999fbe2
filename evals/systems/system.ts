/** What is compared: anything that ranks a set's documents for a query. */
import type { EvalQuery } from "../datasets/eval-set.ts";

export interface System {
  readonly name: string;
  /** @returns Ids of documents of the query's group, best first, without the excluded one. */
  rank(query: EvalQuery): Promise<readonly string[]>;
}

/** Ours: it takes the time of its searches, and may name what is nearest without giving it for an answer. */
export interface TimedSystem extends System {
  /** Without the model, in ms. */
  readonly searchMs: readonly number[];
  /** Of each query so far, how many of the ranked documents were the answer; the others were named after an answer of nothing. */
  readonly answered: ReadonlyMap<EvalQuery, number>;
}

/** How many results are asked for: the metrics look at ten. */
export const DEPTH = 20;
