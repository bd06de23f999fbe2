import { describe, expect, it } from "vitest";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import { storeMemories } from "../../../src/ingest/lifecycle/store-memories.ts";
import type { Store } from "../../../src/store/store.ts";
import { filledStore } from "../../support/filled-store.ts";
import { aFact, decisionInput, incoming, proposal } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo } from "../../support/records.ts";

const old = aMemory(1, {
  type: "context",
  polarity: "fact",
  title: "Postgres for the tests runs on port 5432",
  content: "The test database is Postgres on port 5432; DATABASE_URL points at it.",
  symbols: ["DATABASE_URL"],
  eventAt: daysAgo(30),
});
const outdates = proposal([{ op: "DELETE", relation: "outdates", target: 1 }]);

async function seen(memories: readonly MemoryRecord[]): Promise<{ store: Store; records: MemoryRecord[] }> {
  const store = await filledStore({ memories });
  return { store, records: await store.memories.getMany(memories.map(({ id }) => id)) };
}

/** Somebody else is faster. */
async function change(store: Store, memory: MemoryRecord, patch: object): Promise<void> {
  await store.memories.apply(
    [{ kind: "restate", id: memory.id, expectedVersion: memory.version, patch, provenance: [] }],
    [],
  );
}

describe("storeMemories", () => {
  it("F10: asks once more about a fact whose target has moved, with the target as it is now", async () => {
    const { store, records } = await seen([old]);
    await change(store, old, { seen: 9 });
    const asked: string[][] = [];
    const decideAgain = async (handles: ReadonlySet<string>) => {
      asked.push([...handles]);
      const now = await store.memories.getMany([old.id]);
      return { candidates: new Map(now.map((memory) => [1, memory])), proposal: outdates, similarity: () => null };
    };
    const { plan, lostRaces } = await storeMemories(
      { memories: store.memories, decideAgain },
      decisionInput([incoming("A")], records, { proposal: outdates }),
    );
    expect(asked).toEqual([["A"]]);
    expect(lostRaces).toBe(1);
    expect(plan.trail).toMatchObject([{ applied: "DELETE" }]);
    expect(await store.memories.get(old.id)).toMatchObject({ status: "superseded", seen: 9 });
  });

  it("F10: adds a fact that loses the race again, and one whose target is gone", async () => {
    const { store, records } = await seen([old]);
    await store.memories.erase([old.id], daysAgo(0));
    const { plan } = await storeMemories(
      { memories: store.memories, decideAgain: async () => undefined },
      decisionInput([incoming("A")], records, { proposal: outdates }),
    );
    expect(plan.trail).toMatchObject([{ applied: "ADD", guards: ["guard:lost-race"] }]);
    expect(await store.memories.get(incoming("A").id)).toMatchObject({ content: aFact().content });
  });

  it("turns the addition of what another run has just added into one more sighting", async () => {
    const { store } = await seen([]);
    const deps = { memories: store.memories, decideAgain: async () => undefined };
    await storeMemories(deps, decisionInput([incoming("A")], []));
    const second = incoming("A", {}, { id: incoming("B").id });
    const other = { ...second, provenance: second.provenance.map((entry) => ({ ...entry, turn: 77 })) };
    const { plan } = await storeMemories(deps, decisionInput([other], []));
    expect(plan.trail).toMatchObject([{ applied: "NONE", guards: ["dup:race"] }]);
    expect((await store.memories.list({})).map(({ seen: count }) => count)).toEqual([2]);
  });

  it("writes nothing at all when the store keeps refusing", async () => {
    const { store, records } = await seen([old]);
    const lost = { applied: false as const, lost: [old.id], duplicates: [] };
    const memories = {
      apply: async () => lost,
      get: store.memories.get.bind(store.memories),
      getMany: async () => records,
    };
    const attempt = storeMemories(
      { memories, decideAgain: async () => undefined },
      decisionInput([incoming("A")], records, { proposal: outdates }),
    );
    await expect(attempt).rejects.toMatchObject({ code: "STORE_LOCKED" });
    expect(await store.memories.list({})).toHaveLength(1);
  });
});
