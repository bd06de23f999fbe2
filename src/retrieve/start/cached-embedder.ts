/**
 * An embedder for a process that must answer soon: what was embedded in an earlier session is taken from a cache, and
 * once time is short nothing new is embedded.
 */
import { ArcticMemError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { Embedder } from "../../models/embedder.ts";

/** Vectors by name; a lost entry costs time and nothing else. */
export interface VectorCache {
  get(name: string): Promise<Float32Array | undefined>;
  set(name: string, vector: Float32Array): Promise<void>;
}

export interface CachedEmbedderDeps {
  readonly embedder: Embedder;
  readonly cache: VectorCache | undefined;
  /** Whether there is time for one more text. */
  readonly hasTime: () => boolean;
}

export function cachedEmbedder({ embedder, cache, hasTime }: CachedEmbedderDeps): Embedder {
  const embedOne = async (text: string): Promise<Float32Array> => {
    const name = sha256(`${embedder.fingerprint}\n${text}`);
    const known = await cache?.get(name);
    if (known !== undefined && known.length === embedder.dimensions) return known;
    if (!hasTime()) throw new ArcticMemError("MODEL_FAILED", "no time left to embed");
    const [embedded] =
      embedder.embedQuery === undefined ? await embedder.embed([text], { kind: "query" }) : [embedder.embedQuery(text)];
    if (embedded === undefined) throw new ArcticMemError("MODEL_FAILED", "the embedding model returned no vector");
    await cache?.set(name, embedded);
    return embedded;
  };
  return {
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    maxTokens: embedder.maxTokens,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
    close: async () => {},
  };
}
