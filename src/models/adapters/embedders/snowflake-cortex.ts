/** Snowflake Cortex, under the account's own address. Each vector comes in a list of its own. */
import { bearer, type EmbeddingWire, indexedEmbeddings, NO_PREFIXES } from "./embedding-wire.ts";
import { OPENAI_COMPATIBLE_WIRE } from "./openai-compatible.ts";

export const SNOWFLAKE_CORTEX_WIRE: EmbeddingWire = {
  provider: "snowflake-cortex",
  baseUrl: null,
  mostTexts: 64,
  mostTokens: 30_000,
  maxTokens: 500,
  prefixes: (model) => (/arctic/.test(model) ? OPENAI_COMPATIBLE_WIRE.prefixes(model) : NO_PREFIXES),
  headers: bearer,
  request: ({ texts, model }) => ({ path: "/api/v2/cortex/inference:embed", body: { model, text: texts } }),
  host: (baseUrl) => baseUrl.replace(/\/api\/v2(?:\/.*)?$/, ""),
  vectors: (answer) =>
    indexedEmbeddings(answer).map((vector) => (Array.isArray(vector) && Array.isArray(vector[0]) ? vector[0] : vector)),
};
