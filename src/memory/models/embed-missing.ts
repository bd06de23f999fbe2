/**
 * Gives every text its vector. A model that the store does not know yet is built up beside the one that serves, and takes
 * over when nothing is missing any more; nothing is embedded twice.
 */
import type { Progress } from "../../core/memory.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { MissingVector, NewVector, SearchIndex } from "../../store/store.ts";

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
  options: EmbedMissingOptions = {},
): Promise<number> {
  if (embedder === undefined) return 0;
  const { fingerprint, dimensions } = embedder;
  if ((await index.activeFingerprint()) === undefined) await index.activate(fingerprint, dimensions);
  const embedded = await fillMissing(index, embedder, options);
  await takeOver(index, embedder);
  return embedded;
}

/** The same without a change of the model that serves. */
export async function fillMissing(
  index: SearchIndex,
  embedder: Embedder,
  { onProgress, signal, most = Number.POSITIVE_INFINITY }: EmbedMissingOptions,
): Promise<number> {
  const { fingerprint } = embedder;
  await index.reuseVectors(fingerprint);
  const total = Math.min(most, await index.countMissing(fingerprint));
  let embedded = 0;
  while (embedded < total) {
    signal?.throwIfAborted();
    const missing = await index.missingVectors(fingerprint, Math.min(BATCH, total - embedded));
    if (missing.length === 0) break;
    await index.putVectors(fingerprint, await embedShaded(embedder, missing, signal));
    embedded += missing.length;
    onProgress?.("embedding", embedded, total);
  }
  return embedded;
}

/** A text of the batch that also stands around others is embedded once. */
export async function embedShaded(
  embedder: Embedder,
  missing: readonly MissingVector[],
  signal: AbortSignal | undefined,
): Promise<NewVector[]> {
  const texts = [...new Set(missing.flatMap(({ text, around = [] }) => [text, ...around.map((shade) => shade.text)]))];
  const vectors = await embedder.embed(texts, { kind: "document", signal });
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]));
  return missing.flatMap((entry) => {
    const own = vectorOf.get(entry.text);
    const around = (entry.around ?? []).flatMap(({ text, weight }) => {
      const vector = vectorOf.get(text);
      return vector === undefined ? [] : [{ vector, weight }];
    });
    return own === undefined ? [] : [{ ...entry, vector: around.length === 0 ? own : shaded(own, around) }];
  });
}

interface WeightedVector {
  readonly vector: Float32Array;
  readonly weight: number;
}

/** Of unit length again. */
function shaded(own: Float32Array, around: readonly WeightedVector[]): Float32Array {
  const sum = own.map((value, at) =>
    around.reduce((total, { vector, weight }) => total + weight * (vector[at] ?? 0), value),
  );
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1;
  return sum.map((value) => value / length);
}

async function takeOver(index: SearchIndex, { fingerprint, dimensions }: Embedder): Promise<void> {
  if ((await index.activeFingerprint()) === fingerprint) return;
  if ((await index.countMissing(fingerprint)) === 0) await index.activate(fingerprint, dimensions);
}
