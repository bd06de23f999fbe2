/** One place for what says the same: only the best of near-duplicates is shown. */
import type { SearchHit } from "../../core/query.ts";
import { sameClaimSets } from "../../text/claims.ts";
import { jaccard, wordShingles } from "../../text/shingles.ts";

/** Share of three-word runs from which two notes are one note in other words. */
const ALIKE = 0.7;

/**
 * Keeps the first of each group of hits that say the same. Facts must agree in all that decides a claim (numbers,
 * negations, names), else they stay apart however alike they read; chunks must be equal.
 */
export function collapseDuplicates<Hit extends SearchHit>(hits: readonly Hit[]): Hit[] {
  const kept: { readonly hit: Hit; readonly shingles: ReadonlySet<string> }[] = [];
  for (const hit of hits) {
    const shingles = hit.unit === "fact" ? wordShingles(hit.memory.content) : new Set<string>();
    if (!kept.some((earlier) => isDuplicate(earlier.hit, hit, jaccard(earlier.shingles, shingles)))) {
      kept.push({ hit, shingles });
    }
  }
  return kept.map(({ hit }) => hit);
}

function isDuplicate(a: SearchHit, b: SearchHit, alike: number): boolean {
  if (a.unit === "chunk" || b.unit === "chunk") {
    return a.unit === "chunk" && b.unit === "chunk" && a.chunk.contentHash === b.chunk.contentHash;
  }
  if (a.memory.supersededBy === b.memory.id || b.memory.supersededBy === a.memory.id) return false;
  return alike >= ALIKE && sameClaimSets(a.memory.content, b.memory.content);
}
