/**
 * What every embedding model owes the rest of ArcticMem: text in, unit-length vectors out.
 * Thresholds are no part of it: a cosine means something else for each model, so they are looked up
 * elsewhere by `fingerprint`.
 */

/**
 * What a text is to the search. Some models put another prefix before each; a model without
 * prefixes ignores it.
 */
export type EmbedKind = "query" | "document";

export interface EmbedOptions {
  /** Default: "document". */
  readonly kind?: EmbedKind;
  /** Stops the work between two texts; `embed` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Embedder {
  /** Model name and revision. Stored beside every vector: a different one means re-embed. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Most tokens, special ones included, that the model reads at once. Chunks stay below it. */
  readonly maxTokens: number;

  /**
   * @param texts - Any number, in any language; an empty text has a vector too.
   * @returns One unit-length vector of `dimensions` floats per text, in the order given.
   * @throws {ModelError} `retryable` on time-outs, 429 and 5xx.
   * @throws {ArcticMemError} MODEL_FILE_BROKEN when a local model is missing or damaged.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;

  /**
   * Embeds one query on the calling thread and returns at once: the door for short-lived processes.
   * Only models that run in this process have it; elsewhere use `embed([text], { kind: "query" })`.
   *
   * @throws {ArcticMemError} MODEL_FILE_BROKEN when the model is missing or damaged.
   */
  readonly embedQuery?: (text: string) => Float32Array;

  /** Frees threads, files and memory. A closed embedder must not be used again; closing twice is harmless. */
  close(): Promise<void>;
}
