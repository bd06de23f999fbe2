/** Search by meaning: the query's vector against those of triggers or bodies. */
import { ArcticMemError } from "../core/errors.ts";
import type { Ranking, UnitKind } from "../core/query.ts";
import type { Embedder } from "../models/embedder.ts";
import type { SearchIndex, UnitFilter, VectorSlot } from "../store/store.ts";
import { cutAt } from "../text/clean.ts";
import { FUSED_DEPTH } from "./fuse-rankings.ts";

/** More text than any model reads: a word piece has 4 characters on average and seldom more than 12. */
const CHARACTERS_PER_TOKEN = 12;

export interface EmbedQueryDeps {
  readonly index: Pick<SearchIndex, "activeFingerprint">;
  readonly embedder: Embedder | undefined;
}

/**
 * The query's vector, on the calling thread where the model can do that.
 *
 * @throws {ArcticMemError} `MODEL_FAILED` where there is no model, or where the stored vectors are another model's.
 */
export async function embedQuery(
  { index, embedder }: EmbedQueryDeps,
  text: string,
  signal?: AbortSignal,
): Promise<Float32Array> {
  if (embedder === undefined) throw new ArcticMemError("MODEL_FAILED", "no embedding model");
  const active = await index.activeFingerprint();
  if (active === undefined) throw new ArcticMemError("MODEL_FAILED", "nothing is embedded yet");
  if (active !== embedder.fingerprint) {
    throw new ArcticMemError(
      "MODEL_FAILED",
      `the stored vectors are of ${active}, the model is ${embedder.fingerprint}`,
    );
  }
  const head = cutAt(text, embedder.maxTokens * CHARACTERS_PER_TOKEN);
  if (embedder.embedQuery !== undefined) return embedder.embedQuery(head);
  const [vector] = await embedder.embed([head], { kind: "query", signal });
  if (vector === undefined) throw new ArcticMemError("MODEL_FAILED", "the embedding model returned no vector");
  return vector;
}

/** With fewer vectors than this, what they have in common is mostly what the few are about. */
const FEW_VECTORS = 50;

/**
 * The query without a share of what all vectors of the slot have in common: a text that is like all others is near every
 * query, and stands in front of the one that is meant.
 *
 * @param share - 0 … 1; less is taken off in a small store.
 */
export async function centredQuery(
  index: Pick<SearchIndex, "commonVector">,
  { vector, share }: { readonly vector: Float32Array; readonly share: number },
  place: { readonly slot: VectorSlot; readonly unit: UnitKind },
): Promise<Float32Array> {
  const common = share === 0 ? undefined : await index.commonVector(place.slot, place.unit);
  if (common === undefined || common.mean.length !== vector.length) return vector;
  const factor = (share * common.count) / (common.count + FEW_VECTORS);
  const centred = new Float32Array(vector.length);
  for (let at = 0; at < centred.length; at += 1) centred[at] = (vector[at] ?? 0) - factor * (common.mean[at] ?? 0);
  return centred;
}

/** Units whose best vector in `slot` is nearest. */
export async function vectorSearch(
  index: Pick<SearchIndex, "vectors">,
  query: { readonly vector: Float32Array; readonly slot: VectorSlot },
  filter: UnitFilter,
): Promise<Ranking> {
  return { arm: query.slot, units: await index.vectors(query.vector, query.slot, filter, FUSED_DEPTH) };
}
