/** One embedder for many memories: closing a memory closes the embedder that it was given, and this one goes on. */
import type { Embedder } from "../../src/index.ts";

export function keptOpen(embedder: Embedder): Embedder {
  const { fingerprint, dimensions, maxTokens, embedQuery } = embedder;
  return {
    fingerprint,
    dimensions,
    maxTokens,
    embed: (texts, options) => embedder.embed(texts, options),
    ...(embedQuery === undefined ? {} : { embedQuery: (text) => embedQuery.call(embedder, text) }),
    close: async () => {},
  };
}
