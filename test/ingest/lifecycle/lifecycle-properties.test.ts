/** What must hold for any reply of any model, on a real store. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryId } from "../../../src/core/ids.ts";
import { LIVE_STATUSES, type MemoryRecord } from "../../../src/core/memory-record.ts";
import { applyDecisions } from "../../../src/ingest/lifecycle/apply-decisions.ts";
import type { DecisionInput, IncomingFact, Proposal } from "../../../src/ingest/lifecycle/decision.ts";
import { parseDecisions } from "../../../src/ingest/lifecycle/parse-decisions.ts";
import { storeMemories } from "../../../src/ingest/lifecycle/store-memories.ts";
import { undoChanges } from "../../../src/keep/undo-changes.ts";
import type { Store } from "../../../src/store/store.ts";
import { anyText } from "../../support/any-text.ts";
import { filledStore } from "../../support/filled-store.ts";
import { aFact, decisionInput, incoming, RUN } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo, NOW } from "../../support/records.ts";

const PORTS = [5432, 5433, 5434];
const SOURCES = ["user_stated", "user_confirmed", "tool_verified", "agent_inferred"] as const;

/** Memories of one matter, so that decisions about them pass most guards. */
const memoryFields = fc.record({
  port: fc.constantFrom(...PORTS),
  status: fc.constantFrom("active" as const, "provisional" as const, "disputed" as const),
  pinned: fc.constantFrom(false, false, true),
  humanEdited: fc.constantFrom(false, false, true),
  source: fc.constantFrom(...SOURCES),
  trust: fc.constantFrom(1 as const, 2 as const, 3 as const),
  age: fc.integer({ min: 0, max: 60 }),
});

const memoriesArb = fc.array(memoryFields, { minLength: 1, maxLength: 6 }).map((all) =>
  all.map(({ port, age, ...fields }, at) =>
    aMemory(at + 1, {
      type: "context",
      polarity: "fact",
      title: `Postgres for the tests runs on port ${port}`,
      content: `The test database is Postgres on port ${port}; DATABASE_URL points at it, number ${at}.`,
      why: "The tunnel needs it.",
      howToApply: "Point DATABASE_URL at it.",
      whenToUse: ["running the tests"],
      symbols: ["DATABASE_URL"],
      eventAt: daysAgo(age),
      confirmedAt: daysAgo(age),
      ...fields,
    }),
  ),
);

const anyFact = fc.record({
  port: fc.constantFrom(...PORTS),
  source: fc.constantFrom(...SOURCES),
  trust: fc.constantFrom(1 as const, 2 as const, 3 as const),
  confidence: fc.constantFrom(0.4, 0.7, 0.9),
  age: fc.integer({ min: 0, max: 60 }),
  status: fc.constantFrom("active" as const, "provisional" as const),
});
/** A fact with the standing to change something. */
const strongFact = fc.record({
  port: fc.constantFrom(...PORTS),
  source: fc.constant("user_stated" as const),
  trust: fc.constant(3 as const),
  confidence: fc.constant(0.9),
  age: fc.constant(0),
  status: fc.constant("active" as const),
});

const factsArb = fc.array(fc.oneof(anyFact, strongFact), { minLength: 1, maxLength: 4 }).map((all) =>
  all.map(({ port, age, status, ...fields }, at): IncomingFact => {
    const handle = String.fromCharCode(65 + at);
    const content = `The test database of DATABASE_URL is Postgres on port ${port} now, says fact ${handle}.`;
    return incoming(handle, { content, ...fields }, { eventAt: daysAgo(age), status });
  }),
);

function mostly(usual: string, ...rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });
}

/** Real handles, mutated ones and nonsense, so that at least half of the replies reach the guards. */
const handleArb = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(1, 1, 2, 2, 3, 4, 6) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 999, 1.5, "3", "three", null, "0b8d", {}) },
);
const letterArb = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("A", "B", "C", "D") },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("a", "Fact B", "Z", "", 1, null) },
);
const mergedArb = fc.option(
  fc.record({
    title: fc.constantFrom("Postgres for the tests runs on port 5432", "x", ""),
    content: fc.constantFrom(
      "The test database is Postgres on port 5432; DATABASE_URL points at it, number 0, also in CI.",
      "Gone.",
      "",
    ),
  }),
  { freq: 2 },
);
const decisionParts = fc.record({
  fact: letterArb,
  how: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("outdates DELETE", "refines UPDATE", "same NONE") },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom("same", "refines", "contradicts", "outdates", "separate", "nonsense"),
          fc.constantFrom("ADD", "UPDATE", "DELETE", "NONE", "delete", "ERASE"),
        )
        .map((pair) => pair.join(" ")),
    },
  ),
  target: handleArb,
  merged: mergedArb,
  quote: mostly("the test database moved to port 5433", "never said", ""),
  reason: mostly("the user said that the port has changed", "no", ""),
});
const decisionArb = decisionParts.map(({ how, ...rest }) => {
  const [relation, op] = how.split(" ");
  return { ...rest, relation, op };
});
const verdictArb = fc.record({
  fact: letterArb,
  candidate: handleArb,
  still_true: fc.constantFrom("yes", "no", "cant_tell", "maybe"),
});
const replyArb = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ decisions: fc.array(decisionArb, { maxLength: 8 }), verdicts: fc.array(verdictArb, { maxLength: 6 }) })
      .map((reply) => JSON.stringify(reply)),
  },
  { weight: 1, arbitrary: anyText(120) },
  { weight: 1, arbitrary: fc.json() },
);

const caseArb = fc.record({
  memories: memoriesArb,
  facts: factsArb,
  decisions: fc.array(decisionArb, { maxLength: 8 }),
  verdicts: fc.array(verdictArb, { maxLength: 6 }),
});

function inputFor(
  facts: readonly IncomingFact[],
  memories: readonly MemoryRecord[],
  proposal: Proposal | null,
): DecisionInput {
  return decisionInput(facts, memories, {
    proposal,
    pending: proposal === null,
    similarity: () => 0.8,
    policy: { allowDelete: true, deleteCap: 3, activeInScope: 10, titleMax: 80 },
    quoteStands: (quote) => quote === "the test database moved to port 5433",
  });
}

/** Guards that a fair share of random replies must meet, or the property says little. */
const REACHED_GUARDS = [
  ...["relation", "unknown-target", "unknown-fact", "no-decision", "none-differs", "no-merged"],
  ...["pinned", "human-edited", "trust", "rank", "standing", "confidence", "reason", "quote", "event-time", "verdict"],
  ...["cap", "cant-tell", "loss", "schema", "home"],
];

async function expectKept(store: Store, was: MemoryRecord): Promise<void> {
  const is = await store.memories.get(was.id);
  if (was.pinned || was.humanEdited) expect(is).toEqual(was);
  if (!isLive(was) || (is !== undefined && isLive(is))) return;
  expect(is?.status).toBe("superseded");
  expect(await store.memories.get(is?.supersededBy as MemoryId)).toBeDefined();
}

const isLive = ({ status }: MemoryRecord) => LIVE_STATUSES.some((live) => live === status);
const neverAgain = { decideAgain: async () => undefined };

async function storeAll(store: Store, input: DecisionInput) {
  return storeMemories({ memories: store.memories, ...neverAgain }, input);
}

describe("for any reply of a model", () => {
  it("nothing disappears without a stored successor, protected memories stay, every fact has a home", async () => {
    await fc.assert(
      fc.asyncProperty(memoriesArb, factsArb, replyArb, async (memories, facts, reply) => {
        const proposal = parseDecisions({ text: reply, truncated: false }) ?? null;
        const store = await filledStore({ memories });
        const before = await store.memories.getMany(memories.map(({ id }) => id));
        const { plan } = await storeAll(store, inputFor(facts, before, proposal));
        for (const was of before) await expectKept(store, was);
        for (const { memory } of plan.trail) expect(await store.memories.get(memory as MemoryId)).toBeDefined();
        await store.close();
      }),
      { numRuns: 150 },
    );
  });

  it("most of these replies carry decisions, and every guard is met by some", () => {
    const reached: Record<string, number> = {};
    const replies = { all: 0, parsed: 0 };
    fc.assert(
      fc.property(memoriesArb, factsArb, replyArb, (memories, facts, reply) => {
        const proposal = parseDecisions({ text: reply, truncated: false }) ?? null;
        replies.all += 1;
        replies.parsed += Number(proposal !== null && proposal.decisions.length > 0);
        const { guards } = applyDecisions(inputFor(facts, memories, proposal));
        for (const [guard, count] of Object.entries(guards)) reached[guard] = (reached[guard] ?? 0) + count;
      }),
      { numRuns: 3_000 },
    );
    expect(replies.parsed / replies.all).toBeGreaterThan(0.5);
    for (const guard of REACHED_GUARDS) expect(reached[`guard:${guard}`] ?? 0, guard).toBeGreaterThan(0);
  });

  it("the order of decisions and the numbering of candidates change nothing", () => {
    fc.assert(
      fc.property(caseArb, fc.integer(), ({ memories, facts, decisions, verdicts }, seed) => {
        const proposal = parseDecisions({ text: JSON.stringify({ decisions, verdicts }), truncated: false }) ?? null;
        if (proposal === null) return;
        const straight = applyDecisions(inputFor(facts, memories, proposal));
        const order = memories.map((_, at) => at).sort((a, b) => ((a * 7 + seed) % 5) - ((b * 7 + seed) % 5));
        const renumbered = (number: number | null) => {
          const at = number === null ? -1 : order.indexOf(number - 1);
          return at === -1 ? (number === null ? null : number + 1_000) : at + 1;
        };
        const shuffled = {
          ...proposal,
          decisions: [...proposal.decisions].reverse().map((one) => ({ ...one, target: renumbered(one.target) })),
          verdicts: [...proposal.verdicts]
            .reverse()
            .map((one) => ({ ...one, candidate: renumbered(one.candidate) ?? 0 })),
        };
        const again = applyDecisions({
          ...inputFor([...facts].reverse(), memories, shuffled),
          candidates: new Map(order.map((from, at) => [at + 1, memories[from] as MemoryRecord])),
        });
        expect(again.changes).toEqual(straight.changes);
        expect(again.trail).toEqual(straight.trail);
      }),
      { numRuns: 300 },
    );
  });

  it("undo takes back everything that a run did", async () => {
    await fc.assert(
      fc.asyncProperty(caseArb, async ({ memories, facts, decisions, verdicts }) => {
        const store = await filledStore({ memories });
        const proposal = parseDecisions({ text: JSON.stringify({ decisions, verdicts }), truncated: false }) ?? null;
        const before = await visible(store);
        const stored = await store.memories.getMany(memories.map(({ id }) => id));
        const { plan } = await storeAll(store, inputFor(facts, stored, proposal));
        if (plan.changes.length > 0) await undoChanges({ store, now: () => NOW }, { run: RUN });
        expect(await visible(store)).toEqual(before);
        await store.close();
      }),
      { numRuns: 150 },
    );
  });
});

/** What search and lists show: live memories with text and standing. */
async function visible(store: Store): Promise<unknown[]> {
  const live = await store.memories.list({ statuses: LIVE_STATUSES, order: "stable" });
  return live.map(({ version: _v, revision: _r, updatedAt: _u, provenance: _p, ...rest }) => rest);
}

describe("two runs at once", () => {
  const merge = (handle: string): Proposal => ({
    decisions: [
      {
        fact: handle,
        relation: "outdates",
        op: "DELETE",
        target: 1,
        merged: null,
        quote: "the test database moved to port 5433",
        reason: "the user said that the port has changed",
      },
    ],
    verdicts: [],
    dropped: 0,
  });

  it("lose no fact and add none twice, in whatever order they reach the store", async () => {
    await fc.assert(
      fc.asyncProperty(memoriesArb, fc.boolean(), fc.scheduler(), async (memories, sameText, scheduler) => {
        const store = await filledStore({ memories });
        const seen = await store.memories.getMany(memories.map(({ id }) => id));
        const slow = { ...store.memories, ...scheduled(store, scheduler) };
        const run = (handle: string, content: string) =>
          storeMemories(
            { memories: slow, ...neverAgain },
            inputFor([incoming(handle, { content })], seen, merge(handle)),
          );
        const first = run("A", aFact().content);
        const second = run(
          "B",
          sameText ? aFact().content : "The port of the test database behind DATABASE_URL is 5434.",
        );
        await scheduler.waitFor(Promise.all([first, second]));
        const live = await store.memories.list({ statuses: LIVE_STATUSES });
        const texts = live.map(({ content }) => content);
        expect(new Set(texts).size).toBe(texts.length);
        for (const { plan } of [await first, await second]) {
          for (const { memory } of plan.trail) expect(await store.memories.get(memory as MemoryId)).toBeDefined();
        }
        await store.close();
      }),
      { numRuns: 60 },
    );
  });
});

function scheduled(store: Store, scheduler: fc.Scheduler) {
  const { memories } = store;
  return {
    apply: scheduler.scheduleFunction((...args: Parameters<typeof memories.apply>) => memories.apply(...args)),
    get: scheduler.scheduleFunction((id: MemoryId) => memories.get(id)),
    getMany: scheduler.scheduleFunction((ids: readonly MemoryId[]) => memories.getMany(ids)),
  };
}
