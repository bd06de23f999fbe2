/** Chooses the lines of the block: what fits the work at hand and what always applies, in one diverse list. */
import type { WorkFacets } from "../../core/facets.ts";
import type { MemoryId, ProjectId } from "../../core/ids.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import type { SearchHit } from "../../core/query.ts";
import type { SearchIndex } from "../../store/store.ts";
import { diversify } from "../rank/diversify.ts";
import type { BlockEntry } from "../render-block.ts";
import type { SearchDeps } from "../search.ts";
import { cachedEmbedder, type VectorCache } from "./cached-embedder.ts";
import { facetQueries } from "./facet-queries.ts";
import { type FacetMatch, type FacetMatches, matchFacets } from "./match-facets.ts";
import { type Prior, priorsOf } from "./priors.ts";

export interface ChooseDeps extends SearchDeps {
  /** Facets seldom change from one session to the next. */
  readonly vectors?: VectorCache;
}

export interface ChooseRequest {
  /** The current one first. */
  readonly projects: readonly ProjectId[];
  readonly facets: WorkFacets;
  /** Milliseconds since the epoch, on the clock of `now`. */
  readonly deadlineAt: number;
  readonly trusted: readonly MemoryRecord[];
  /** What must not be shown, however well it fits. */
  readonly accepts: (hit: SearchHit) => boolean;
}

export interface ChosenEntries {
  readonly entries: readonly BlockEntry[];
  /** Whether anything fits the work at hand. */
  readonly matched: boolean;
  readonly degraded: readonly string[];
}

const LINES = 6;
const MOST_OF_A_TYPE = 4;
const MOST_CHUNKS = 2;
/** What rendering and printing still need, and what one more text costs a model that runs in this process. */
const RESERVE_MS = 15;
const EMBED_MS = 15;

export async function chooseEntries(deps: ChooseDeps, request: ChooseRequest): Promise<ChosenEntries> {
  const { matches, degraded } = await findMatches(deps, request);
  const candidates = await candidatesOf(deps.index, matches, priorsOf(request.trusted, deps.now()));
  const chosen = diversify(candidates, LINES, acceptsBeside);
  return { entries: chosen.map(({ entry }) => entry), matched: matches.length > 0, degraded };
}

function findMatches(deps: ChooseDeps, request: ChooseRequest): Promise<FacetMatches> {
  const { embedder, vectors } = deps;
  const left = (): number => request.deadlineAt - deps.now().getTime();
  const hasTime = (): boolean => left() > RESERVE_MS + EMBED_MS;
  const bounded =
    embedder === undefined ? deps : { ...deps, embedder: cachedEmbedder({ embedder, cache: vectors, hasTime }) };
  return matchFacets(
    { ...bounded, armTimeoutMs: Math.max(1, left()) },
    {
      queries: facetQueries(request.facets),
      projects: request.projects,
      hasTime: () => left() > RESERVE_MS,
      accepts: request.accepts,
    },
  );
}

interface EntryCandidate {
  readonly entry: BlockEntry;
  readonly score: number;
  readonly vector: Float32Array | undefined;
}

/** Matches and priors in one list; a prior that also matches has both scores and the match's reason. */
async function candidatesOf(
  index: Pick<SearchIndex, "keysOfMemories" | "vectorsOf">,
  matches: readonly FacetMatch[],
  priors: readonly Prior[],
): Promise<EntryCandidate[]> {
  const entries = new Map<string, { readonly entry: BlockEntry; readonly score: number }>();
  for (const { hit, score, reason } of matches) {
    if (hit.unit === "fact") entries.set(hit.memory.id, { entry: { unit: "fact", memory: hit.memory, reason }, score });
    else entries.set(hit.chunk.id, { entry: { unit: "chunk", chunk: hit.chunk, reason }, score });
  }
  for (const { memory, score, reason } of priors) {
    const match = entries.get(memory.id) ?? { entry: { unit: "fact", memory, reason }, score: 0 };
    entries.set(memory.id, { entry: match.entry, score: match.score + score });
  }
  const ids = [...entries.values()].flatMap(({ entry }) => (entry.unit === "fact" ? [entry.memory.id] : []));
  const vectors = await bodyVectors(index, ids);
  return [...entries].map(([name, { entry, score }]) => ({ entry, score, vector: vectors.get(name) }));
}

async function bodyVectors(
  index: Pick<SearchIndex, "keysOfMemories" | "vectorsOf">,
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const keys = await index.keysOfMemories(ids);
  const stored = await index.vectorsOf([...keys.values()], "body", "fact");
  const vectors = new Map<string, Float32Array>();
  for (const [id, key] of keys) {
    const [vector] = stored.get(key) ?? [];
    if (vector !== undefined) vectors.set(id, vector);
  }
  return vectors;
}

/** No type fills the block but preferences, which are few and always apply. */
function acceptsBeside({ entry }: EntryCandidate, chosen: readonly EntryCandidate[]): boolean {
  if (entry.unit === "chunk") return chosen.filter((other) => other.entry.unit === "chunk").length < MOST_CHUNKS;
  const { type } = entry.memory;
  const alike = chosen.filter(({ entry: other }) => other.unit === "fact" && other.memory.type === type).length;
  return type === "preference" || alike < MOST_OF_A_TYPE;
}
