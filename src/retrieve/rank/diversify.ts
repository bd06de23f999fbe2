/** Maximal marginal relevance: each next item is chosen for its score and for its difference from those chosen before. */
import { dot } from "../../core/vectors/dot.ts";

export interface Candidate {
  readonly score: number;
  /** Unit length; items without a vector are unlike all others. */
  readonly vector: Float32Array | undefined;
}

/** Weight of relevance against difference. Carbonell & Goldstein, SIGIR 1998, recommend 0.7 for small results. */
const RELEVANCE = 0.7;

/**
 * @param candidates - In any order; scores are scaled by the highest.
 * @param most - How many are wanted.
 * @param accepts - Whether an item may still be taken beside those chosen so far.
 * @returns In the order of choice.
 */
export function diversify<Item extends Candidate>(
  candidates: readonly Item[],
  most: number,
  accepts: (item: Item, chosen: readonly Item[]) => boolean = () => true,
): Item[] {
  const best = candidates.reduce((top, { score }) => Math.max(top, score), 0) || 1;
  const open = new Set(candidates);
  const chosen: Item[] = [];
  while (chosen.length < most) {
    let next: { readonly item: Item; readonly gain: number } | undefined;
    for (const item of open) {
      if (!accepts(item, chosen)) continue;
      const likeness = chosen.reduce((top, other) => Math.max(top, dot(item.vector, other.vector)), 0);
      const gain = (RELEVANCE * item.score) / best - (1 - RELEVANCE) * likeness;
      if (next === undefined || gain > next.gain) next = { item, gain };
    }
    if (next === undefined) break;
    open.delete(next.item);
    chosen.push(next.item);
  }
  return chosen;
}
