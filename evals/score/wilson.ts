/** Rates with the interval in which the true one lies: few cases say little, and a table has to show it. */
import { wilsonLow } from "../../src/internals.ts";

export interface Rate {
  readonly hits: number;
  readonly of: number;
  /** `null` where there was nothing to count. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** 95%, by Wilson's score interval: holds for few cases and for rates near 0 and 1. */
export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: null, low: null, high: null };
  const [low, high] = [wilsonLow(hits, of), 1 - wilsonLow(of - hits, of)];
  return { hits, of, rate: hits / of, low: Math.max(0, low), high: Math.min(1, high) };
}

/** `12% (4–30%, 3 of 25)`. */
export function showRate({ hits, of, rate, low, high }: Rate): string {
  if (rate === null || low === null || high === null) return "– (0 cases)";
  const percent = (value: number): string => (value * 100).toFixed(0);
  return `${percent(rate)}% (${percent(low)}–${percent(high)}%, ${hits} of ${of})`;
}
