import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../src/core/session.ts";
import type { FactCandidate } from "../../../src/ingest/extract/fact-candidate.ts";
import { type GroundingInput, groundFacts } from "../../../src/ingest/extract/ground-facts.ts";
import { readCues } from "../../../src/ingest/outcome/read-cues.ts";
import { buildSession, edits, fetches, human, runs, says } from "../../support/build-session.ts";
import { stageDeps } from "../../support/stage-deps.ts";

const SESSION = buildSession([
  /* 0 */ human("Why are readings of gauge 7 lost? Yesterday 1,204 of them were missing."),
  /* 1 */ says("The importer compares local time, not UTC, in `inWindow()`."),
  /* 2, 3 */ runs("npx vitest run window.test.ts", "AssertionError: expected 11 to be 12", { status: "error" }),
  /* 4 */ human("Yes, exactly. Always compare in UTC, in all my projects."),
  /* 5, 6 */ edits("src/window.ts"),
  /* 7, 8 */ runs("npx vitest run window.test.ts", "Tests 12 passed"),
  /* 9, 10 */ fetches("https://docs.example/clock", "Set TZ=UTC before you start the daemon on port 8080."),
  /* 11 */ says("I could also move the window to the database."),
]);

const CANDIDATE: FactCandidate = {
  type: "lesson",
  polarity: "fact",
  title: "The importer lost readings by comparing local time",
  content: "The importer compares local time, not UTC, in inWindow and so loses readings.",
  why: "The window test failed.",
  howToApply: "Compare in UTC.",
  whenToUse: ["readings are lost"],
  whenNot: null,
  appliesIf: null,
  symbols: ["inWindow", "notThere"],
  scope: "project",
  source: "agent_inferred",
  confidence: 0.95,
  resolvedAt: 8,
  expires: null,
  evidence: [{ turn: 1, quote: "compares local time, not UTC" }],
};

function ground(changes: Partial<FactCandidate>, input: Partial<GroundingInput> = {}, session: Session = SESSION) {
  const { facts, rejections } = groundFacts(stageDeps(), {
    session,
    candidates: [{ ...CANDIDATE, ...changes }],
    mode: "facts",
    reading: { accepts: (text) => readCues(text).accepts, meansEverywhere: (text) => readCues(text).everywhere },
    fromTurn: 0,
    ...input,
  });
  return { fact: facts[0], rejection: rejections[0] };
}

describe("groundFacts: quotes", () => {
  it.each([
    ["exactly", { turn: 1, quote: "compares local time, not UTC" }, 1],
    [
      "with other white space and quotation marks",
      { turn: 1, quote: "compares  local\ntime, not UTC, in 'inWindow()'" },
      1,
    ],
    ["within two turns", { turn: 3, quote: "compares local time, not UTC" }, 1],
    ["with a few typing errors", { turn: 1, quote: "The importr compares local time , not UTC" }, 1],
    ["with our own head before it", { turn: 4, quote: "[t4 human] Always compare in UTC" }, 4],
    ["abridged", { turn: 4, quote: "Yes, exactly… Always compare in UTC, in all my projects." }, 4],
  ])("finds a quote %s", (_, evidence, turn) => {
    expect(ground({ evidence: [evidence] }).fact?.evidence[0]?.turn).toBe(turn);
  });

  it.each([
    ["an invented one", { turn: 1, quote: "the moon is made of gauge readings" }],
    ["one of a far turn", { turn: 11, quote: "compares local time, not UTC" }],
    ["one of a turn that does not exist", { turn: 9000, quote: "compares local time, not UTC" }],
    ["one that is too short to mean anything", { turn: 1, quote: "UTC" }],
    ["one with a tenth of its letters changed and more", { turn: 1, quote: "compared lokal times, but UTF" }],
  ])("drops a fact whose only quote is %s", (_, evidence) => {
    expect(ground({ evidence: [evidence] }).rejection?.rule).toBe("R-ungrounded");
  });

  it("keeps the good quotes of a fact and drops the invented ones", () => {
    const evidence = [{ turn: 1, quote: "an invented quote about it" }, ...CANDIDATE.evidence];
    expect(ground({ evidence }).fact?.evidence).toEqual(CANDIDATE.evidence);
  });

  it("finds an exact quote anywhere in a span, for a summary names only the span", () => {
    const session = buildSession([
      human("Go."),
      ...Array.from({ length: 8 }, (_, at) => says(`Step number ${at} of the work.`)),
      runs("npm run build", "error: the gauge table is locked", { status: "error" }),
      human("Stop."),
      says("The last of it is said here."),
    ]);
    const about = {
      content: "The gauge table is locked while the build runs.",
      howToApply: "Wait.",
      symbols: [],
      title: "The gauge table is locked",
    };
    const cite = (turn: number, quote: string) => ground({ ...about, evidence: [{ turn, quote }] }, {}, session);
    expect(cite(1, "error: the gauge table is locked").fact?.evidence[0]?.turn).toBe(10);
    expect(cite(1, "error: the gauge tables are locked").rejection?.rule).toBe("R-ungrounded");
    expect(cite(12, "error: the gauge table is locked").fact?.evidence[0]?.turn).toBe(10);
    expect(cite(1, "The last of it is said here.").rejection?.rule).toBe("R-ungrounded");
  });

  it("cuts a long quote after it was found", () => {
    const long = "gauge readings are lost ".repeat(12);
    const session = buildSession([human(`Look: ${long}`)]);
    const { fact } = ground(
      { evidence: [{ turn: 0, quote: long.trim() }], symbols: [], content: "Readings are lost." },
      {},
      session,
    );
    expect(fact?.evidence[0]?.quote).toHaveLength(160);
  });
});

describe("groundFacts: names and numbers", () => {
  it.each([
    ["a number", { content: "The importer loses 4711 readings by comparing local time." }],
    ["a number that is only part of another", { content: "The importer loses 204 readings each night." }],
    ["an identifier", { content: "The importer compares local time in isInsideRange." }],
    ["a file", { howToApply: "Change src/clock.ts." }],
    ["a version", { title: "Since v3.2 the importer compares local time" }],
    ["an address", { content: "The clock is explained at https://docs.example/other in detail." }],
    ["an identifier in capitals", { content: "The importer fails with ECLOCKSKEW at night." }],
  ])("drops a fact with %s that the session does not hold", (_, changes) => {
    expect(ground(changes)).toMatchObject({ rejection: { rule: "R-ungrounded", detail: /does not occur/ } });
  });

  it.each([
    ["a number written otherwise", { content: "Of gauge 7 the importer lost 1204 readings." }],
    ["a call without its brackets", { content: "inWindow() compares local time and so loses readings." }],
    [
      "a thing by its other name",
      { content: "Since the test of window.test.ts ran in Vitest, the importer of TypeScript compares local time." },
    ],
    ["a file of a tool's arguments", { howToApply: "Compare in UTC in src/window.ts." }],
    [
      "a relative date made absolute",
      {
        evidence: [{ turn: 0, quote: "Yesterday 1,204 of them were missing" }],
        content: "On 2026-03-01 the importer lost readings.",
      },
    ],
  ])("accepts %s", (_, changes) => {
    expect(ground(changes).rejection).toBeUndefined();
  });

  it.each(["You may use 3.2 of it.", "March on, it works.", "It is a matter of UTC."])(
    "does not take '%s' for the mention of a day",
    (said) => {
      const session = buildSession([human(said)]);
      const changes = {
        content: "Since 2024-01-17 it works.",
        title: "It works since then",
        howToApply: "Use it.",
        evidence: [{ turn: 0, quote: said }],
      };
      expect(ground(changes, {}, session).rejection?.detail).toContain("2024-01-17");
    },
  );

  it("takes an absolute date for invented where no cited turn speaks of a day", () => {
    expect(ground({ content: "Since 2024-01-17 the importer compares local time." }).rejection?.rule).toBe(
      "R-ungrounded",
    );
  });

  it("drops symbols that do not occur, and keeps the fact", () => {
    expect(ground({}).fact?.symbols).toEqual(["inWindow"]);
  });
});

describe("groundFacts: who vouches", () => {
  const evidence = (turn: number, quote: string) => ({ evidence: [{ turn, quote }] });

  it("F12: believes 'the user said so' only of a quote in a human turn", () => {
    expect(ground({ source: "user_stated", ...evidence(4, "Always compare in UTC") }).fact).toMatchObject({
      source: "user_stated",
      trust: 3,
    });
    expect(ground({ source: "user_stated", ...evidence(11, "move the window to the database") }).fact?.source).toBe(
      "agent_inferred",
    );
  });

  it("does not take the user's question for a statement", () => {
    expect(ground({ source: "user_stated", ...evidence(0, "Why are readings of gauge 7 lost?") }).fact?.source).toBe(
      "agent_inferred",
    );
  });

  it("F13: caps the confidence of what only the agent claims, unless a tool or the user bears it out", () => {
    expect(ground(evidence(11, "move the window to the database")).fact).toMatchObject({
      source: "agent_inferred",
      confidence: 0.6,
      trust: 2,
    });
    expect(ground({ source: "user_confirmed" }).fact).toMatchObject({ source: "user_confirmed", confidence: 0.95 });
    expect(ground({ source: "tool_verified", ...evidence(8, "Tests 12 passed") }).fact).toMatchObject({
      source: "tool_verified",
      confidence: 0.95,
    });
  });

  it("does not take a failed or an external result for verification", () => {
    expect(ground({ source: "tool_verified", ...evidence(10, "Set TZ=UTC before you start") }).fact).toMatchObject({
      source: "agent_inferred",
      trust: 1,
    });
  });

  it("trusts a fact as little as its least trusted turn", () => {
    const both = [
      ...evidence(4, "Always compare in UTC").evidence,
      ...evidence(10, "Set TZ=UTC before you start").evidence,
    ];
    expect(ground({ source: "user_stated", evidence: both }).fact?.trust).toBe(1);
  });

  it("gives user scope only where a person says so", () => {
    expect(ground({ scope: "user", ...evidence(4, "Always compare in UTC") }).fact?.scope).toBe("user");
    expect(ground({ scope: "user" }).fact?.scope).toBe("project");
  });

  it("forgets a resolution turn that does not exist", () => {
    expect(ground({ resolvedAt: 99 }).fact?.resolvedAt).toBeNull();
  });
});

describe("groundFacts: what was read before, and failures", () => {
  it("drops a fact without evidence behind the watermark", () => {
    expect(ground({}, { fromTurn: 5 }).rejection?.rule).toBe("R-already-read");
    expect(ground({}, { fromTurn: 1 }).rejection).toBeUndefined();
  });

  it("keeps of a failed session only what a local tool's error bears out, with its signature", () => {
    const failure = { mode: "failure_lessons" as const };
    expect(ground({}, failure).rejection?.rule).toBe("R-unverified");
    const evidence = [{ turn: 3, quote: "AssertionError: expected 11 to be 12" }];
    const { fact } = ground({ type: "context", source: "tool_verified", evidence }, failure);
    expect(fact).toMatchObject({ type: "lesson", polarity: "avoid", source: "tool_verified" });
    expect(fact?.symbols).toContain("assertionerror: expected <n> to be <n>");
  });
});

describe("groundFacts in general", () => {
  it("keeps nothing whose quotes are random text", () => {
    void fc.assert(
      fc.property(fc.integer({ min: -5, max: 20 }), fc.string({ minLength: 1, maxLength: 200 }), (turn, quote) => {
        const { fact } = ground({ evidence: [{ turn, quote }] });
        const bodies = SESSION.turns.map(({ text }) => text).join("\n");
        expect(fact === undefined || bodies.includes(quote.trim())).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
