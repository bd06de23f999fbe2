/** Drops everything derived and builds it again from what is canonical. */
import type { Memory, Progress } from "../core/memory.ts";
import { LIVE_STATUSES } from "../core/memory-record.ts";
import { embedMissing } from "./models/embed-missing.ts";
import type { Workbench } from "./workbench.ts";

export async function reindex(bench: Workbench, onProgress?: Progress): ReturnType<Memory["reindex"]> {
  const store = await bench.store();
  await store.rebuildDerived((done, total) => onProgress?.("indexing", done, total));
  const deps = { index: store.index, embedder: await bench.embedder() };
  const embedded = await embedMissing(deps, { onProgress });
  const { chunks } = await store.files.counts();
  return { memories: await store.memories.count({ statuses: LIVE_STATUSES }), chunks, embedded };
}
