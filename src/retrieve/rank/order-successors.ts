/** A memory that was superseded never stands above the one that took its place. */
import type { MemoryId } from "../../core/ids.ts";
import type { SearchHit } from "../../core/query.ts";

/**
 * Lifts each successor to just above what it supersedes, with at least its score. Chains are followed; a loop in them,
 * which only a broken store has, is cut.
 */
export function orderSuccessors<Hit extends SearchHit>(hits: readonly Hit[]): Hit[] {
  const byId = new Map<MemoryId, Hit>();
  for (const hit of hits) if (hit.unit === "fact") byId.set(hit.memory.id, hit);
  const placed = new Set<Hit>();
  const ordered: Hit[] = [];
  const place = (hit: Hit, score: number): void => {
    if (placed.has(hit)) return;
    placed.add(hit);
    const next = hit.unit === "fact" ? hit.memory.supersededBy : null;
    const successor = next === null ? undefined : byId.get(next);
    if (successor !== undefined) place(successor, Math.max(score, hit.score));
    ordered.push(hit.score < score ? { ...hit, score } : hit);
  };
  for (const hit of hits) place(hit, hit.score);
  return ordered;
}
