/** Files of tier 1 and their chunks. */
import { describe, expect, it } from "vitest";
import type { SourceFile } from "../../../src/core/chunk.ts";
import type { Store } from "../../../src/store/store.ts";
import { embedAll } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aChunk, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";

const FILE: SourceFile = {
  project: PROJECT,
  path: "AGENTS.md",
  contentHash: "h1",
  bytes: 10,
  modifiedAtMs: 1.25,
  loadedBy: ["codex"],
};
const FILTER = { unit: "chunk", projects: [PROJECT], user: false, statuses: ["active"] } as const;

async function found(store: Store, word: string): Promise<string[]> {
  const hits = await store.index.fulltext([{ text: word }], FILTER, 9);
  const chunks = await store.index.chunksByKey(hits.map(({ key }) => key));
  return hits.map(({ key }) => chunks.get(key)?.id ?? "");
}

export function fileContract(open: OpenStore): void {
  describe("files", () => {
    it("gives files and chunks back as they came, in their order", async () => {
      const store = await open();
      const chunks = [aChunk(2, { symbols: ["a.ts"] }), aChunk(1, { headings: [] })];
      await store.files.replace(FILE, chunks);
      expect(await store.files.list(PROJECT)).toEqual([FILE]);
      expect(await store.files.chunks(PROJECT, "AGENTS.md")).toEqual(chunks);
      expect(await store.files.counts(PROJECT)).toEqual({ files: 1, chunks: 2 });
      expect(await store.files.counts()).toEqual({ files: 1, chunks: 2 });
    });

    it("finds new text and no longer the old when a file has changed", async () => {
      const store = await open();
      await store.files.replace(FILE, [aChunk(1, { text: "walrus" }), aChunk(2, { text: "heron" })]);
      await store.files.replace({ ...FILE, contentHash: "h2" }, [
        aChunk(3, { text: "otter" }),
        aChunk(2, { text: "heron" }),
      ]);
      expect(await found(store, "walrus")).toEqual([]);
      expect(await found(store, "otter")).toEqual(["chunk-3"]);
      expect(await found(store, "heron")).toEqual(["chunk-2"]);
    });

    it("keeps the vectors of chunks whose text stays, wherever they move in the file", async () => {
      const store = await open();
      const embedder = hashEmbedder();
      const long = (number: number, fields = {}) => aChunk(number, { text: `piece ${number} `.repeat(60), ...fields });
      await store.files.replace(FILE, [long(1), long(2), long(3)]);
      await embedAll(store, embedder);
      await store.files.replace(FILE, [aChunk(9, { text: "new" }), long(3, { startLine: 1, endLine: 2 }), long(1)]);
      const missing = await store.index.missingVectors(embedder.fingerprint, 99);
      expect(missing.map(({ text }) => text)).toEqual(["Guide\nnew"]);
      expect((await store.files.chunks(PROJECT))[1]).toMatchObject({ startLine: 1, endLine: 2 });
    });

    it("embeds a short piece again when other pieces come to stand around it", async () => {
      const store = await open();
      const embedder = hashEmbedder();
      const missing = () => store.index.missingVectors(embedder.fingerprint, 99);
      await store.files.replace(FILE, [
        aChunk(1, { text: "one" }),
        aChunk(2, { text: "two" }),
        aChunk(3, { text: "three" }),
      ]);
      const aroundTwo = async () => (await missing()).find(({ text }) => text.endsWith("two"))?.around;
      expect((await aroundTwo())?.map(({ text }) => text)).toEqual(["one", "three"]);
      await embedAll(store, embedder);
      await store.files.replace(FILE, [aChunk(1, { text: "one" }), aChunk(2, { text: "two" })]);
      expect(await missing()).toHaveLength(1);
      expect((await aroundTwo())?.map(({ text }) => text)).toEqual(["one"]);
    });

    it("embeds nothing again when a file is renamed", async () => {
      const store = await open();
      const embedder = hashEmbedder();
      await store.files.replace(FILE, [aChunk(1), aChunk(2)]);
      await embedAll(store, embedder);
      await store.files.remove(PROJECT, "AGENTS.md");
      const renamed = [1, 2].map((number) => aChunk(number, { path: "CLAUDE.md" }));
      await store.files.replace({ ...FILE, path: "CLAUDE.md" }, renamed);
      expect(await store.index.reuseVectors(embedder.fingerprint)).toBe(2);
      expect(await store.index.countMissing(embedder.fingerprint)).toBe(0);
    });

    it("forgets a file that is removed, with its chunks", async () => {
      const store = await open();
      await store.files.replace(FILE, [aChunk(1, { text: "walrus" })]);
      await store.files.remove(PROJECT, "AGENTS.md");
      expect(await found(store, "walrus")).toEqual([]);
      expect(await store.files.counts(PROJECT)).toEqual({ files: 0, chunks: 0 });
    });

    it("moves time and size of a file and nothing else when it is touched", async () => {
      const store = await open();
      await store.files.replace(FILE, [aChunk(1)]);
      await store.files.touch({ ...FILE, bytes: 11, modifiedAtMs: 9 });
      expect(await store.files.list(PROJECT)).toEqual([{ ...FILE, bytes: 11, modifiedAtMs: 9 }]);
      expect(await store.files.chunks(PROJECT)).toEqual([aChunk(1)]);
    });
  });
}
