/** Voyage AI. The endpoint puts its own prefixes before queries and documents; a text that is too long is refused, not cut. */
import { bearer, type EmbeddingWire, indexedEmbeddings, NO_PREFIXES } from "./embedding-wire.ts";

export const VOYAGE_WIRE: EmbeddingWire = {
  provider: "voyage",
  baseUrl: "https://api.voyageai.com/v1",
  mostTexts: 128,
  mostTokens: 100_000,
  maxTokens: 16_000,
  prefixes: () => NO_PREFIXES,
  headers: bearer,
  request: ({ texts, kind, model, dimensions }) => ({
    path: "/embeddings",
    body: {
      model,
      input: texts,
      input_type: kind,
      truncation: false,
      ...(dimensions === null ? {} : { output_dimension: dimensions }),
    },
  }),
  vectors: indexedEmbeddings,
};
