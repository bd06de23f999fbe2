/** Builds everything derived again from what is canonical; what there is serves until then. */
import type { Memory, Progress } from "../core/memory.ts";
import { LIVE_STATUSES } from "../core/memory-record.ts";
import { rebuildVectors } from "./models/build-vectors.ts";
import type { Workbench } from "./workbench.ts";

export async function reindex(
  bench: Workbench,
  onProgress?: Progress,
  signal?: AbortSignal,
): ReturnType<Memory["reindex"]> {
  const store = await bench.store();
  await store.rebuildDerived((done, total) => onProgress?.("indexing", done, total));
  const embedded = await rebuildVectors(bench, { onProgress, signal });
  const { chunks } = await store.files.counts();
  return { memories: await store.memories.count({ statuses: LIVE_STATUSES }), chunks, embedded };
}
