/** Changes of memories: all or none, compared with what the decision saw. */
import { describe, expect, it } from "vitest";
import { memoryId, projectId, runId, sessionId } from "../../../src/core/ids.ts";
import type { MemoryChange, MemoryEvent, MemoryPatch } from "../../../src/core/lifecycle.ts";
import type { MemoryRecord, Provenance } from "../../../src/core/memory-record.ts";
import { aMemory, NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";

export const add = (memory: MemoryRecord): MemoryChange => ({ kind: "add", memory });

export function restate(
  memory: MemoryRecord,
  patch: MemoryPatch,
  provenance: readonly Provenance[] = [],
): MemoryChange {
  return { kind: "restate", id: memory.id, expectedVersion: memory.version, patch, provenance };
}

export function revise(memory: MemoryRecord, body: Partial<MemoryRecord>, patch: MemoryPatch = {}): MemoryChange {
  return {
    kind: "revise",
    id: memory.id,
    expectedVersion: memory.version,
    body: { ...memory, ...body },
    patch,
    provenance: [],
  };
}

export const aSource: Provenance = {
  kind: "session",
  host: "claude-code",
  session: sessionId("s-1"),
  run: runId("r-1"),
  turn: 4,
  quote: "run the ledger first",
  transcript: "~/t.jsonl",
  extractor: "rules/1",
  at: NOW,
  excerpt: "t4: run the ledger first",
};

export const anEvent = (memory: MemoryRecord, fields: Partial<MemoryEvent> = {}): MemoryEvent => ({
  memory: memory.id,
  kind: "added",
  run: null,
  actor: "pipeline",
  rules: [],
  reason: null,
  at: NOW,
  ...fields,
});

export function changeContract(open: OpenStore): void {
  describe("changes", () => {
    it("gives back every field of a memory as it was added", async () => {
      const store = await open();
      const memory = aMemory(1, {
        title: "Ärger mit 北京 und 🎉",
        why: "why",
        howToApply: "how",
        whenToUse: ["a", "b"],
        whenNot: "never on Mondays",
        appliesIf: "node >= 20",
        symbols: ["a.ts", "fn"],
        flags: ["stale_suspect"],
        pinned: true,
        humanEdited: true,
        trust: 3,
        confidence: 0.25,
        expiresAt: NOW,
        reason: "because",
        conflictsWith: [memoryId("other")],
        provenance: [aSource],
        citations: [{ path: "src/a.ts", symbol: "fn", lineHash: null }],
      });
      await store.memories.apply([add(memory)], []);
      expect(await store.memories.get(memory.id)).toEqual({ ...memory, revision: 1 });
    });

    it("reports an ADD whose text already lives in the scope and type, whatever its case and punctuation", async () => {
      const store = await open();
      const first = aMemory(1, { title: "Run it", content: "Use pnpm." });
      await store.memories.apply([add(first)], []);
      const again = aMemory(2, { title: "run it", content: "use  pnpm" });
      const result = await store.memories.apply([add(aMemory(3)), add(again)], []);
      expect(result).toEqual({ applied: false, lost: [], duplicates: [{ change: 1, existing: first.id }] });
      expect(await store.memories.count({})).toBe(1);
    });

    it("takes the same text in another scope, in another type, and beside one that is superseded", async () => {
      const store = await open();
      const first = aMemory(1, { title: "Same", content: "same" });
      const twin = (number: number, fields: Partial<MemoryRecord>): MemoryRecord =>
        aMemory(number, { title: "Same", content: "same", ...fields });
      await store.memories.apply([add(first)], []);
      await store.memories.apply([add(twin(2, { scope: { kind: "user" } })), add(twin(3, { type: "context" }))], []);
      await store.memories.apply([restate(first, { status: "superseded" })], []);
      await store.memories.apply([add(twin(4, {}))], []);
      expect(await store.memories.count({})).toBe(4);
    });

    it("replaces a memory and adds its successor of the same text in one batch, in any order", async () => {
      const store = await open();
      const old = aMemory(1, { title: "Same", content: "same" });
      await store.memories.apply([add(old)], []);
      const successor = aMemory(2, { title: "Same", content: "same" });
      const result = await store.memories.apply(
        [add(successor), restate(old, { status: "superseded", supersededBy: successor.id })],
        [],
      );
      expect(result).toEqual({ applied: true });
    });

    it("applies none of a batch when one memory has moved on, and names it", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      await store.memories.apply([revise(memory, { content: "newer" })], []);
      const late = await store.memories.apply(
        [add(aMemory(2)), revise(memory, { content: "late" })],
        [anEvent(memory)],
      );
      expect(late).toEqual({ applied: false, lost: [memory.id], duplicates: [] });
      expect(await store.memories.get(aMemory(2).id)).toBeUndefined();
      expect((await store.memories.get(memory.id))?.content).toBe("newer");
      expect(await store.memories.events({})).toEqual([]);
    });

    it("names a memory that is gone", async () => {
      const store = await open();
      const ghost = aMemory(9);
      expect(await store.memories.apply([restate(ghost, { pinned: true })], [])).toMatchObject({ lost: [ghost.id] });
    });

    it("moves the version with the text and the revision with every change", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      await store.memories.apply([restate(memory, { pinned: true })], []);
      expect(await store.memories.get(memory.id)).toMatchObject({ version: 1, revision: 2, pinned: true });
      await store.memories.apply([revise(memory, { content: "new" })], []);
      expect(await store.memories.get(memory.id)).toMatchObject({ version: 2, revision: 3, content: "new" });
    });

    it("refuses a change whose expected revision has passed, though the version has not", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      await store.memories.apply([restate(memory, { pinned: true })], []);
      const late: MemoryChange = {
        kind: "restate",
        id: memory.id,
        expectedVersion: 1,
        expectedRevision: 1,
        patch: { trust: 3 },
        provenance: [],
      };
      expect(await store.memories.apply([late], [])).toMatchObject({ applied: false, lost: [memory.id] });
    });

    it("loses no evidence to a memory that was superseded meanwhile: the change is reported as lost", async () => {
      const store = await open();
      const memory = aMemory(1);
      await store.memories.apply([add(memory)], []);
      await store.memories.apply([restate(memory, { status: "superseded", supersededBy: memoryId("two") })], []);
      const results = await Promise.all([
        store.memories.apply([restate(memory, { seen: 2 }, [aSource])], []),
        store.memories.apply([revise(memory, { content: "merged" })], []),
        store.memories.apply([restate(memory, { status: "superseded", supersededBy: memoryId("three") })], []),
      ]);
      expect(results.map((result) => result.applied)).toEqual([false, false, false]);
      expect((await store.memories.apply([restate(memory, { status: "active" })], [])).applied).toBe(true);
    });

    it("reports a restored memory whose place has been taken by the same text", async () => {
      const store = await open();
      const old = aMemory(1, { title: "Same", content: "same" });
      const young = aMemory(2, { title: "Same", content: "same" });
      await store.memories.apply([add(old)], []);
      await store.memories.apply([restate(old, { status: "forgotten" })], []);
      await store.memories.apply([add(young)], []);
      expect(await store.memories.apply([restate(old, { status: "active" })], [])).toEqual({
        applied: false,
        lost: [],
        duplicates: [{ change: 0, existing: young.id }],
      });
    });

    it("lists by scope, status, type, flag, pin, session, run and time", async () => {
      const store = await open();
      const later = new Date(NOW.getTime() + 1000);
      const ours = aMemory(1, { flags: ["conflicts"], provenance: [aSource] });
      const users = aMemory(2, { scope: { kind: "user" }, type: "preference", pinned: true, createdAt: later });
      const others = aMemory(3, { scope: { kind: "project", project: projectId("other") }, status: "archived" });
      await store.memories.apply([add(ours), add(users), add(others)], []);
      const ids = async (filter: Parameters<typeof store.memories.list>[0]): Promise<string[]> =>
        (await store.memories.list(filter)).map((memory) => memory.id);
      expect(await ids({ projects: [PROJECT] })).toEqual([ours.id]);
      expect(await ids({ projects: [PROJECT], user: true })).toEqual([users.id, ours.id]);
      expect(await ids({ user: true })).toEqual([users.id]);
      expect(await ids({ projects: [] })).toEqual([]);
      expect(await ids({ statuses: ["archived"] })).toEqual([others.id]);
      expect(await ids({ types: ["preference"] })).toEqual([users.id]);
      expect(await ids({ flags: ["conflicts"] })).toEqual([ours.id]);
      expect(await ids({ pinned: true })).toEqual([users.id]);
      expect(await ids({ session: sessionId("s-1") })).toEqual([ours.id]);
      expect(await ids({ run: runId("r-1") })).toEqual([ours.id]);
      expect(await ids({ since: later })).toEqual([users.id]);
      expect(await ids({ order: "stable", limit: 2 })).toEqual([ours.id, others.id]);
      const bare = await store.memories.list({ session: sessionId("s-1"), provenance: false });
      expect(bare).toEqual([{ ...ours, revision: 1, provenance: [] }]);
      expect(await store.memories.count({ projects: [PROJECT], user: true })).toBe(2);
      expect(await store.memories.countByStatus({})).toEqual({ active: 2, archived: 1 });
    });

    it("finds memories by the beginning of their id, ten at most", async () => {
      const store = await open();
      await store.memories.apply(
        Array.from({ length: 12 }, (_, at) => add(aMemory(at + 1))),
        [],
      );
      expect(await store.memories.findByPrefix("000003")).toHaveLength(1);
      expect(await store.memories.findByPrefix("0000")).toHaveLength(10);
      expect(await store.memories.findByPrefix("zz")).toEqual([]);
      expect(await store.memories.findByPrefix("%")).toEqual([]);
    });

    it("reads many in the order asked and leaves unknown ones out", async () => {
      const store = await open();
      await store.memories.apply([add(aMemory(1)), add(aMemory(2))], []);
      const read = await store.memories.getMany([aMemory(2).id, memoryId("nobody"), aMemory(1).id]);
      expect(read.map((memory) => memory.id)).toEqual([aMemory(2).id, aMemory(1).id]);
    });

    it("makes ids whose first six characters are free", async () => {
      const store = await open();
      const ids = await Promise.all(Array.from({ length: 20 }, () => store.memories.newId()));
      expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBe(20);
      expect(ids.every((id) => /^[0-9a-z]{12}$/.test(id))).toBe(true);
    });
  });
}
