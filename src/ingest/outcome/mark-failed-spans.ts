/**
 * Marks what was tried and failed in a session that then succeeded, so that "X was tried and rejected because Y" can be
 * learned and X itself is not.
 */
import type { Turn } from "../../core/session.ts";
import type { SessionReading } from "./session-reading.ts";
import { familyOf, hasFailed, type ToolStep } from "./tool-steps.ts";

/** The turns, with `failedSpan` on failed calls that the same command later got right, and on work that was corrected. */
export function markFailedSpans(reading: SessionReading): readonly Turn[] {
  const failed = new Set([...correctedWork(reading), ...failedAttempts(reading.steps)]);
  if (failed.size === 0) return reading.session.turns;
  return reading.session.turns.map((turn) => (failed.has(turn.index) ? { ...turn, failedSpan: true } : turn));
}

/** Everything between a human turn and the correction that answered it. */
function correctedWork({ session: { turns }, humans }: SessionReading): number[] {
  const positions = new Map(turns.map(({ index }, position) => [index, position]));
  return humans.flatMap(({ turn, answersWork, cues }, at) => {
    const previous = humans[at - 1];
    if (!answersWork || !cues.corrects || previous === undefined) return [];
    const between = turns.slice((positions.get(previous.turn.index) ?? 0) + 1, positions.get(turn.index));
    return between.filter(({ kind }) => kind !== "event").map(({ index }) => index);
  });
}

function failedAttempts(steps: readonly ToolStep[]): number[] {
  const succeededLater = new Set<string>();
  const failed: number[] = [];
  for (const step of [...steps].reverse()) {
    const family = familyOf(step);
    if (step.result?.tool?.status === "ok") succeededLater.add(family);
    else if (hasFailed(step) && succeededLater.has(family)) failed.push(step.call.index, step.result?.index ?? -1);
  }
  return failed;
}
