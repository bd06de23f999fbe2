/** What differs between the providers of embeddings: addresses, bodies, limits. The road that they share is `HttpEmbedder`. */
import type { EmbedKind } from "../../embedder.ts";

export interface WireRequest {
  readonly texts: readonly string[];
  readonly kind: EmbedKind;
  readonly model: string;
  /** What the user wants of a model that can give several; null: its own. */
  readonly dimensions: number | null;
}

export interface Prefixes {
  readonly query: string;
  readonly document: string;
}

export interface EmbeddingWire {
  /** As in the config. */
  readonly provider: string;
  /** Where there is one address for all customers. */
  readonly baseUrl: string | null;
  /** Most texts of one request. */
  readonly mostTexts: number;
  /** Most tokens of one request, by our estimate. */
  readonly mostTokens: number;
  /** Most tokens of one text. */
  readonly maxTokens: number;
  /** Put before texts where the model wants that and the endpoint does not do it. */
  prefixes(model: string): Prefixes;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** What of the base URL the path stands behind, where people name more of it; default: all. */
  host?(baseUrl: string): string;
  /** Behind the base URL, and the body to send. */
  request(request: WireRequest): { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  /** The vectors of an answer, in the order of the texts; what can't be read is left out, and missed later. */
  vectors(answer: unknown): readonly unknown[];
}

export const NO_PREFIXES: Prefixes = { query: "", document: "" };

export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** A field of a JSON object; undefined of anything else. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Items of `{ data: [{ index, embedding }] }`, by their index where they have one. */
export function indexedEmbeddings(answer: unknown): readonly unknown[] {
  const data = field(answer, "data");
  if (!Array.isArray(data)) return [];
  const vectors: unknown[] = new Array(data.length).fill(undefined);
  for (const [at, item] of data.entries()) {
    const index = field(item, "index");
    vectors[typeof index === "number" ? index : at] = field(item, "embedding");
  }
  return vectors;
}
