/**
 * Finds out what a model's cosines mean, on labelled pairs. Cosines do not see a `not`, nor `v3` for `v4`: the threshold
 * for duplicates is set by the near-misses that the guards of text let through.
 */
import type { CalibratedCosines, CalibrationReport } from "../../core/findings/calibration.ts";
import { dot } from "../../core/vectors/dot.ts";
import type { Embedder, EmbedKind } from "../../models/embedder.ts";
import { sameClaimSets } from "../../text/claims.ts";
import { swapsWords } from "../../text/conflicts/word-swaps.ts";
import type { CalibrationPairs, QueryPair, TextPair } from "./pairs.ts";

/** Beyond what was measured: the pairs are hundreds, memories are thousands. */
const MARGIN = 0.02;
/** A contradiction is worded less alike than a repetition. */
const CONTRADICTIONS_READ_OTHERWISE = 0.05;
/** As `centredQuery` of the search: with fewer vectors less of what they have in common is taken off. */
const FEW_VECTORS = 50;
const BATCH = 64;

export interface CalibrateOptions {
  /** Share of what all vectors have in common that search takes off a query, 0 … 1. */
  readonly centring: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws {ModelError} where the model fails. */
export async function calibrateEmbedder(
  embedder: Embedder,
  pairs: CalibrationPairs,
  options: CalibrateOptions,
): Promise<Omit<CalibrationReport, "saved">> {
  const measured = await measure(embedder, pairs, options);
  const { paraphrases, unguarded, unrelated, answers } = measured;
  const cosines = thresholdsOf(measured);
  const shown = ({ trigger, body }: Shown): boolean => trigger >= cosines.shownByTrigger || body >= cosines.shownByBody;
  return {
    calibration: { fingerprint: embedder.fingerprint, pairs: pairs.hash, cosines },
    duplicateRecall: share(paraphrases, ({ cosine, isSame }) => isSame && cosine >= cosines.duplicate),
    unguardedNearMisses: unguarded.length,
    shownAnswers: share(answers, shown),
    hiddenUnrelated: share(unrelated, (pair) => !shown(pair)),
  };
}

interface Shown {
  readonly trigger: number;
  readonly body: number;
}

interface Measured {
  readonly paraphrases: readonly { readonly cosine: number; readonly isSame: boolean }[];
  /** Of near-misses that agree in all that the guards look at. */
  readonly unguarded: readonly number[];
  /** Of two claims that have nothing to do with each other. */
  readonly strangers: readonly number[];
  readonly situations: readonly number[];
  readonly unrelated: readonly Shown[];
  readonly answers: readonly Shown[];
  /** How near claims of a project come to what every model knows. */
  readonly generic: readonly number[];
}

function thresholdsOf(measured: Measured): CalibratedCosines {
  const { paraphrases, unguarded, strangers, situations, unrelated, generic } = measured;
  const same = paraphrases.map(({ cosine }) => cosine);
  const apart = quantile(strangers, 0.99) + MARGIN;
  const alike = Math.max(apart, quantile(same, 0.05));
  const between = (apart + alike) / 2;
  const foreign = quantile(strangers, 0.5);
  return {
    duplicate: rounded(Math.max(apart, quantile(same, 0.5), quantile(unguarded, 1) + MARGIN)),
    covered: rounded(between),
    contradicted: rounded(Math.max(apart, between - CONTRADICTIONS_READ_OTHERWISE)),
    cluster: rounded(Math.max(apart, quantile(same, 0.75))),
    situation: rounded((Math.max(0, foreign) + quantile(situations, 0.01)) / 2),
    generic: rounded(quantile(generic, 1) + MARGIN),
    shownByTrigger: rounded(
      quantile(
        unrelated.map(({ trigger }) => trigger),
        0.99,
      ) + MARGIN,
    ),
    shownByBody: rounded(
      quantile(
        unrelated.map(({ body }) => body),
        0.99,
      ) + MARGIN,
    ),
  };
}

async function measure(embedder: Embedder, pairs: CalibrationPairs, options: CalibrateOptions): Promise<Measured> {
  const { paraphrases, nearMisses, unrelated, answers, generic } = pairs;
  const claims = [...paraphrases, ...nearMisses].flatMap(({ a, b }) => [a, b]);
  const asked = [...unrelated, ...answers];
  const situations = new Map(answers.map(({ query, memory }) => [memory, query]));
  const documents = [...claims, ...asked.map(({ memory }) => memory), ...generic, ...situations.values()];
  const queries = asked.map(({ query }) => query);
  const total = new Set(documents).size + new Set(queries).size;
  const document = await embedAll(embedder, documents, { ...options, kind: "document", ahead: 0, total });
  const query = await embedAll(embedder, queries, { ...options, kind: "query", ahead: document.size, total });
  const vector = (text: string): Float32Array => document.get(text) ?? new Float32Array(embedder.dimensions);
  const cosine = ({ a, b }: TextPair): number => dot(vector(a), vector(b));
  const shown = showing({ query, vector, situations, asked, centring: options.centring });
  return {
    paraphrases: paraphrases.map((pair) => ({ cosine: cosine(pair), isSame: passesGuards(pair) })),
    unguarded: nearMisses.filter(passesGuards).map(cosine),
    strangers: paraphrases.map(({ a }, at) => cosine({ a, b: paraphrases[(at + 7) % paraphrases.length]?.b ?? "" })),
    situations: answers.map(({ query: text, memory }) => cosine({ a: text, b: memory })),
    unrelated: unrelated.map(shown),
    answers: answers.map(shown),
    generic: claims.map((claim) => Math.max(...generic.map((text) => dot(vector(claim), vector(text))))),
  };
}

/** The guards of ingestion: what they part is never taken for a duplicate, whatever its cosine. */
function passesGuards({ a, b }: TextPair): boolean {
  return sameClaimSets(a, b) && !swapsWords(a, b);
}

interface Showing {
  readonly query: ReadonlyMap<string, Float32Array>;
  readonly vector: (text: string) => Float32Array;
  /** By the memory that it brings to mind. */
  readonly situations: ReadonlyMap<string, string>;
  readonly asked: readonly QueryPair[];
  readonly centring: number;
}

/** How near search finds a query to a memory. The situation of an answer is its query: there the memory itself stands in. */
function showing({ query, vector, situations, asked, centring }: Showing): (pair: QueryPair) => Shown {
  const memories = [...new Set(asked.map(({ memory }) => memory))];
  const factor = (centring * memories.length) / (memories.length + FEW_VECTORS) / Math.max(1, memories.length);
  const common = sumOf(memories.map(vector)).map((value) => value * factor);
  return ({ query: text, memory }) => {
    const centred = query.get(text)?.map((value, at) => value - (common[at] ?? 0)) ?? new Float32Array(common.length);
    const body = dot(centred, vector(memory));
    const situation = situations.get(memory) ?? memory;
    return { body, trigger: situation === text ? body : dot(centred, vector(situation)) };
  };
}

interface EmbedAllOptions extends CalibrateOptions {
  readonly kind: EmbedKind;
  readonly ahead: number;
  readonly total: number;
}

async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  { kind, signal, onProgress, ahead, total }: EmbedAllOptions,
): Promise<Map<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  const all = [...new Set(texts)];
  for (let at = 0; at < all.length; at += BATCH) {
    signal?.throwIfAborted();
    const batch = all.slice(at, at + BATCH);
    const embedded = await embedder.embed(batch, { kind, signal });
    for (const [place, text] of batch.entries()) vectors.set(text, embedded[place] ?? new Float32Array(0));
    onProgress?.(ahead + at + batch.length, total);
  }
  return vectors;
}

function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value;
  return sum;
}

/** @returns 0 for an empty list: then another bound decides. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}

function rounded(cosine: number): number {
  return Math.round(Math.min(1, cosine) * 1_000) / 1_000;
}
