/** How many of the radar's alarms are right, and how many contradictions it sees. */
import type { JudgedPair } from "../systems/contradictions.ts";
import { partsOf } from "./set-result.ts";

export interface ContradictionScores {
  /** `all`, a half, or a kind of contradiction. */
  readonly part: string;
  readonly of: number;
  readonly real: number;
  /** `null` where there was no alarm, or nothing to see. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly falseAlarms: readonly string[];
  readonly missed: readonly string[];
}

export function contradictionScores(pairs: readonly JudgedPair[]): ContradictionScores[] {
  const kinds = [...new Set(pairs.map(({ kind }) => kind))].sort();
  return [
    ...partsOf(pairs).map(({ name, has }) => scoresOf(name, pairs.filter(has))),
    ...kinds.map((kind) =>
      scoresOf(
        kind,
        pairs.filter((pair) => pair.kind === kind),
      ),
    ),
  ];
}

function scoresOf(part: string, pairs: readonly JudgedPair[]): ContradictionScores {
  const real = pairs.filter((pair) => pair.contradicts);
  const alarms = pairs.filter(({ found }) => found);
  const right = alarms.filter((pair) => pair.contradicts).length;
  return {
    part,
    of: pairs.length,
    real: real.length,
    precision: alarms.length === 0 ? null : right / alarms.length,
    recall: real.length === 0 ? null : right / real.length,
    falseAlarms: alarms.filter((pair) => !pair.contradicts).map(({ id }) => id),
    missed: real.filter(({ found }) => !found).map(({ id }) => id),
  };
}
