/** What every bench reports, and how. A figure is the median of its runs; a baseline was measured in the same run. */

export type FigureUnit = "ms" | "MB" | "1/s" | "bytes" | "share";

export interface Figure {
  /** Kebab-case, stable: budgets and reports refer to it. */
  readonly name: string;
  readonly value: number;
  readonly unit: FigureUnit;
  /** The same unit, measured beside `value`; null where there is nothing to compare with. */
  readonly baseline: number | null;
  /** value / baseline. */
  readonly ratio: number | null;
  /** How many measurements `value` is the median of. */
  readonly runs: number;
}

export interface Measurements {
  readonly name: string;
  readonly unit: FigureUnit;
  readonly values: readonly number[];
  readonly baseline?: readonly number[];
}

/** Middle value; of an even number the lower one of the two. @throws {RangeError} without values. */
export function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
  if (middle === undefined) throw new RangeError("no values to take a median of");
  return middle;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** A figure out of raw measurements. */
export function toFigure({ name, unit, values, baseline }: Measurements): Figure {
  const value = median(values);
  const base = baseline === undefined ? null : median(baseline);
  return {
    name,
    value: round(value),
    unit,
    baseline: base === null ? null : round(base),
    ratio: base === null ? null : round(value / base),
    runs: values.length,
  };
}

/** One line a figure: a JSON object with `--json`, else for people. */
export function renderFigures(figures: readonly Figure[], json: boolean): string {
  const lines = figures.map((figure) => {
    if (json) return JSON.stringify(figure);
    const compared = figure.baseline === null ? "" : `  (beside ${figure.baseline} ${figure.unit}: × ${figure.ratio})`;
    return `${figure.name.padEnd(36)}${String(figure.value).padStart(9)} ${figure.unit}${compared}`;
  });
  return `${lines.join("\n")}\n`;
}
