/** Cohere, version 2 of its API: 96 texts a request, and a word for what a text is to the search. */
import { bearer, type EmbeddingWire, field, NO_PREFIXES } from "./embedding-wire.ts";

export const COHERE_WIRE: EmbeddingWire = {
  provider: "cohere",
  baseUrl: "https://api.cohere.com/v2",
  mostTexts: 96,
  mostTokens: 40_000,
  maxTokens: 500,
  prefixes: () => NO_PREFIXES,
  headers: bearer,
  request: ({ texts, kind, model, dimensions }) => ({
    path: "/embed",
    body: {
      model,
      texts,
      input_type: kind === "query" ? "search_query" : "search_document",
      embedding_types: ["float"],
      truncate: "NONE",
      ...(dimensions === null ? {} : { output_dimension: dimensions }),
    },
  }),
  vectors: (answer) => {
    const vectors = field(field(answer, "embeddings"), "float");
    return Array.isArray(vectors) ? vectors : [];
  },
};
