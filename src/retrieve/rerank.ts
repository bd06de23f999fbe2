/** Asks a reranker about what was found. Whatever goes wrong with it, the fused order stands, and the answer says so. */
import { messageOf } from "../core/errors.ts";
import type { SearchHit } from "../core/query.ts";
import type { RerankCandidate, Reranker } from "../models/reranker.ts";

export interface RerankDeps {
  readonly reranker: Reranker;
  readonly timeoutMs: number;
}

export interface RerankInput<Hit extends SearchHit> {
  readonly query: string;
  /** What may be chosen from, best first by the fused scores; more than is found without a reranker. */
  readonly shown: readonly Hit[];
  /** What is found without one. */
  readonly hits: readonly Hit[];
  readonly signal?: AbortSignal | undefined;
}

export interface Reranked<Hit extends SearchHit> {
  readonly hits: readonly Hit[];
  /** Of them, those that the reranker named. */
  readonly chosen: readonly Hit[];
  /** `reranker: reason` where it did not answer. */
  readonly degraded: readonly string[];
}

/** With fewer there is nothing to choose; but where nothing is found without it, one is a choice. */
const LEAST_HITS = 2;

/** What the reranker names comes first, in its order; what would be found anyway follows in the fused one. */
export async function rerankHits<Hit extends SearchHit>(
  deps: RerankDeps,
  { query, shown, hits, signal }: RerankInput<Hit>,
): Promise<Reranked<Hit>> {
  const offered = shown.slice(0, deps.reranker.maxCandidates);
  if (offered.length < Math.min(LEAST_HITS, hits.length + 1)) return { hits, chosen: [], degraded: [] };
  const late = AbortSignal.timeout(deps.timeoutMs);
  const until = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    const asked = deps.reranker.rerank({ query, candidates: offered.map(candidateOf), signal: until });
    const handles = await Promise.race([asked, rejectedBy(until)]);
    const chosen = [...new Set(handles)].flatMap((handle) => offered[handle - 1] ?? []);
    const ids = new Set(chosen.map(idOf));
    return { hits: [...chosen, ...hits.filter((hit) => !ids.has(idOf(hit)))], chosen, degraded: [] };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { hits, chosen: [], degraded: [`reranker: ${messageOf(thrown)}`] };
  }
}

function idOf(hit: SearchHit): string {
  return hit.unit === "fact" ? hit.memory.id : hit.chunk.id;
}

function candidateOf(hit: SearchHit, at: number): RerankCandidate {
  if (hit.unit === "fact") return { handle: at + 1, title: hit.memory.title, text: hit.memory.content };
  const { path, headings, text } = hit.chunk;
  return { handle: at + 1, title: [path, ...headings].join(" › "), text };
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
