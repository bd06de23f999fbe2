/** Far behind the best hit is what only fills the list. Precision counts as much as recall. */
import type { RankedHit } from "./rank-units.ts";

/**
 * Cuts hits whose score is below a share of the best one's. What carries a rare symbol stays, and so does what a kept
 * memory was superseded by or contradicts: one without the other would mislead.
 */
export function cutTail(hits: readonly RankedHit[], leastShare: number): RankedHit[] {
  const least = (hits[0]?.score ?? 0) * leastShare;
  const near = hits.filter(({ score, reserved }) => reserved || score >= least);
  const tied = new Set(
    near.flatMap((hit) => (hit.unit === "fact" ? [hit.memory.supersededBy, ...hit.memory.conflictsWith] : [])),
  );
  const named = new Set(near.map((hit) => (hit.unit === "fact" ? hit.memory.id : null)));
  return hits.filter(
    (hit) =>
      near.includes(hit) ||
      (hit.unit === "fact" && (tied.has(hit.memory.id) || hit.memory.conflictsWith.some((id) => named.has(id)))),
  );
}
