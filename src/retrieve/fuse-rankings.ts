/**
 * Rank fusion. The searchers score on scales that cannot be compared (cosine, BM25, summed idf): either positions are
 * fused, or each searcher's scores are scaled to 0 … 1 first. Both are pure, and either takes any set of searchers: one
 * that is missing leaves its weight to the others.
 */
import type { Ranking } from "../core/query.ts";

export type FusionKind = "min-max" | "rrf";

export interface WeightedRanking {
  readonly ranking: Ranking;
  /** ≥ 0; only proportions matter. */
  readonly weight: number;
}

export interface FusedUnit {
  readonly key: number;
  /** 0 … 1; 1 for a unit that every searcher puts first. */
  readonly score: number;
}

/** Damping of low ranks. Cormack, Clarke & Büttcher, SIGIR 2009, use 60; our evals moved it. */
const RRF_K = 10;
/** How much of each ranking takes part: the scale of min–max depends on it. */
export const FUSED_DEPTH = 50;

/**
 * Merges rankings, at most one per searcher.
 *
 * @param k - For `rrf` only.
 * @returns Best first; equal scores keep the order in which the units were first seen.
 */
export function fuseRankings(kind: FusionKind, rankings: readonly WeightedRanking[], k: number = RRF_K): FusedUnit[] {
  const points = kind === "rrf" ? (ranking: Ranking) => rankPoints(ranking, k) : scorePoints;
  const total = rankings.reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<number, number>();
  for (const { ranking, weight } of rankings) {
    if (weight === 0) continue;
    for (const { key, score } of points(ranking)) scores.set(key, (scores.get(key) ?? 0) + (weight / total) * score);
  }
  return Array.from(scores, ([key, score]) => ({ key, score })).sort((a, b) => b.score - a.score);
}

/** Reciprocal ranks, scaled so that the first place counts 1. */
function rankPoints({ units }: Ranking, k: number): FusedUnit[] {
  return units.slice(0, FUSED_DEPTH).map(({ key }, at) => ({ key, score: (k + 1) / (k + 1 + at) }));
}

/** Scores scaled between the last one's, 0, and the best one's, 1. One hit, or all equal, count 1. */
function scorePoints({ units }: Ranking): FusedUnit[] {
  const top = units.slice(0, FUSED_DEPTH);
  const best = top[0]?.score ?? 0;
  const span = best - (top.at(-1)?.score ?? 0);
  return top.map(({ key, score }) => ({ key, score: span > 0 ? 1 - (best - score) / span : 1 }));
}
