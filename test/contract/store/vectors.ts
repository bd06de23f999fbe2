/** Vectors: exact search, one model at a time, nothing embedded twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import type { Store, UnitFilter } from "../../../src/store/store.ts";
import { embedAll } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aMemory, PROJECT } from "../../support/records.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import type { OpenStore } from "../memory-store.ts";
import { add, restate, revise } from "./changes.ts";

const FILTER: UnitFilter = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] };

async function embedded(open: OpenStore, memories: readonly MemoryRecord[]): Promise<Store> {
  const store = await open();
  await store.memories.apply(memories.map(add), []);
  await embedAll(store, hashEmbedder());
  return store;
}

interface Question {
  readonly slot?: "trigger" | "body";
  readonly filter?: UnitFilter;
}

const ask = (store: Store, text: string, { slot = "trigger", filter = FILTER }: Question = {}) =>
  store.index.vectors(hashEmbedder().embedQuery(text), slot, filter, 5);

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

export function vectorContract(open: OpenStore): void {
  describe("vectors", () => {
    it("scores a memory by the best of its triggers, once", async () => {
      const memory = aMemory(1, { title: "otter at night", whenToUse: [] });
      const store = await embedded(open, [memory, aMemory(2)]);
      const hits = await ask(store, "otter at night");
      expect(hits).toHaveLength(2);
      expect(hits[0]?.score).toBeCloseTo(1, 2);
      expect((await store.index.memoriesByKey([hits[0]?.key ?? 0])).get(hits[0]?.key ?? 0)?.id).toBe(memory.id);
    });

    it("agrees with a plain scan of the stored vectors", async () => {
      const random = seededRandom(7);
      const words = Array.from({ length: 30 }, (_, at) => `word${at}`);
      const some = (): string => Array.from({ length: 4 }, () => words[Math.floor(random() * 30)]).join(" ");
      const memories = Array.from({ length: 300 }, (_, at) =>
        aMemory(at + 1, { title: `${at} ${some()}`, whenToUse: [some()] }),
      );
      const store = await embedded(open, memories);
      const keys = [...(await store.index.keysOfMemories(memories.map(({ id }) => id))).values()];
      const stored = await store.index.vectorsOf(keys, "trigger", "fact");
      for (let round = 0; round < 5; round += 1) {
        const query = hashEmbedder().embedQuery(some());
        const plain = keys
          .map((key) => Math.max(...(stored.get(key) ?? []).map((vector) => dot(vector, query))))
          .sort((a, b) => b - a);
        const hits = await store.index.vectors(query, "trigger", FILTER, 20);
        expect(hits).toHaveLength(20);
        for (const [at, { score }] of hits.entries()) expect(score).toBeCloseTo(plain[at] ?? 0, 3);
      }
    });

    it("lets only those answer that the filter allows", async () => {
      const store = await embedded(open, [
        aMemory(1),
        aMemory(2, { status: "forgotten" }),
        aMemory(3, { scope: { kind: "user" } }),
      ]);
      expect(await ask(store, "title")).toHaveLength(2);
      expect(await ask(store, "title", { filter: { ...FILTER, user: false } })).toHaveLength(1);
      expect(await ask(store, "title", { slot: "body", filter: { ...FILTER, statuses: ["forgotten"] } })).toHaveLength(
        1,
      );
      expect(await ask(store, "title", { filter: { ...FILTER, projects: [], user: false } })).toEqual([]);
    });

    it("drops the vectors of texts that are gone and keeps those of texts that stay", async () => {
      const memory = aMemory(1, { title: "walrus", content: "heron", whenToUse: [] });
      const store = await embedded(open, [memory]);
      expect((await ask(store, "walrus"))[0]?.score).toBeCloseTo(1, 2);
      await store.memories.apply([revise(memory, { content: "otter" })], []);
      const missing = await store.index.missingVectors("hash-64", 9);
      expect(missing.map(({ slot, text }) => `${slot}: ${text}`).sort()).toEqual([
        "body: lesson · walrus. otter",
        "trigger: walrus. otter",
      ]);
      expect((await ask(store, "walrus"))[0]?.score).toBeCloseTo(1, 2);
      expect((await ask(store, "heron"))[0]?.score).toBeLessThan(0.9);
    });

    it("needs no new vector when only the standing changes", async () => {
      const memory = aMemory(1);
      const store = await embedded(open, [memory]);
      await store.memories.apply([restate(memory, { status: "disputed", seen: 4 })], []);
      expect(await store.index.countMissing("hash-64")).toBe(0);
    });

    it("leaves out a vector whose text changed while it was made", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      const missing = await store.index.missingVectors("hash-64", 9);
      await store.memories.apply([revise(memory, { title: "otter", content: "night" })], []);
      const vectors = await hashEmbedder().embed(missing.map(({ text }) => text));
      await store.index.putVectors(
        "hash-64",
        missing.map((entry, at) => ({ ...entry, vector: vectors[at] ?? new Float32Array(64) })),
      );
      await store.index.activate("hash-64", 64);
      expect(await ask(store, "title")).toEqual([]);
      expect(await store.index.countMissing("hash-64")).toBe(3);
    });

    it("never compares vectors of two models, and serves the old ones until the new are made", async () => {
      const store = await embedded(open, [aMemory(1), aMemory(2)]);
      const other = hashEmbedder({ fingerprint: "other", dimensions: 32 });
      expect(await store.index.activeFingerprint()).toBe("hash-64");
      expect(await store.index.vectors(other.embedQuery("title"), "trigger", FILTER, 5)).toEqual([]);
      const missing = await store.index.missingVectors("other", 99);
      expect(missing).toHaveLength(await store.index.countMissing("other"));
      const vectors = await other.embed(missing.map(({ text }) => text));
      await store.index.putVectors(
        "other",
        missing.map((entry, at) => ({ ...entry, vector: vectors[at] ?? new Float32Array(32) })),
      );
      expect(await ask(store, "title")).toHaveLength(2);
      await store.index.activate("other", 32);
      expect(await store.index.activeFingerprint()).toBe("other");
      expect(await ask(store, "title")).toEqual([]);
      expect(await store.index.vectors(other.embedQuery("title"), "trigger", FILTER, 5)).toHaveLength(2);
    });

    it("drops the vectors of all models but the one that serves", async () => {
      const store = await embedded(open, [aMemory(1)]);
      const missing = await store.index.missingVectors("other", 99);
      const entries = missing.map((entry) => ({
        ...entry,
        vector: hashEmbedder({ dimensions: 32 }).embedQuery(entry.text),
      }));
      await store.index.putVectors("other", entries);
      expect(await store.index.countMissing("other")).toBe(0);
      await store.index.dropInactive();
      expect(await store.index.countMissing("other")).toBe(missing.length);
      expect(await store.index.countMissing("a model that never was")).toBe(missing.length);
      expect(await ask(store, "title")).toHaveLength(1);
    });

    it("replaces the vectors that serve by others that were made beside them, in one step", async () => {
      const store = await embedded(open, [aMemory(1)]);
      const anew = hashEmbedder({ fingerprint: "anew" });
      const missing = await store.index.missingVectors("anew", 99);
      await store.index.replaceActive("anew");
      expect(await ask(store, "title")).toHaveLength(1);
      await store.index.putVectors(
        "anew",
        missing.map((entry) => ({ ...entry, vector: anew.embedQuery(entry.text) })),
      );
      await store.index.replaceActive("anew");
      expect(await store.index.activeFingerprint()).toBe("hash-64");
      expect(await store.index.countMissing("hash-64")).toBe(0);
      expect(await store.index.countMissing("anew")).toBe(missing.length);
      const [hit] = await store.index.vectors(anew.embedQuery(missing[0]?.text ?? ""), "trigger", FILTER, 5);
      expect(hit?.score).toBeGreaterThan(0.9);
      expect(await ask(store, "title")).toHaveLength(1);
    });

    it("gives equal texts one embedding", async () => {
      const store = await embedded(open, [aMemory(1, { title: "Same", content: "same" })]);
      const twin = aMemory(2, { title: "Same", content: "same", type: "context" });
      await store.memories.apply([add(twin)], []);
      expect(await store.index.countMissing("hash-64")).toBe(3);
      expect(await store.index.reuseVectors("hash-64")).toBe(2);
      const missing = await store.index.missingVectors("hash-64", 9);
      expect(missing.map(({ slot }) => slot)).toEqual(["body"]);
      expect(await ask(store, "same")).toHaveLength(2);
    });

    it("gives back the vectors that a unit has now, of one slot", async () => {
      const memory = aMemory(1, { whenToUse: ["walrus in the harbour"] });
      const store = await embedded(open, [aMemory(2), memory]);
      const keyOf = (await store.index.keysOfMemories([memory.id])).get(memory.id) ?? 0;
      const vectorsNow = async (): Promise<readonly Float32Array[]> =>
        (await store.index.vectorsOf([keyOf, 99], "trigger", "fact")).get(keyOf) ?? [];
      const nearest = async (text: string): Promise<number> =>
        Math.max(...(await vectorsNow()).map((vector) => dot(vector, hashEmbedder().embedQuery(text))));
      const told = (situation: string): string => `${memory.title}. ${situation}. ${memory.content}`;
      expect(await nearest(told("walrus in the harbour"))).toBeCloseTo(1, 2);
      await store.memories.apply([revise(memory, { whenToUse: ["otter at night"] })], []);
      expect(await vectorsNow()).toEqual([]);
      await embedAll(store, hashEmbedder());
      expect(await nearest(told("otter at night"))).toBeCloseTo(1, 2);
      expect((await store.index.vectorsOf([keyOf, 99], "trigger", "fact")).has(99)).toBe(false);
    });

    it("puts a vector twice without harm", async () => {
      const store = await embedded(open, [aMemory(1)]);
      const [vector] = await hashEmbedder().embed(["Title 1"]);
      const entry = {
        unit: "fact",
        key: 1,
        slot: "trigger",
        text: "Title 1",
        vector: vector ?? new Float32Array(64),
      } as const;
      await store.index.putVectors("hash-64", [entry, entry]);
      expect((await store.index.vectorsOf([1], "trigger", "fact")).get(1)).toHaveLength(2);
      expect(await ask(store, "Title 1")).toHaveLength(1);
    });

    it("stays in step through any sequence of changes", async () => {
      const step = fc.record({ at: fc.integer({ min: 1, max: 12 }), kind: fc.constantFrom("add", "revise", "erase") });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const store = await open();
          for (const [turn, { at, kind }] of steps.entries()) {
            await changeOne(store, { at, kind, text: `${at} of ${turn}` });
            if (turn % 3 === 0) await embedAll(store, hashEmbedder());
          }
          await embedAll(store, hashEmbedder());
          const hits = await store.index.vectors(hashEmbedder().embedQuery("title"), "trigger", FILTER, 50);
          const found = await store.index.memoriesByKey(hits.map(({ key }) => key));
          const alive = await store.memories.list({});
          expect([...found.values()].map(({ id }) => id).sort()).toEqual(alive.map(({ id }) => id).sort());
          expect(await store.index.countMissing("hash-64")).toBe(0);
        }),
        { numRuns: 15 },
      );
    });
  });
}

async function changeOne(store: Store, step: { at: number; kind: string; text: string }): Promise<void> {
  const current = await store.memories.get(aMemory(step.at).id);
  const body = { title: step.text, content: step.text };
  if (step.kind === "erase") await store.memories.erase([aMemory(step.at).id], new Date(0));
  else if (step.kind === "add" && current === undefined) await store.memories.apply([add(aMemory(step.at, body))], []);
  else if (step.kind === "revise" && current !== undefined) await store.memories.apply([revise(current, body)], []);
}
