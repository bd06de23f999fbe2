/**
 * Gives every text its vector. A model that the store does not know yet is built up beside the one that serves, and takes
 * over when nothing is missing any more; nothing is embedded twice.
 */
import type { Progress } from "../../core/memory.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { SearchIndex } from "../../store/store.ts";

/** Texts handed over at once: enough to keep all threads busy, few enough that a kill loses seconds of work. */
const BATCH = 64;

export interface EmbedMissingDeps {
  readonly index: SearchIndex;
  readonly embedder: Embedder | undefined;
}

export interface EmbedMissingOptions {
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Most texts to embed now; default all. */
  readonly most?: number;
}

/**
 * @returns How many texts were embedded.
 * @throws {ModelError} where the model fails; what was embedded until then is kept.
 */
export async function embedMissing(
  { index, embedder }: EmbedMissingDeps,
  { onProgress, signal, most = Number.POSITIVE_INFINITY }: EmbedMissingOptions = {},
): Promise<number> {
  if (embedder === undefined) return 0;
  const { fingerprint, dimensions } = embedder;
  if ((await index.activeFingerprint()) === undefined) await index.activate(fingerprint, dimensions);
  await index.reuseVectors(fingerprint);
  const total = Math.min(most, await index.countMissing(fingerprint));
  let embedded = 0;
  while (embedded < total) {
    signal?.throwIfAborted();
    const missing = await index.missingVectors(fingerprint, Math.min(BATCH, total - embedded));
    if (missing.length === 0) break;
    const vectors = await embedder.embed(
      missing.map(({ text }) => text),
      { kind: "document", signal },
    );
    const entries = missing.flatMap((entry, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ ...entry, vector }];
    });
    await index.putVectors(fingerprint, entries);
    embedded += missing.length;
    onProgress?.("embedding", embedded, total);
  }
  await takeOver(index, embedder);
  return embedded;
}

async function takeOver(index: SearchIndex, { fingerprint, dimensions }: Embedder): Promise<void> {
  if ((await index.activeFingerprint()) === fingerprint) return;
  if ((await index.countMissing(fingerprint)) === 0) await index.activate(fingerprint, dimensions);
}
