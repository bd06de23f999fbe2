/** What rules files and memories disagree on: each text is looked at once, and no conflict outlives what it was found in. */
import { describe, expect, it } from "vitest";
import type { Chunk, SourceFile } from "../../../src/core/chunk.ts";
import { projectId } from "../../../src/core/ids.ts";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import type { Store } from "../../../src/store/store.ts";
import { aChunk, aMemory, daysAgo, NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add, restate, revise } from "./changes.ts";

const RULES = { rules: "1", limit: 10 } as const;
const FILE: SourceFile = {
  project: PROJECT,
  path: "AGENTS.md",
  contentHash: "h1",
  bytes: 10,
  modifiedAtMs: daysAgo(5).getTime(),
  loadedBy: [],
};

async function openWith(open: OpenStore, memories: readonly MemoryRecord[], chunks: readonly Chunk[]): Promise<Store> {
  const store = await open();
  await store.memories.apply(memories.map(add), []);
  await store.files.replace(FILE, chunks);
  return store;
}

/** Looks at everything unchecked and finds that each memory contradicts each passage on its second line. */
async function findAll({ conflicts }: Store): Promise<void> {
  const texts = await conflicts.unchecked(PROJECT, RULES);
  const found = texts.memories.flatMap(({ key: memoryKey, memory }) =>
    texts.chunks.map(({ key: chunkKey, chunk }) => ({
      memoryKey,
      chunkKey,
      version: memory.version,
      contentHash: chunk.contentHash,
      conflict: { kind: "value", line: 2, fileSays: "pnpm", memorySays: "npm" } as const,
    })),
  );
  await conflicts.record(PROJECT, { rules: "1", texts, found });
}

const said = async ({ conflicts }: Store): Promise<string[]> =>
  (await conflicts.list(PROJECT)).map(({ path, line, memory }) => `${path}:${line} ${Number(memory.slice(0, 6))}`);

export function conflictContract(open: OpenStore): void {
  describe("conflicts of files with memories", () => {
    it("gives back what was found, with the line in the file, by path and line", async () => {
      const store = await openWith(open, [aMemory(1)], [aChunk(2), aChunk(1)]);
      await findAll(store);
      const [first, second] = await store.conflicts.list(PROJECT);
      const says = { kind: "value", fileSays: "pnpm", memorySays: "npm", winner: "file", memory: aMemory(1).id };
      expect(first).toEqual({ ...says, path: "AGENTS.md", line: 11 });
      expect(second?.line).toBe(21);
      expect(await store.conflicts.list(PROJECT, [aMemory(1).id])).toHaveLength(2);
      expect(await store.conflicts.list(PROJECT, [aMemory(2).id])).toEqual([]);
      expect(await store.conflicts.list(projectId("path:/elsewhere"))).toEqual([]);
    });

    it("names each text once, at most as many as asked for, and again when the text or the rules change", async () => {
      const memories = [aMemory(1), aMemory(2), aMemory(3, { scope: { kind: "user" } })];
      const store = await openWith(open, [...memories, aMemory(4, { status: "archived" })], [aChunk(1), aChunk(2)]);
      const open1 = await store.conflicts.unchecked(PROJECT, { rules: "1", limit: 2 });
      expect([open1.memories.length, open1.chunks.length]).toEqual([2, 2]);
      await findAll(store);
      expect(await store.conflicts.unchecked(PROJECT, RULES)).toEqual({ memories: [], chunks: [] });
      expect((await store.conflicts.unchecked(PROJECT, { rules: "2", limit: 10 })).memories).toHaveLength(3);
      await store.memories.apply([revise(aMemory(1), { content: "Other words" })], []);
      await store.files.replace(FILE, [aChunk(1), aChunk(2, { text: "Other words", contentHash: "new" })]);
      const again = await store.conflicts.unchecked(PROJECT, RULES);
      expect(again.memories.map(({ memory }) => memory.id)).toEqual([aMemory(1).id]);
      expect(again.chunks.map(({ chunk }) => chunk.text)).toEqual(["Other words"]);
    });

    it("drops a conflict when the passage changes or goes", async () => {
      const store = await openWith(open, [aMemory(1)], [aChunk(1), aChunk(2)]);
      await findAll(store);
      await store.files.replace(FILE, [aChunk(1, { text: "Other words", contentHash: "new" }), aChunk(2)]);
      expect(await said(store)).toEqual(["AGENTS.md:21 1"]);
      await store.files.remove(PROJECT, "AGENTS.md");
      expect(await said(store)).toEqual([]);
    });

    it("keeps it, at its new line, when the passage only moves", async () => {
      const store = await openWith(open, [aMemory(1)], [aChunk(1)]);
      await findAll(store);
      await store.files.replace(FILE, [aChunk(1, { startLine: 30, endLine: 35 })]);
      expect(await said(store)).toEqual(["AGENTS.md:31 1"]);
    });

    it("drops it when the memory is reworded, and when it is no longer live", async () => {
      const store = await openWith(open, [aMemory(1), aMemory(2), aMemory(3)], [aChunk(1)]);
      await findAll(store);
      await store.memories.apply(
        [revise(aMemory(1), { content: "Other words" }), restate(aMemory(2), { status: "archived" })],
        [],
      );
      expect(await said(store)).toEqual(["AGENTS.md:11 3"]);
    });

    it("forgets what an earlier look found and this one did not", async () => {
      const store = await openWith(open, [aMemory(1)], [aChunk(1)]);
      await findAll(store);
      const texts = await store.conflicts.unchecked(PROJECT, { rules: "2", limit: 10 });
      await store.conflicts.record(PROJECT, { rules: "2", texts, found: [] });
      expect(await said(store)).toEqual([]);
    });

    it("lets the memory win only where the user said so after the file's last change", async () => {
      const store = await openWith(
        open,
        [
          aMemory(1, { source: "user_stated", eventAt: NOW }),
          aMemory(2, { source: "user_stated", eventAt: daysAgo(9) }),
          aMemory(3, { source: "agent_inferred", eventAt: NOW }),
        ],
        [aChunk(1)],
      );
      await findAll(store);
      expect((await store.conflicts.list(PROJECT)).map(({ winner }) => winner)).toEqual(["memory", "file", "file"]);
    });
  });
}
