/** Asks a reranker about what was found. Whatever goes wrong with it, the fused order stands, and the answer says so. */
import { messageOf } from "../core/errors.ts";
import type { SearchHit } from "../core/query.ts";
import type { RerankCandidate, Reranker } from "../models/reranker.ts";
import { orderSuccessors } from "./rank/order-successors.ts";

export interface RerankDeps {
  readonly reranker: Reranker;
  readonly timeoutMs: number;
}

export interface RerankInput {
  readonly query: string;
  /** Best first by the fused scores. */
  readonly hits: readonly SearchHit[];
  readonly signal?: AbortSignal | undefined;
}

export interface Reranked {
  readonly hits: readonly SearchHit[];
  /** `reranker: reason` where it did not answer. */
  readonly degraded: readonly string[];
}

/** With fewer there is nothing to choose. */
const LEAST_HITS = 2;

/** What the reranker names comes first, in its order; all else follows in the fused one. Nothing is lost or added. */
export async function rerankHits(deps: RerankDeps, { query, hits, signal }: RerankInput): Promise<Reranked> {
  if (hits.length < LEAST_HITS) return { hits, degraded: [] };
  const shown = hits.slice(0, deps.reranker.maxCandidates);
  const late = AbortSignal.timeout(deps.timeoutMs);
  const until = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    const asked = deps.reranker.rerank({ query, candidates: shown.map(candidateOf), signal: until });
    const handles = await Promise.race([asked, rejectedBy(until)]);
    const chosen = [...new Set(handles)].flatMap((handle) => shown[handle - 1] ?? []);
    const others = hits.filter((hit) => !chosen.includes(hit));
    return { hits: orderSuccessors([...chosen, ...others]), degraded: [] };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { hits, degraded: [`reranker: ${messageOf(thrown)}`] };
  }
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
