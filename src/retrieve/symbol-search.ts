/** Search by names: exact symbols, and pieces of them for partial names and typing errors. */
import type { Ranking, UnitKind } from "../core/query.ts";
import type { SearchIndex, UnitFilter } from "../store/store.ts";
import { FUSED_DEPTH } from "./fuse-rankings.ts";

/** A symbol is rare when at most this many units, or this share of them, carry it. */
const RARE_UNITS = 3;
const RARE_SHARE = 0.01;

export interface SymbolRanking {
  readonly ranking: Ranking;
  /** Units that carry a rare symbol of the query, best first. */
  readonly rare: readonly number[];
}

/** Units that carry any of the normalised forms. No forms, no hits. */
export async function symbolSearch(
  index: Pick<SearchIndex, "symbols" | "documentFrequencies">,
  forms: readonly string[],
  filter: UnitFilter,
): Promise<SymbolRanking> {
  if (forms.length === 0) return { ranking: { arm: "symbol", units: [] }, rare: [] };
  const hits = await index.symbols(forms, filter, FUSED_DEPTH);
  const limit = hits.length === 0 ? 0 : await rareLimit(index, filter.unit);
  return {
    ranking: { arm: "symbol", units: hits.map(({ key, score }) => ({ key, score })) },
    rare: hits.filter((hit) => hit.documentFrequency <= limit).map(({ key }) => key),
  };
}

async function rareLimit(index: Pick<SearchIndex, "documentFrequencies">, unit: UnitKind): Promise<number> {
  const { documents } = await index.documentFrequencies([], unit);
  return Math.max(RARE_UNITS, documents * RARE_SHARE);
}

/** Units that hold any of the pieces, each of at least three characters. No pieces, no hits. */
export async function trigramSearch(
  index: Pick<SearchIndex, "trigrams">,
  pieces: readonly string[],
  filter: UnitFilter,
): Promise<Ranking> {
  return { arm: "trigram", units: pieces.length === 0 ? [] : await index.trigrams(pieces, filter, FUSED_DEPTH) };
}
