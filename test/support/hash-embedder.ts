/**
 * An embedder without a model: each word of a text adds a pseudo-random direction of its own, so that texts that share
 * words are near one another. Deterministic on every machine, and fast; it knows nothing of meaning.
 */
import type { Embedder, EmbedOptions } from "../../src/models/embedder.ts";

export interface HashEmbedderOptions {
  /** Default 64. */
  readonly dimensions?: number;
  /** Default `hash-<dimensions>`: another one stands for another model. */
  readonly fingerprint?: string;
  /** Called with the texts of each `embed`, so that a test can count what was embedded. */
  readonly onEmbed?: (texts: readonly string[]) => void;
}

/** FNV-1a over UTF-16 units: 32 bits, the same everywhere. */
function hashWord(word: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < word.length; index += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

function addWord(vector: Float32Array, word: string, seed: number): void {
  let state = hashWord(word, seed) || 1;
  for (let index = 0; index < vector.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[index] = (vector[index] ?? 0) + (state >>> 0) / 0x80000000 - 1;
  }
}

function unitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}

function embedText(text: string, dimensions: number, seed: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) addWord(vector, word, seed);
  // An empty text, or words that cancel out, still has a direction.
  if (vector.every((value) => value === 0)) addWord(vector, "\u0000", seed);
  return unitLength(vector);
}

/** An `Embedder` for tests. Two fingerprints give unrelated vectors. */
export function hashEmbedder(options: HashEmbedderOptions = {}): Embedder & { embedQuery(text: string): Float32Array } {
  const dimensions = options.dimensions ?? 64;
  const fingerprint = options.fingerprint ?? `hash-${dimensions}`;
  const seed = hashWord(fingerprint, 0);
  let closed = false;
  const requireOpen = (): void => {
    if (closed) throw new Error("this hash embedder was closed");
  };
  return {
    fingerprint,
    dimensions,
    maxTokens: 256,
    async embed(texts: readonly string[], { signal }: EmbedOptions = {}): Promise<Float32Array[]> {
      requireOpen();
      signal?.throwIfAborted();
      options.onEmbed?.(texts);
      return texts.map((text) => embedText(text, dimensions, seed));
    },
    embedQuery(text: string): Float32Array {
      requireOpen();
      return embedText(text, dimensions, seed);
    },
    async close(): Promise<void> {
      closed = true;
    },
  };
}
