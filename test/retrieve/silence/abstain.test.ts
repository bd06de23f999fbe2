import { describe, expect, it } from "vitest";
import { type Evidence, survivalReasons } from "../../../src/retrieve/silence/abstain.ts";

const thresholds = { trigger: 0.5, body: 0.4, piece: 0.3, coverage: 0.6, coverageAlone: 0.3 };
const nothing: Evidence = { trigger: 0.1, body: 0.1, isPiece: false, coverage: 0.1, rareSymbol: false };
const reasons = (evidence: Partial<Evidence>) => survivalReasons({ ...nothing, ...evidence }, thresholds);

describe("survivalReasons", () => {
  it("finds no reason to show what is near in nothing", () => {
    expect(reasons({})).toEqual([]);
  });

  it.each([
    ["trigger", { trigger: 0.5 }, "trigger 0.50"],
    ["body", { body: 0.4 }, "meaning 0.40"],
    ["body, of a piece of a file,", { body: 0.3, isPiece: true }, "meaning 0.30"],
    ["words", { coverage: 0.6 }, "words 60%"],
    ["rare symbol", { rareSymbol: true }, "rare symbol"],
  ])("shows what its %s alone speaks for", (_, evidence, reason) => {
    expect(reasons(evidence)).toEqual([reason]);
  });

  it("asks less of the words where no vector can speak", () => {
    expect(reasons({ coverage: 0.4 })).toEqual([]);
    expect(reasons({ coverage: 0.4, trigger: undefined, body: undefined })).toEqual(["words 40%"]);
  });
});
