/** Embeddings as OpenAI has them, and as Ollama, LM Studio, vLLM and llama.cpp speak them too. */
import { bearer, type EmbeddingWire, indexedEmbeddings, NO_PREFIXES, type Prefixes } from "./embedding-wire.ts";

/** What open models want before their texts, by a part of their names. Of their model cards. */
const KNOWN_PREFIXES: readonly (readonly [name: RegExp, prefixes: Prefixes])[] = [
  [/arctic-embed2|arctic-embed-[lm]-v2/, { query: "query: ", document: "" }],
  [/arctic-embed/, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
  [/nomic-embed/, { query: "search_query: ", document: "search_document: " }],
  [/(?:^|[/-])e5-(?!.*instruct)/, { query: "query: ", document: "passage: " }],
  [/mxbai-embed|bge-.*-en/, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
  [/embeddinggemma/, { query: "task: search result | query: ", document: "title: none | text: " }],
];

export const OPENAI_COMPATIBLE_WIRE: EmbeddingWire = {
  provider: "openai-compatible",
  baseUrl: null,
  mostTexts: 64,
  mostTokens: 100_000,
  maxTokens: 2_000,
  prefixes: (model) => KNOWN_PREFIXES.find(([name]) => name.test(model.toLowerCase()))?.[1] ?? NO_PREFIXES,
  headers: bearer,
  request: ({ texts, model, dimensions }) => ({
    path: "/embeddings",
    body: { model, input: texts, encoding_format: "float", ...(dimensions === null ? {} : { dimensions }) },
  }),
  vectors: indexedEmbeddings,
};
