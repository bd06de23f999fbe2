/** Google's Gemini API. The first model takes the task as a field, later ones want it in the text. */
import { type EmbeddingWire, field, NO_PREFIXES } from "./embedding-wire.ts";

const TAKES_TASK = /^(?:gemini-embedding-001|text-embedding-|embedding-)/;

export const GEMINI_WIRE: EmbeddingWire = {
  provider: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  mostTexts: 100,
  mostTokens: 20_000,
  maxTokens: 2_000,
  prefixes: (model) =>
    TAKES_TASK.test(model) ? NO_PREFIXES : { query: "task: search result | query: ", document: "title: none | text: " },
  headers: (key) => (key === undefined ? {} : { "x-goog-api-key": key }),
  request: ({ texts, kind, model, dimensions }) => {
    const common = {
      model: `models/${model}`,
      ...(TAKES_TASK.test(model) ? { taskType: kind === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT" } : {}),
      ...(dimensions === null ? {} : { outputDimensionality: dimensions }),
    };
    return {
      path: `/models/${model}:batchEmbedContents`,
      body: { requests: texts.map((text) => ({ ...common, content: { parts: [{ text }] } })) },
    };
  },
  vectors: (answer) => {
    const embeddings = field(answer, "embeddings");
    return Array.isArray(embeddings) ? embeddings.map((embedding) => field(embedding, "values")) : [];
  },
};
