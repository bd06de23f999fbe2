/** What is compared: anything that ranks a set's documents for a query. */
import type { EvalQuery } from "../datasets/eval-set.ts";

export interface System {
  readonly name: string;
  /** @returns Ids of documents of the query's group, best first, without the excluded one. */
  rank(query: EvalQuery): Promise<readonly string[]>;
}

/** One that takes the time of its searches, without the model, in ms. */
export interface TimedSystem extends System {
  readonly searchMs: readonly number[];
}

/** How many results are asked for: the metrics look at ten. */
export const DEPTH = 20;
