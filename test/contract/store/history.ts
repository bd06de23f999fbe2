/** What was before, why it changed, and forgetting for good. */
import { describe, expect, it } from "vitest";
import { type ProjectId, projectId, runId } from "../../../src/core/ids.ts";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import { contentHash } from "../../../src/text/content-hash.ts";
import { aMemory, NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add, anEvent, aSource, restate, revise } from "./changes.ts";

const LATER = new Date(NOW.getTime() + 60_000);

export function historyContract(open: OpenStore): void {
  describe("history", () => {
    it("keeps each earlier state whole, with the run that left it, newest first", async () => {
      const store = await open();
      const memory = aMemory(1, {
        provenance: [aSource],
        citations: [{ path: "a.ts", symbol: null, lineHash: null }],
      });
      await store.memories.apply([add(memory)], []);
      await store.memories.apply(
        [
          {
            ...revise(memory, { content: "second" }, { citations: [] }),
            provenance: [{ ...aSource, turn: 9 }],
          } as never,
        ],
        [anEvent(memory, { kind: "updated", run: "r-2", at: LATER })],
      );
      await store.memories.apply([restate({ ...memory, version: 2 }, { status: "disputed" })], []);
      const [second, first] = await store.memories.history(memory.id);
      expect(second?.memory).toMatchObject({ content: "second", status: "active", version: 2, citations: [] });
      expect(second?.memory.provenance).toHaveLength(2);
      expect(first).toEqual({ memory: { ...memory, revision: 1 }, until: LATER, run: runId("r-2") });
      expect(await store.memories.history(aMemory(2).id)).toEqual([]);
    });

    it("tells the events of a memory and of a run, newest first", async () => {
      const store = await open();
      const [one, two] = [aMemory(1), aMemory(2)];
      const added = anEvent(one, { run: "r-1", rules: ["R4"], reason: "new" });
      const seen = anEvent(two, { kind: "seen", at: LATER });
      await store.memories.apply([add(one), add(two)], [added, seen]);
      expect(await store.memories.events({})).toEqual([seen, added]);
      expect(await store.memories.events({ memory: one.id })).toEqual([added]);
      expect(await store.memories.events({ run: runId("r-1") })).toEqual([added]);
      expect(await store.memories.events({ limit: 1 })).toEqual([seen]);
    });

    it("finds the same text in a scope whatever its status", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      await store.memories.apply([restate(memory, { status: "forgotten" })], []);
      const hash = contentHash(memory);
      const found = await store.memories.findByContent({ kind: "project", project: PROJECT }, hash);
      expect(found.map(({ id }) => id)).toEqual([memory.id]);
      expect(await store.memories.findByContent({ kind: "user" }, hash)).toEqual([]);
    });

    it("erases a memory with its history, events and places in the indexes, and keeps hashes only", async () => {
      const store = await open();
      const memory = aMemory(1, { content: "zanzibar", symbols: ["zanzibar.ts"], provenance: [aSource] });
      const successor = aMemory(2, { conflictsWith: [memory.id] });
      await store.memories.apply([add(memory), add(successor)], [anEvent(memory)]);
      await store.memories.apply([revise(memory, { content: "quagga" })], []);
      await store.memories.apply([restate(successor, { supersededBy: memory.id })], []);
      expect(await store.memories.erase([memory.id, aMemory(9).id], LATER)).toBe(1);
      expect(await store.memories.get(memory.id)).toBeUndefined();
      expect(await store.memories.history(memory.id)).toEqual([]);
      expect(await store.memories.events({ memory: memory.id })).toEqual([]);
      expect(await store.memories.get(successor.id)).toMatchObject({ conflictsWith: [], supersededBy: null });
      for (const content of ["zanzibar", "quagga"]) {
        const hash = contentHash({ ...memory, content });
        expect(await store.memories.findTombstone(PROJECT, hash)).toEqual({ contentHash: hash, erasedAt: LATER });
      }
      expect(await store.memories.findTombstone(PROJECT, "none")).toBeUndefined();
      const filter = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] } as const;
      expect(await store.index.fulltext([{ text: "quagga" }], filter, 9)).toEqual([]);
      expect(await store.index.symbols(["zanzibar.ts"], filter, 9)).toEqual([]);
      expect(await store.index.trigrams(["quagga"], filter, 9)).toEqual([]);
    });

    it("remembers an erased text for its own project, merged ones included, or for the user everywhere", async () => {
      const store = await open();
      const [other, later] = [projectId("git:example.com/acme/other"), projectId("git:example.com/acme/later")];
      const ofProject = aMemory(1, { content: "zanzibar" });
      const ofUser = aMemory(2, { content: "quagga", scope: { kind: "user" } });
      await store.memories.apply([add(ofProject), add(ofUser)], []);
      await store.memories.erase([ofProject.id, ofUser.id], LATER);
      const isErased = async (project: ProjectId, memory: MemoryRecord) =>
        (await store.memories.findTombstone(project, contentHash(memory))) !== undefined;
      expect(await isErased(PROJECT, ofProject)).toBe(true);
      expect(await isErased(other, ofProject)).toBe(false);
      expect(await isErased(other, ofUser)).toBe(true);
      for (const id of [PROJECT, later]) await store.projects.upsert({ id, name: id, remote: null, root: `/${id}` });
      await store.projects.merge(PROJECT, later);
      expect(await isErased(later, ofProject)).toBe(true);
      expect(await isErased(PROJECT, ofProject)).toBe(true);
    });
  });
}
