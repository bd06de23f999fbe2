/** How good a ranking is, one query at a time. Gains count as 0 or 1, as in the published figures we compare with. */

export const METRICS = ["nDCG@10", "R@1", "R@3", "R@5", "R@10", "MRR@10"] as const;
export type Metric = (typeof METRICS)[number];
export type Scores = Readonly<Record<Metric, number>>;

const DEPTH = 10;

/** @param rel - By document; all scores are 0 where it is empty. */
export function scoreRanking(ranked: readonly string[], rel: Readonly<Record<string, number>>): Scores {
  const wanted = new Set(Object.keys(rel));
  if (wanted.size === 0) return scoresOf(() => 0);
  const top = ranked.slice(0, DEPTH);
  const found = (depth: number): number => top.slice(0, depth).filter((id) => wanted.has(id)).length / wanted.size;
  const first = top.findIndex((id) => wanted.has(id));
  const gain = top.reduce((sum, id, at) => sum + (wanted.has(id) ? discount(at) : 0), 0);
  const ideal = [...wanted].slice(0, DEPTH).reduce((sum, _, at) => sum + discount(at), 0);
  return {
    "nDCG@10": gain / ideal,
    "R@1": found(1),
    "R@3": found(3),
    "R@5": found(5),
    "R@10": found(10),
    "MRR@10": first === -1 ? 0 : 1 / (first + 1),
  };
}

function scoresOf(value: (metric: Metric) => number): Scores {
  return Object.fromEntries(METRICS.map((metric) => [metric, value(metric)])) as Scores;
}

function discount(at: number): number {
  return 1 / Math.log2(at + 2);
}

export function meanScores(rows: readonly Scores[]): Scores {
  return scoresOf((metric) => mean(rows.map((row) => row[metric])));
}

/** 0 of none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export interface Difference {
  readonly mean: number;
  /** Bounds of the 95% interval. */
  readonly low: number;
  readonly high: number;
}

/** Mean of a − b with its interval, by a paired bootstrap over queries. The same seed gives the same interval. */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  { rounds = 5_000, seed = 12_345 }: { readonly rounds?: number; readonly seed?: number } = {},
): Difference {
  const differences = a.map((value, at) => value - (b[at] ?? 0));
  const random = randomFrom(seed);
  const count = differences.length;
  const means = Array.from({ length: rounds }, () => {
    let sum = 0;
    for (let draw = 0; draw < count; draw += 1) sum += differences[Math.floor(random() * count)] ?? 0;
    return sum / count;
  }).sort((x, y) => x - y);
  return {
    mean: mean(differences),
    low: means[Math.floor(rounds * 0.025)] ?? 0,
    high: means[Math.floor(rounds * 0.975)] ?? 0,
  };
}

/** mulberry32: 32 bits of state are enough for resampling. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
