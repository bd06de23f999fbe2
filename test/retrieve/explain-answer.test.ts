import { describe, expect, it } from "vitest";
import { explainAnswer } from "../../src/retrieve/explain-answer.ts";
import type { RankedHit } from "../../src/retrieve/rank/rank-units.ts";
import { settingsFor } from "../../src/retrieve/settings.ts";
import { aMemory } from "../support/records.ts";

const hit = (key: number, follows = true): RankedHit => ({
  unit: "fact",
  memory: aMemory(key),
  key,
  score: 1 / key,
  explanation: { arms: [], fused: 1, adjustments: {}, survivedBy: [] },
  follows,
  reserved: false,
  likeness: 0.5,
  coverage: 0,
});

const [first, second, third, fourth, fifth] = [hit(1), hit(2), hit(3), hit(4), hit(5, false)];
const uncut = [first, second, third, fourth, fifth];
const stages = {
  settings: settingsFor(undefined),
  leastShares: { fact: 0.5 },
  uncut,
  hits: [first, second, third, fifth],
  ordered: [first, second],
  shown: [first],
  unanswered: undefined,
};

describe("explainAnswer", () => {
  it("names the step that cut each hit", () => {
    expect(explainAnswer(stages).cut.map(({ hit: { key }, reason }) => [key, reason])).toEqual([
      [2, "beyond the limit"],
      [3, "says the same as a better one"],
      [4, "far behind the best"],
      [5, "not near enough"],
    ]);
  });

  it("says of all that there is no answer for certain, where that was found, but of a rare name", () => {
    const rare = { ...second, reserved: true };
    const { cut } = explainAnswer({
      ...stages,
      uncut: [first, rare],
      ordered: [rare],
      shown: [rare],
      unanswered: "why",
    });
    expect(cut.map(({ hit: { key }, reason }) => [key, reason])).toEqual([[1, "no answer for certain"]]);
  });

  it("is bounded", () => {
    const many = Array.from({ length: 100 }, (_, at) => hit(at + 10));
    expect(explainAnswer({ ...stages, uncut: many }).cut).toHaveLength(20);
  });
});
