/** Rates with the interval in which the true one lies: few cases say little, and a table has to show it. */

export interface Rate {
  readonly hits: number;
  readonly of: number;
  /** `null` where there was nothing to count. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** 95%. */
const Z = 1.96;

/** Wilson's score interval (1927): holds for few cases and for rates near 0 and 1. */
export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: null, low: null, high: null };
  const share = hits / of;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const centre = share + Z ** 2 / (2 * of);
  const scale = 1 + Z ** 2 / of;
  return {
    hits,
    of,
    rate: share,
    low: Math.max(0, (centre - spread) / scale),
    high: Math.min(1, (centre + spread) / scale),
  };
}

/** `12% (4–30%, 3 of 25)`. */
export function showRate({ hits, of, rate, low, high }: Rate): string {
  if (rate === null || low === null || high === null) return "– (0 cases)";
  const percent = (value: number): string => (value * 100).toFixed(0);
  return `${percent(rate)}% (${percent(low)}–${percent(high)}%, ${hits} of ${of})`;
}
