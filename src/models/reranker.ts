/**
 * What a reranker owes search: it is shown what was found, best first by the fused scores, and says what fits best. It is
 * asked for an opinion, never trusted with the answer: what it does not name keeps its order, and a reranker that fails or
 * is late changes nothing.
 *
 * Two kinds fit the contract. A language model that selects from titles is there (`adapters/model-selector.ts`). A
 * cross-encoder would score each text against the query and return all handles by score; none is built in.
 */
export interface RerankCandidate {
  /** From 1, in the order of the fused list. */
  readonly handle: number;
  /** One line. */
  readonly title: string;
  /** For rerankers that read more than titles. */
  readonly text: string;
}

export interface RerankRequest {
  readonly query: string;
  readonly candidates: readonly RerankCandidate[];
  readonly signal?: AbortSignal | undefined;
}

export interface Reranker {
  readonly name: string;
  /** Most candidates that it can be shown. */
  readonly maxCandidates: number;
  /**
   * @returns Handles, best first; any number of them, each taken once. Those that no candidate has are ignored by the
   *   caller.
   * @throws {ModelError} where it has no opinion.
   */
  rerank(request: RerankRequest): Promise<readonly number[]>;
}
