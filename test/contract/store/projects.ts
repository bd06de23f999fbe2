/** Projects and their merging. */
import { describe, expect, it } from "vitest";
import { type ProjectId, projectId } from "../../../src/core/ids.ts";
import type { ProjectRow } from "../../../src/store/store.ts";
import { aChunk, aMemory, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add } from "./changes.ts";

const OTHER = projectId("dir:0ther");
const row = (id: ProjectId, name: string): ProjectRow => ({ id, name, remote: null, root: `/${name}` });
const file = (project: ProjectId, path: string) =>
  ({ project, path, contentHash: path, bytes: 1, modifiedAtMs: 1.5, loadedBy: ["codex"] }) as const;

export function projectContract(open: OpenStore): void {
  describe("projects", () => {
    it("refreshes a project that it knows", async () => {
      const store = await open();
      await store.projects.upsert(row(PROJECT, "old"));
      expect(await store.projects.upsert({ ...row(PROJECT, "new"), remote: "example.com/x" })).toBe(PROJECT);
      expect(await store.projects.list()).toEqual([{ ...row(PROJECT, "new"), remote: "example.com/x" }]);
    });

    it("moves memories and files when two are merged, and the old id stands for the new one", async () => {
      const store = await open();
      await store.projects.upsert(row(PROJECT, "into"));
      await store.projects.upsert(row(OTHER, "from"));
      const scope = { kind: "project", project: OTHER } as const;
      await store.memories.apply([add(aMemory(1, { content: "badger" })), add(aMemory(2, { scope }))], []);
      await store.files.replace(file(OTHER, "A.md"), [aChunk(1, { project: OTHER, path: "A.md" })]);
      expect(await store.projects.merge(OTHER, PROJECT)).toEqual({ memories: 1, files: 1 });
      expect(await store.projects.upsert(row(OTHER, "from"))).toBe(PROJECT);
      expect((await store.projects.get(OTHER))?.name).toBe("into");
      expect(await store.projects.list()).toHaveLength(1);
      expect(await store.memories.count({ projects: [OTHER] })).toBe(2);
      expect(await store.files.counts(OTHER)).toEqual({ files: 1, chunks: 1 });
      const filter = { unit: "fact", projects: [OTHER], user: false, statuses: ["active"] } as const;
      expect(await store.index.fulltext([{ text: "badger" }], filter, 9)).toHaveLength(1);
      await store.memories.apply([add(aMemory(3, { scope }))], []);
      expect((await store.memories.get(aMemory(3).id))?.scope).toEqual({ kind: "project", project: PROJECT });
    });

    it("supersedes the one that moves where both hold the same text", async () => {
      const store = await open();
      await store.projects.upsert(row(PROJECT, "into"));
      await store.projects.upsert(row(OTHER, "from"));
      const [kept, moved] = [aMemory(1), aMemory(2, { title: "Title 1", content: "Content of number 1" })];
      await store.memories.apply([add(kept), add({ ...moved, scope: { kind: "project", project: OTHER } })], []);
      await store.projects.merge(OTHER, PROJECT);
      expect(await store.memories.get(moved.id)).toMatchObject({ status: "superseded", supersededBy: kept.id });
      expect((await store.memories.get(kept.id))?.status).toBe("active");
    });

    it("keeps the target's file where both have one at the same path", async () => {
      const store = await open();
      await store.projects.upsert(row(PROJECT, "into"));
      await store.projects.upsert(row(OTHER, "from"));
      await store.files.replace(file(PROJECT, "A.md"), [aChunk(1, { path: "A.md", text: "ours" })]);
      await store.files.replace(file(OTHER, "A.md"), [aChunk(2, { project: OTHER, path: "A.md", text: "theirs" })]);
      await store.projects.merge(OTHER, PROJECT);
      expect((await store.files.chunks(PROJECT)).map((chunk) => chunk.text)).toEqual(["ours"]);
    });

    it("refuses to merge a project with itself or into one that is unknown", async () => {
      const store = await open();
      await store.projects.upsert(row(PROJECT, "into"));
      await expect(store.projects.merge(PROJECT, PROJECT)).rejects.toMatchObject({ code: "INPUT_INVALID" });
      await expect(store.projects.merge(PROJECT, OTHER)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    });
  });
}
