/** Every reply to a decision in the corpus: what becomes of the fact and of the memory that it is about. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyDecisions } from "../../../src/ingest/lifecycle/apply-decisions.ts";
import { parseDecisions } from "../../../src/ingest/lifecycle/parse-decisions.ts";
import { decisionInput, incoming } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo } from "../../support/records.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/replies");

/** Handles 1 to 3; 2 is pinned. All say about the importer what the new fact says better, or otherwise. */
const MEMORIES = ["in autumn", "every year", "as the test shows"].map((end, at) =>
  aMemory(at + 1, {
    type: "context",
    polarity: "fact",
    title: "Gauges repeat 12 readings when the clock is set back",
    content: `The importer compares local time in window.test.ts and so repeats 12 readings, ${end}.`,
    symbols: ["window.test.ts"],
    eventAt: daysAgo(30),
    pinned: at === 1,
  }),
);
const FACT = incoming("A", {
  title: "The importer repeats 12 readings in the hour that comes twice",
  content:
    "The importer compares local time in window.test.ts and so repeats 12 readings of the hour that comes twice.",
  symbols: ["window.test.ts"],
});

/** What is applied, the guards that changed the proposal, and the memories that changed, by handle. */
type Outcome = readonly [applied: string, guards: readonly string[], changed: readonly number[]];
const UNKNOWN: Outcome = ["ADD", ["guard:unknown-target"], []];

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  "target-zero": UNKNOWN,
  "target-negative": UNKNOWN,
  "target-large": UNKNOWN,
  "target-fraction": UNKNOWN,
  "target-word": UNKNOWN,
  "target-uuid": UNKNOWN,
  "target-null": UNKNOWN,
  "target-string": ["NONE", ["guard:no-merged"], [3]],
  "lower-case": ["NONE", ["guard:no-merged"], [1]],
  "none-without-target": UNKNOWN,
  "separate-delete": ["ADD", ["guard:relation"], []],
  "delete-without-reason": ["ADD", ["guard:reason"], []],
  "delete-pinned": ["ADD", ["guard:pinned"], []],
  "two-for-one": ["NONE", ["guard:no-merged"], [1]],
  "unknown-fact": ["ADD", ["guard:no-decision"], []],
  "update-drops-number": ["ADD", ["guard:loss"], []],
  "verdict-no": ["DELETE", [], [1]],
  empty: ["ADD", ["guard:no-decision"], []],
};

function outcomeOf(name: string): Outcome {
  const text = readFileSync(join(FOLDER, `decision-${name}.txt`), "utf8");
  const proposal = parseDecisions({ text, truncated: false }) ?? null;
  const { trail, changes } = applyDecisions(decisionInput([FACT], MEMORIES, { proposal }));
  const touched = changes.flatMap((change) => (change.kind === "add" ? [] : [change.id]));
  const handles = MEMORIES.flatMap(({ id }, at) => (touched.includes(id) ? [at + 1] : []));
  return [trail[0]?.applied ?? "nothing", trail[0]?.guards ?? [], handles];
}

describe("a decision of the corpus", () => {
  it("has an outcome, each of them", () => {
    const names = readdirSync(FOLDER).flatMap((file) => /^decision-(.*)\.txt$/.exec(file)?.[1] ?? []);
    expect(Object.keys(OUTCOMES).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(OUTCOMES))("is applied or refused as it has to be: %s", (name, outcome) => {
    expect(outcomeOf(name)).toEqual(outcome);
  });
});
