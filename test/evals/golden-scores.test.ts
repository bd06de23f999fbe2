import { describe, expect, it } from "vitest";
import { type Expected, type GoldenCase, readGolden } from "../../evals/datasets/golden.ts";
import { findingsOf, scoreExtraction } from "../../evals/golden/extraction-score.ts";
import {
  judgeOrder,
  judgeSeeds,
  type LifecycleScore,
  type OrderFinding,
  type SeedFinding,
  scoreLifecycle,
} from "../../evals/golden/lifecycle-score.ts";
import { isUnwanted, isWanted } from "../../evals/golden/match-facts.ts";
import { readOptions } from "../../evals/golden/options.ts";
import { judgeOutcomes, scoreOutcome } from "../../evals/golden/outcome-score.ts";
import { buildReport, printReport } from "../../evals/golden/report.ts";
import type { CaseRun } from "../../evals/golden/run/run-case.ts";
import type { SequenceRun } from "../../evals/golden/run/run-sequence.ts";
import { SEQUENCES } from "../../evals/golden/run/sequences.ts";
import { type Serving, servingOf } from "../../evals/golden/run/served.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { IngestReport } from "../../src/core/report.ts";
import type { OutcomeLabel } from "../../src/core/session.ts";
import { aMemory } from "../support/records.ts";

const wanted = (words: string[], more = {}) => ({
  id: words.join(),
  type: "lesson" as const,
  symbols: [],
  words,
  ...more,
});
const unwanted = (words: string[], more = {}) => ({ words, symbols: [], reason: "no", ...more });

function goldenWith(fields: Partial<Expected>): GoldenCase {
  const [first] = readGolden();
  if (first === undefined) throw new Error("the golden set is empty");
  const { lifecycle: _, grows: __, outcomeAlso: ___, ...plain } = first.expected;
  const none = { mustHave: [], mayHave: [], mustNotHave: [] };
  return { ...first, expected: { ...plain, ...none, ...fields } };
}

function reportWith(label: OutcomeLabel, rejections: readonly string[] = []): IngestReport {
  return {
    outcome: { label, score: 3, evidence: "user", signals: [], reason: null },
    rejections: rejections.map((rule) => ({ rule, title: "", detail: "" })),
    result: { kind: "facts" },
  } as unknown as IngestReport;
}

function runWith(expected: Partial<Expected>, fields: Partial<CaseRun> = {}): CaseRun {
  return {
    golden: goldenWith(expected),
    mode: "rules",
    repeat: 1,
    reports: [reportWith("success")],
    facts: [],
    grounded: [],
    seeds: new Map(),
    experience: { unconfirmed: [], shown: [], shownConfirmed: [] },
    ...fields,
  };
}

describe("matching a fact", () => {
  const fact = aMemory(1, {
    title: "Amounts never go through float64",
    content: "Use int64 Minor units.",
    why: "RoundToEven failed",
  });

  it("takes any wording that holds the stems, alternatives and symbols", () => {
    expect(isWanted(fact, wanted(["minor|cent", "amount"], { symbols: ["INT64"] }))).toBe(true);
    expect(isWanted(fact, wanted(["dollar"]))).toBe(false);
  });

  it("wants one of the types that are right", () => {
    expect(isWanted(fact, wanted(["amount"], { type: "pointer" }))).toBe(false);
    expect(isWanted(fact, wanted(["amount"], { type: "pointer", anyOf: ["pointer", "lesson"] }))).toBe(true);
  });

  it("forbids claims, not the telling of why something was rejected", () => {
    expect(isUnwanted(fact, unwanted(["roundtoeven"]))).toBe(false);
    expect(isUnwanted(fact, unwanted(["roundtoeven"], { anywhere: true }))).toBe(true);
    expect(isUnwanted(fact, unwanted(["float64"], { unlessWords: ["never"] }))).toBe(false);
  });

  it("forbids some things to trusted memories only", () => {
    const provisional = { ...fact, status: "provisional" as const };
    expect(isUnwanted(fact, unwanted(["float64"], { trustedOnly: true }))).toBe(true);
    expect(isUnwanted(provisional, unwanted(["float64"], { trustedOnly: true }))).toBe(false);
  });
});

describe("the score of extraction", () => {
  const expected = {
    mustHave: [wanted(["alpha"]), wanted(["beta"])],
    mayHave: [wanted(["gamma"])],
    mustNotHave: [unwanted(["poison"])],
  };
  const facts = ["alpha", "alpha again", "gamma", "poison"].map((title, at) => aMemory(at, { title, content: title }));

  it("counts found, missing, allowed, extra, forbidden and repeated facts", () => {
    const run = runWith(expected, {
      facts,
      grounded: [true, true, true, false],
      reports: [reportWith("success", ["R5"])],
    });
    const score = scoreExtraction([run]);
    expect(score.recall).toMatchObject({ hits: 1, of: 2 });
    expect(score.precision).toMatchObject({ hits: 3, of: 4 });
    expect(score.harmful).toMatchObject({ hits: 1, of: 4 });
    expect(score.omission).toMatchObject({ hits: 1, of: 2 });
    expect(score.grounded).toMatchObject({ hits: 3, of: 4 });
    expect(score.duplicatesPer100).toBe(25);
    expect(score.junkByRule.R5).toMatchObject({ hits: 1, of: 5 });
    expect(score.f1).toBeCloseTo(0.6, 5);
    expect(findingsOf(run)).toMatchObject({ found: ["alpha"], missing: ["beta"], extra: ["poison"] });
  });

  it("counts every fact of a session with nothing worth keeping as a false one", () => {
    const score = scoreExtraction([runWith({}, { facts: facts.slice(0, 2), grounded: [true, true] }), runWith({})]);
    expect(score.nullFacts).toBe(2);
    expect(score.nullCasesWithFacts).toMatchObject({ hits: 1, of: 2 });
  });
});

describe("the score of the lifecycle", () => {
  const expectations = [
    { seed: "gone", becomes: "superseded" as const },
    { seed: "kept", becomes: "unchanged" as const },
    { seed: "told", becomes: "unchanged" as const, seenAgain: true },
    { seed: "finer", becomes: "updated" as const, words: ["20"] },
  ];
  const before = aMemory(1);
  const run = (after: Partial<Record<string, object>>, served: Partial<Record<string, Serving>> = {}): CaseRun =>
    runWith(
      { lifecycle: { seed: [], expect: expectations } },
      {
        seeds: new Map(
          expectations.map(({ seed }) => [
            seed,
            { before, after: { ...before, ...after[seed] }, served: served[seed] ?? "not" },
          ]),
        ),
      },
    );

  it("is clean where everything became what it had to", () => {
    const right = {
      gone: { status: "superseded", supersededBy: aMemory(2).id },
      told: { seen: 2 },
      finer: { version: 2, content: "only at 20 degrees" },
    };
    const score = scoreLifecycle([run(right)], []);
    expect(score).toMatchObject({ harmful: { hits: 0, of: 2 }, omission: { hits: 0, of: 2 }, seenAgain: { hits: 1 } });
  });

  it("tells omissions from harm", () => {
    const after = { kept: { status: "superseded", supersededBy: aMemory(2).id } };
    const score = scoreLifecycle([run(after, { gone: "plain" })], []);
    expect(score.harmful).toMatchObject({ hits: 1, of: 2 });
    expect(score.omission).toMatchObject({ hits: 2, of: 2 });
    expect(score.staleServed).toMatchObject({ hits: 1, of: 1 });
  });

  it("takes a memory without successor, and an update that lost what it had to say, for lost", () => {
    const became = judgeSeeds(run({ gone: { status: "superseded" }, finer: { version: 2, content: "always" } }));
    expect(became.map((one) => one.became)).toEqual(["lost", "unchanged", "unchanged", "lost"]);
  });
});

describe("F15: the operations of the lifecycle, measured apart", () => {
  const expectation = { seed: "gone", becomes: "superseded" as const, by: "alpha" };
  const fact = aMemory(7, { title: "alpha", content: "alpha" });
  const run = (facts: readonly MemoryRecord[], proposed?: string, after: object = {}): CaseRun =>
    runWith(
      { mustHave: [wanted(["alpha"])], lifecycle: { seed: [], expect: [expectation] } },
      {
        facts,
        reports: [{ ...reportWith("success"), decisions: [{ memory: fact.id, proposed }] } as unknown as IngestReport],
        seeds: new Map([["gone", { before: aMemory(1), after: { ...aMemory(1), ...after }, served: "not" }]]),
      },
    );

  it.each([
    { stage: "extraction", facts: [], proposed: undefined, extracted: 0 },
    { stage: "decision", facts: [fact], proposed: "ADD (separate)", extracted: 1 },
    { stage: "guard", facts: [fact], proposed: "DELETE (outdates)", extracted: 1 },
  ])("a change that got lost at $stage is counted there", ({ stage, facts, proposed, extracted }) => {
    const score = scoreLifecycle([run(facts, proposed)], []);
    expect(score.lostAt).toEqual({ extraction: 0, decision: 0, guard: 0, [stage]: 1 });
    expect(score.extractedChanges).toMatchObject({ hits: extracted, of: 1 });
    expect(score.updatesGivenFact).toMatchObject({ hits: 0, of: extracted });
  });

  it("a change that was made counts for both", () => {
    const score = scoreLifecycle([run([fact], "DELETE", { status: "superseded", supersededBy: fact.id })], []);
    expect(score).toMatchObject({ extractedChanges: { hits: 1, of: 1 }, updatesGivenFact: { hits: 1, of: 1 } });
  });
});

describe("F16: what is served that no longer holds", () => {
  const [sequence] = SEQUENCES;
  const order = (served: readonly Serving[]): SequenceRun => {
    if (sequence === undefined) throw new Error("there are no sequences");
    return { sequence, order: [2, 0, 1], mode: "rules", repeat: 1, reports: [], served };
  };

  it("counts each overtaken value of each order, and orders in which the value that holds is missing", () => {
    const runs = [order(["not", "not", "plain"]), order(["plain", "marked", "not"])];
    const score = scoreLifecycle([], runs);
    expect(score.staleServed).toMatchObject({ hits: 2, of: 4 });
    expect(score.staleMarked).toMatchObject({ hits: 1, of: 2 });
    expect(score.currentServed).toMatchObject({ hits: 1, of: 2 });
    expect(runs.flatMap(judgeOrder)).toMatchObject([
      { name: "sequence-port-312", stale: ["7410", "7455"], isCurrentServed: false },
    ]);
  });

  it("is marked only where every place that serves it says so", () => {
    const [plain, marked] = [aMemory(1), aMemory(2, { conflictsWith: [aMemory(1).id] })];
    expect(servingOf([], [])).toBe("not");
    expect(servingOf([marked], ["P-1 a line, disputed"])).toBe("marked");
    expect(servingOf([marked], ["P-1 a line"])).toBe("plain");
    expect(servingOf([marked, plain], [])).toBe("plain");
  });
});

describe("the report of an eval", () => {
  const definition = {
    name: "lifecycle",
    meaning: { harmful: "h", omission: "o" },
    score: scoreLifecycle,
    find: judgeSeeds,
    findInSequence: judgeOrder,
    staleServed: ({ staleServed }: LifecycleScore) => staleServed,
    rows: [],
    describe: ({ name }: { readonly name: string }) => name,
  };
  const sequence = (split: "dev" | "held", served: readonly Serving[]): SequenceRun => {
    const found = SEQUENCES.find((one) => one.split === split);
    if (found === undefined) throw new Error(`no sequence is ${split}`);
    return { sequence: found, order: [0, 1, 2], mode: "rules", repeat: 1, reports: [], served };
  };
  const sequences = [sequence("dev", ["plain", "not", "plain"]), sequence("held", ["plain", "plain", "plain"])];
  const report = buildReport<LifecycleScore, SeedFinding | OrderFinding>(
    definition,
    { runs: [], sequences, model: null },
    readOptions(["--rules-only"]),
  );

  it("has its rates at the top, with counts and intervals, and the held part apart", () => {
    expect(Object.keys(report)).toEqual(expect.arrayContaining(["harmfulRate", "omissionRate", "staleServedRate"]));
    expect(report.staleServedRate).toBe(0.75);
    expect(report.staleServed).toMatchObject({ hits: 3, of: 4, low: expect.any(Number), high: expect.any(Number) });
    expect(report.modes.rules?.dev.staleServed).toMatchObject({ hits: 1, of: 2 });
    expect(report.modes.rules?.held.staleServed).toMatchObject({ hits: 2, of: 2 });
  });

  it("shows harm and omission first, side by side, and no single case of the held part", () => {
    const text = printReport(definition, report);
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.slice(1, 3).map((row) => row.split("|")[1]?.trim())).toEqual(["**harmful**", "**omission**"]);
    expect(text).toContain("sequence-port-123");
    expect(text).not.toContain("sequence-version");
  });
});

describe("F17: what a bad experience teaches", () => {
  it("counts trusted facts of sessions that did not succeed, and unconfirmed ones that are shown", () => {
    const facts = [aMemory(1), aMemory(2, { status: "provisional" as const })];
    const experience = { unconfirmed: ["a", "b"], shown: ["a"], shownConfirmed: ["a", "b"] };
    const runs = [
      runWith({ outcome: "failure" }, { facts, experience }),
      runWith({ outcome: "success" }, { facts }),
      runWith({ outcome: "unknown", outcomeAlso: ["success"] }, { facts }),
    ];
    const score = scoreExtraction(runs);
    expect(score.trustedUnproven).toMatchObject({ hits: 1, of: 2 });
    expect(score.unconfirmedShown).toMatchObject({ hits: 1, of: 2 });
    expect(score.confirmedShown).toMatchObject({ hits: 2, of: 2 });
    expect(runs.map((run) => findingsOf(run).unearned)).toEqual([[aMemory(1).title, "a"], [], []]);
  });
});

describe("the score of outcomes", () => {
  it("counts wrong successes and overlooked ones", () => {
    const wrong = runWith({ outcome: "failure" });
    const right = runWith({ outcome: "success" });
    const overlooked = runWith({ outcome: "success" }, { reports: [reportWith("unknown")] });
    const score = scoreOutcome([wrong, right, overlooked]);
    expect(score.successPrecision).toMatchObject({ hits: 1, of: 2 });
    expect(score.omission).toMatchObject({ hits: 1, of: 2 });
    expect(score.coverage).toMatchObject({ hits: 2, of: 3 });
  });

  it("takes labels that are defensible too, and judges a grown session twice", () => {
    const grown = runWith(
      { outcome: "success", outcomeAlso: ["partial"], grows: { lines: 3, outcome: "unknown" } },
      { reports: [reportWith("success"), reportWith("partial")] },
    );
    expect(judgeOutcomes(grown).map(({ isRight }) => isRight)).toEqual([false, true]);
  });
});
