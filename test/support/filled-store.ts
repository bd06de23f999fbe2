/** A real store in memory with what a test needs in it, embedded by a fake that obeys the contract. */
import type { Chunk } from "../../src/core/chunk.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { Embedder } from "../../src/models/embedder.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { NOW, PROJECT } from "./records.ts";

export interface StoreContents {
  readonly memories?: readonly MemoryRecord[];
  readonly chunks?: readonly Chunk[];
  /** Embeds everything and starts serving its vectors. */
  readonly embedder?: Embedder;
}

export async function filledStore({ memories = [], chunks = [], embedder }: StoreContents): Promise<Store> {
  const store = await openSqliteStore({ path: ":memory:", now: () => NOW });
  await store.projects.upsert({ id: PROJECT, name: "acme/billing", remote: "example.com/acme/billing", root: "/work" });
  await store.memories.apply(
    memories.map((memory) => ({ kind: "add", memory })),
    [],
  );
  for (const path of new Set(chunks.map((chunk) => chunk.path))) {
    const file = { project: PROJECT, path, contentHash: path, bytes: 1, modifiedAtMs: 0, loadedBy: [] };
    await store.files.replace(
      file,
      chunks.filter((chunk) => chunk.path === path),
    );
  }
  if (embedder !== undefined) await embedAll(store, embedder);
  return store;
}

export async function embedAll({ index }: Store, embedder: Embedder): Promise<void> {
  await index.activate(embedder.fingerprint, embedder.dimensions);
  for (;;) {
    const missing = await index.missingVectors(embedder.fingerprint, 256);
    if (missing.length === 0) return;
    const vectors = await embedder.embed(missing.map(({ text }) => text));
    await index.putVectors(
      embedder.fingerprint,
      missing.flatMap((text, at) => {
        const vector = vectors[at];
        return vector === undefined ? [] : [{ ...text, vector }];
      }),
    );
  }
}
