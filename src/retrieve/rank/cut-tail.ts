/** Far behind the best hit is what only fills the list. Precision counts as much as recall. */
import type { RankedHit } from "./rank-units.ts";
import { tiesOf } from "./ties.ts";

/** Fused scores spread few hits over the whole scale; so near to the nearest one, a hit is its equal. */
const EQUAL = 0.9;
/** A hit that holds as many of the query's words as any other is no worse, if those are most of the words. */
const MOST_WORDS = 0.5;

/**
 * Cuts hits whose score is below a share of the best one's, unless they are as near by meaning or by words. What carries
 * a rare symbol stays, and so does what a kept memory replaced, was replaced by or contradicts: one without the other
 * would mislead.
 */
export function cutTail(hits: readonly RankedHit[], leastShare: number): RankedHit[] {
  const least = (hits[0]?.score ?? 0) * leastShare;
  const likest = Math.max(...hits.map(({ likeness }) => likeness));
  const widest = Math.max(MOST_WORDS, ...hits.map(({ coverage }) => coverage));
  const near = new Set(
    hits.filter(
      ({ score, reserved, likeness, coverage }) =>
        reserved || score >= least || likeness >= likest * EQUAL || coverage >= widest,
    ),
  );
  const names = new Set([...near].flatMap((hit) => (hit.unit === "fact" ? [hit.memory.id] : [])));
  const tied = new Set([...near].flatMap((hit) => (hit.unit === "fact" ? tiesOf(hit.memory) : [])));
  return hits.filter(
    (hit) =>
      near.has(hit) ||
      (hit.unit === "fact" && (tied.has(hit.memory.id) || tiesOf(hit.memory).some((id) => names.has(id)))),
  );
}
