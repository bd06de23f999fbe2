/** Finding and reading: search, one memory with what stands around it, lists. */
import { given } from "../core/given.ts";
import type { ListRequest, MemoryView, SearchRequest } from "../core/memory.ts";
import { LIVE_STATUSES, type MemoryRecord } from "../core/memory-record.ts";
import type { SearchAnswer, SearchHit } from "../core/query.ts";
import { conflictNotesOf, conflictsOf } from "./conflicts/file-conflicts.ts";
import { checkFreshness, noteFreshness } from "./freshness.ts";
import { askInOneModel } from "./models/ask-in-one-model.ts";
import { measuredSettings } from "./models/calibration.ts";
import { rerankerOf } from "./models/reranking.ts";
import { resolveHandle } from "./resolve-handle.ts";
import { retrievalProfile } from "./start/retrieval-profile.ts";
import type { Workbench } from "./workbench.ts";

const DEFAULT_LIST = 200;

/** @param refresh - Brings tier 1 in step before the query is answered. */
export async function searchMemories(
  bench: Workbench,
  request: SearchRequest,
  refresh: () => Promise<void>,
): Promise<SearchAnswer> {
  const { search } = await import("../retrieve/search.ts");
  await refresh();
  const { limit, ...rest } = request;
  const { index } = await bench.store();
  const query = { ...rest, projects: [await bench.projectId()], limit: limit ?? (await bench.config()).search.limit };
  const rerank = await rerankerOf(bench);
  const { halfLifeDays } = (await retrievalProfile(bench)) ?? {};
  const answer = await askInOneModel(bench, async (embedder) => {
    const settings = await measuredSettings(bench, embedder?.fingerprint);
    return search({ index, embedder, now: bench.now, rerank, halfLifeDays, ...given({ settings }) }, query);
  });
  const hits = rest.asOf === undefined ? answer.hits : await asTheyRead(bench, answer.hits, rest.asOf);
  return { ...answer, hits, notes: [...answer.notes, ...(await conflictNotesOf(bench, memoriesAmong(answer.hits)))] };
}

/** What is found is found by what it says now; what is told of it is what it said at that moment. */
async function asTheyRead(bench: Workbench, hits: readonly SearchHit[], at: Date): Promise<SearchHit[]> {
  const { memories } = await bench.store();
  return Promise.all(
    hits.map(async (hit) => {
      if (hit.unit !== "fact") return hit;
      const earlier = await memories.history(hit.memory.id);
      return { ...hit, memory: earlier.findLast(({ until }) => until > at)?.memory ?? hit.memory };
    }),
  );
}

export function memoriesAmong(hits: readonly SearchHit[]): MemoryRecord[] {
  return hits.flatMap((hit) => (hit.unit === "fact" ? [hit.memory] : []));
}

export async function viewMemory(bench: Workbench, handle: string): Promise<MemoryView> {
  return aroundMemory(bench, await resolveHandle(bench, handle));
}

/** A memory with its successor, its conflicts, and whether what it cites still stands in this checkout. */
export async function aroundMemory(bench: Workbench, memory: MemoryRecord): Promise<MemoryView> {
  const { memories } = await bench.store();
  const successor = memory.supersededBy === null ? undefined : await memories.get(memory.supersededBy);
  const conflicts = await memories.getMany(memory.conflictsWith);
  const found = await checkFreshness(bench, memory);
  await noteFreshness(bench, memory, found).catch(() => false);
  const fileConflicts = await conflictsOf(bench, [memory.id]);
  return { memory, ...found, successor: successor ?? null, conflicts, fileConflicts };
}

export async function listMemories(bench: Workbench, request: ListRequest): Promise<MemoryRecord[]> {
  const { types, statuses = LIVE_STATUSES, everywhere = false, pinned, limit = DEFAULT_LIST } = request;
  return (await bench.store()).memories.list({
    ...(everywhere ? {} : { projects: [await bench.projectId()], user: true }),
    ...given({ types, pinned }),
    statuses,
    limit,
  });
}
