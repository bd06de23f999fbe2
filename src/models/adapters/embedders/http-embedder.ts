/**
 * Any embedding endpoint behind the `Embedder` contract: texts in batches within its limits, tries again where that
 * helps, and vectors that are checked before anything is kept.
 */
import { ModelError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { estimateTokens } from "../../../core/tokens.ts";
import { cutAt } from "../../../text/clean.ts";
import { type KeySource, readApiKey } from "../../api-key.ts";
import type { Embedder, EmbedOptions } from "../../embedder.ts";
import type { Variables } from "../../http/proxy.ts";
import { DEFAULT_RETRY, REAL_RETRY_DEPS, type RetryDeps, type RetryPolicy, withRetries } from "../../retry.ts";
import type { EmbeddingWire, Prefixes } from "./embedding-wire.ts";
import { postJson } from "./post-json.ts";
import { meanVector, unitVector } from "./vectors.ts";

export interface EmbeddingEndpoint {
  readonly wire: EmbeddingWire;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: KeySource;
  /** Asked of the model; null: its own. */
  readonly dimensions: number | null;
  /** Of an earlier answer with the same settings, so that nothing has to be asked to know them. */
  readonly knownDimensions?: number | undefined;
  /** Null: what is known of the model. */
  readonly prefixes: { readonly query: string | null; readonly document: string | null };
  /** Null: what the provider's models take. */
  readonly maxTokens: number | null;
  readonly timeoutMs: number;
  readonly environment: Variables;
}

export interface HttpEmbedderOptions {
  readonly retry?: RetryPolicy;
  readonly retryDeps?: RetryDeps;
  readonly now?: () => Date;
}

/** Endpoints refuse an empty text. */
const STANDS_FOR_NOTHING = ".";
/** Most pieces of one text: who has more to say is chunked before. */
const MAX_PIECES = 8;
/** An endpoint that finds so few characters too long will not take any text. */
const SHORTEST_TEXT = 64;
const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * Asks the endpoint how long its vectors are where that is not known yet.
 *
 * @throws {ModelError} where it has to be asked and does not answer.
 */
export async function openHttpEmbedder(
  endpoint: EmbeddingEndpoint,
  options: HttpEmbedderOptions = {},
): Promise<Embedder> {
  const known = endpoint.dimensions ?? endpoint.knownDimensions;
  if (known !== undefined) return new HttpEmbedder(endpoint, known, options);
  const answer = await new Exchange(endpoint, options).ask(["length"], {});
  if (answer instanceof ModelError) throw answer;
  const [values] = answer;
  if (Array.isArray(values) && values.length > 0) return new HttpEmbedder(endpoint, values.length, options);
  throw new ModelError(`${nameOf(endpoint)} at ${endpoint.baseUrl} gave no vector.`, {
    retryable: false,
    hint: "Check that the model is one for embeddings.",
  });
}

const nameOf = ({ wire, model }: EmbeddingEndpoint): string => `${wire.provider}:${model}`;

function prefixesOf({ wire, model, prefixes }: EmbeddingEndpoint): Prefixes {
  const known = wire.prefixes(model);
  return { query: prefixes.query ?? known.query, document: prefixes.document ?? known.document };
}

/** Of the texts before queries and documents: others make other vectors. Empty where there are none. */
export function prefixTag({ query, document }: Prefixes): string {
  return query + document === "" ? "" : `+${sha256(`${query}\n${document}`).slice(0, 6)}`;
}

class HttpEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly #exchange: Exchange;
  readonly #wire: EmbeddingWire;
  readonly #name: string;

  constructor(endpoint: EmbeddingEndpoint, dimensions: number, options: HttpEmbedderOptions) {
    this.#wire = endpoint.wire;
    this.#name = nameOf(endpoint);
    this.#exchange = new Exchange(endpoint, options);
    this.dimensions = dimensions;
    this.maxTokens = endpoint.maxTokens ?? endpoint.wire.maxTokens;
    this.fingerprint = `${this.#name}@${dimensions}${prefixTag(prefixesOf(endpoint))}`;
  }

  /** {@inheritDoc Embedder.embed} A document beyond `maxTokens` is read in pieces, a query is cut. */
  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    options.signal?.throwIfAborted();
    const most = options.kind === "query" ? 1 : MAX_PIECES;
    const pieces = texts.map((text) => piecesOf(text.replace(LONE_SURROGATE, "\ufffd"), this.maxTokens).slice(0, most));
    const vectors: Float32Array[] = [];
    for (const batch of batchesOf(pieces.flat(), this.#wire)) vectors.push(...(await this.#vectors(batch, options)));
    let at = 0;
    return pieces.map((parts) => meanVector(parts.map((part) => partOf(part, vectors[at++]))));
  }

  /** Closes nothing: connections end by themselves. */
  async close(): Promise<void> {}

  /** What is too much for the endpoint is halved: first the batch, then the text. */
  async #vectors(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const answer = await this.#exchange.ask(texts, options);
    if (!(answer instanceof ModelError)) {
      if (answer.length === texts.length) return answer.map((values) => this.#checked(values));
      const message = `${this.#name} gave ${answer.length} vectors for ${texts.length} texts.`;
      throw new ModelError(message, { retryable: true });
    }
    const [text = ""] = texts;
    if (texts.length === 1 && text.length < SHORTEST_TEXT) throw answer;
    const middle = Math.ceil((texts.length === 1 ? text : texts).length / 2);
    if (texts.length > 1) {
      return [
        ...(await this.#vectors(texts.slice(0, middle), options)),
        ...(await this.#vectors(texts.slice(middle), options)),
      ];
    }
    const left = cutAt(text, middle);
    const halves = options.kind === "query" ? [left] : [left, text.slice(left.length)];
    const parts = [];
    for (const half of halves) parts.push(partOf(half, (await this.#vectors([half], options))[0]));
    return [meanVector(parts)];
  }

  #checked(values: unknown): Float32Array {
    return unitVector(Array.isArray(values) ? values : [], this.dimensions, this.#name);
  }
}

function partOf(text: string, vector: Float32Array | undefined): { vector: Float32Array; weight: number } {
  return { vector: vector ?? new Float32Array(0), weight: text.length };
}

/** Pieces of at most `maxTokens`, by estimate. A piece of nothing is given a text that endpoints take. */
function piecesOf(text: string, maxTokens: number): string[] {
  if (text.trim() === "") return [STANDS_FOR_NOTHING];
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return [text];
  const length = Math.max(1, Math.floor((text.length * maxTokens) / tokens));
  const pieces: string[] = [];
  for (let at = 0; at < text.length && pieces.length < MAX_PIECES; at += pieces.at(-1)?.length ?? length) {
    pieces.push(cutAt(text.slice(at), length) || text.slice(at, at + 2));
  }
  return pieces.map((piece) => (piece.trim() === "" ? STANDS_FOR_NOTHING.padEnd(piece.length) : piece));
}

function batchesOf(texts: readonly string[], { mostTexts, mostTokens }: EmbeddingWire): string[][] {
  const batches: string[][] = [];
  let tokens = 0;
  for (const text of texts) {
    const own = estimateTokens(text);
    const last = batches.at(-1);
    if (last === undefined || last.length === mostTexts || tokens + own > mostTokens) {
      batches.push([text]);
      tokens = own;
    } else {
      last.push(text);
      tokens += own;
    }
  }
  return batches;
}

/** Requests and their retries. */
class Exchange {
  readonly #endpoint: EmbeddingEndpoint;
  readonly #options: HttpEmbedderOptions;
  readonly #prefixes: Prefixes;

  constructor(endpoint: EmbeddingEndpoint, options: HttpEmbedderOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#prefixes = prefixesOf(endpoint);
  }

  /**
   * @returns The vectors as they came, or the endpoint's refusal of so much text.
   * @throws {ModelError}, {ArcticMemError} `CONFIG_INVALID` where the key is missing.
   */
  async ask(
    texts: readonly string[],
    { kind = "document", signal }: EmbedOptions,
  ): Promise<readonly unknown[] | ModelError> {
    const { wire, baseUrl, model, dimensions, timeoutMs, environment } = this.#endpoint;
    const key = await readApiKey(this.#endpoint.key, environment);
    const prefixed = texts.map((text) => this.#prefixes[kind] + text);
    const { path, body } = wire.request({ texts: prefixed, kind, model, dimensions });
    const { retry = DEFAULT_RETRY, retryDeps = REAL_RETRY_DEPS, now = () => new Date() } = this.#options;
    const post = {
      url: new URL((wire.host?.(baseUrl) ?? baseUrl).replace(/\/+$/, "") + path),
      headers: wire.headers(key),
      body,
      key,
      name: nameOf(this.#endpoint),
      timeoutMs,
      signal,
      variables: environment,
      now,
    };
    const outcome = await withRetries(() => postJson(post), { policy: retry, deps: retryDeps, signal });
    return "tooLong" in outcome ? outcome.tooLong : wire.vectors(outcome.answer);
  }
}
