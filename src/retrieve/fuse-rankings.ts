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

/** By how much a searcher's first hit leads its tenth, as a share of the first one's score, when it is sure of itself. */
export type TypicalLeads = Readonly<Partial<Record<Ranking["arm"], number>>>;

export interface FusedUnit {
  readonly key: number;
  /** 0 … 1; 1 for a unit that every searcher puts first. */
  readonly score: number;
}

/** Damping of low ranks. Cormack, Clarke & Büttcher, SIGIR 2009, use 60; our evals moved it. */
const RRF_K = 10;
/** A lead is taken from the first to this place. */
const LEAD_PLACE = 10;
/** However far ahead its first hit is, a searcher's word counts at most so many times. */
const MOST_SURE = 2.5;
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

/**
 * How far the first hit is ahead of the tenth, measured by the lead that is typical of the searcher, 0 … 2.5. A searcher
 * that cannot tell its first hits apart has little to say about a query, whatever its weight is.
 */
export function sureness({ units }: Ranking, typicalLead: number): number {
  const best = units[0]?.score ?? 0;
  if (best <= 0) return 0;
  const lead = (best - Math.max(0, units[LEAD_PLACE - 1]?.score ?? 0)) / best;
  return Math.min(MOST_SURE, lead / typicalLead);
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
