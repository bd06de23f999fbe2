/** Search by words, ranked by BM25. */
import type { Ranking } from "../core/query.ts";
import type { FulltextTerm, SearchIndex, UnitFilter } from "../store/store.ts";
import { FUSED_DEPTH } from "./fuse-rankings.ts";

/** Units that hold any of the terms. No terms, no hits. */
export async function fulltextSearch(
  index: Pick<SearchIndex, "fulltext">,
  terms: readonly FulltextTerm[],
  filter: UnitFilter,
): Promise<Ranking> {
  return { arm: "fulltext", units: terms.length === 0 ? [] : await index.fulltext(terms, filter, FUSED_DEPTH) };
}
