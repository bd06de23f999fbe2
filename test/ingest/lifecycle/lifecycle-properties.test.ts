/** What must hold for any reply of any model, on a real store. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryId } from "../../../src/core/ids.ts";
import { LIVE_STATUSES, type MemoryRecord } from "../../../src/core/memory-record.ts";
import { applyDecisions } from "../../../src/ingest/lifecycle/apply-decisions.ts";
import type { DecisionInput, Proposal } from "../../../src/ingest/lifecycle/decision.ts";
import { parseDecisions } from "../../../src/ingest/lifecycle/parse-decisions.ts";
import { storeMemories } from "../../../src/ingest/lifecycle/store-memories.ts";
import { undoChanges } from "../../../src/keep/undo-changes.ts";
import type { Store } from "../../../src/store/store.ts";
import { filledStore } from "../../support/filled-store.ts";
import {
  caseArb,
  factsArb,
  GUARDS_IN_A_THOUSAND,
  inputFor,
  lossesOf,
  memoriesArb,
  readReplyForCase,
  replyArb,
  runCase,
} from "../../support/lifecycle-arbitraries.ts";
import { aFact, incoming, RUN } from "../../support/lifecycle-input.ts";
import { NOW } from "../../support/records.ts";

/** `npm run long` runs a hundred thousand. */
const CASES = Number(process.env.LIFECYCLE_CASES ?? 150);

/** Counts of guards are asserted: by chance alone a rare one would be missed now and then. */
const SEED = 11;

const neverAgain = { decideAgain: async () => undefined };

async function storeAll(store: Store, input: DecisionInput) {
  return storeMemories({ memories: store.memories, ...neverAgain }, input);
}

describe("for any reply of a model (properties 1, 4 and 5)", { timeout: 180_000 }, () => {
  it("nothing disappears without a stored successor, protected memories stay, every fact has a home", async () => {
    await fc.assert(
      fc.asyncProperty(memoriesArb, factsArb, replyArb, async (memories, facts, reply) => {
        const store = await filledStore({ memories });
        const before = await store.memories.getMany(memories.map(({ id }) => id));
        const { proposal } = readReplyForCase(reply, facts, before);
        const { violations } = await runCase(store, { facts, before, proposal });
        expect(violations).toEqual([]);
        await store.close();
      }),
      { numRuns: CASES },
    );
  });

  it("more than half of these replies carry real handles and mutated ones, and every guard is met often enough", () => {
    const reached: Record<string, number> = {};
    const replies = { all: 0, carrying: 0, mutated: 0 };
    fc.assert(
      fc.property(memoriesArb, factsArb, replyArb, (memories, facts, reply) => {
        const { proposal, census } = readReplyForCase(reply, facts, memories);
        replies.all += 1;
        replies.carrying += Number(census.carriesHandles);
        replies.mutated += Number(census.carriesHandles && census.mutated);
        const { guards } = applyDecisions(inputFor(facts, memories, proposal));
        for (const [guard, count] of Object.entries(guards)) reached[guard] = (reached[guard] ?? 0) + count;
      }),
      { numRuns: 4_000, seed: SEED },
    );
    expect(replies.carrying / replies.all).toBeGreaterThan(0.5);
    expect(replies.mutated / replies.all).toBeGreaterThan(0.5);
    const rare = Object.entries(GUARDS_IN_A_THOUSAND).filter(
      ([guard, least]) => (reached[`guard:${guard}`] ?? 0) < least * 4,
    );
    expect(rare).toEqual([]);
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

describe("two runs at once (property 6)", () => {
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
          expect(plan.trail).toHaveLength(1);
          for (const { memory } of plan.trail) expect(await store.memories.get(memory as MemoryId)).toBeDefined();
        }
        for (const was of seen) expect(await lossesOf(store, was)).toEqual([]);
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
