/** Runs the searchers for one kind of unit side by side. One that fails or is late is left out, and named. */
import { messageOf } from "../core/errors.ts";
import type { Arm, Ranking } from "../core/query.ts";
import { inTime } from "../core/time/in-time.ts";
import type { SearchIndex, UnitFilter } from "../store/store.ts";
import { fulltextSearch } from "./fulltext-search.ts";
import type { QueryTerms } from "./query/query-terms.ts";
import { symbolSearch, trigramSearch } from "./symbol-search.ts";
import { centredQuery, vectorSearch } from "./vector-search.ts";

/** Pieces of words help where whole names found little, or where there is little else to go by. */
const FEW_SYMBOL_HITS = 3;
const SHORT_QUERY_WORDS = 3;

export interface ArmRequest {
  readonly terms: QueryTerms;
  /** Rejects where there is no model or it failed. */
  readonly vector: Promise<Float32Array>;
  readonly filter: UnitFilter;
  readonly timeoutMs: number;
  /** Share of the store's common vector that is taken off the query; default 0, so that scores are cosines. */
  readonly centring?: number;
}

export interface ArmResults {
  /** Of the searchers that answered and had something to look for. */
  readonly rankings: readonly Ranking[];
  /** Units that carry a rare symbol of the query. */
  readonly rare: ReadonlySet<number>;
  /** `arm: reason` of each that did not answer. */
  readonly degraded: readonly string[];
}

export async function runArms(index: SearchIndex, request: ArmRequest): Promise<ArmResults> {
  const { terms, filter, vector, timeoutMs, centring = 0 } = request;
  const symbols = symbolSearch(index, terms.symbols, filter);
  const dense = async (slot: "trigger" | "body"): Promise<Ranking> => {
    const query = { vector: await vector, share: centring };
    const centred = await centredQuery(index, query, { slot, unit: filter.unit });
    return vectorSearch(index, { vector: centred, slot }, filter);
  };
  const arms: Partial<Record<Arm, Promise<Ranking>>> = {
    ...(filter.unit === "fact" ? { trigger: dense("trigger") } : {}),
    body: dense("body"),
    fulltext: fulltextSearch(index, terms.repeated[filter.unit], filter),
    symbol: symbols.then(({ ranking }) => ranking),
    trigram: symbols.then(
      ({ ranking }) => trigramSearch(index, piecesFor(terms, ranking), filter),
      () => trigramSearch(index, terms.pieces, filter),
    ),
  };
  const { answered, degraded } = await answersInTime(arms, timeoutMs);
  return {
    rankings: Object.keys(arms)
      .flatMap((arm) => answered.get(arm) ?? [])
      .filter(({ units }) => units.length > 0),
    rare: new Set(answered.has("symbol") ? (await symbols).rare : []),
    degraded,
  };
}

interface Answers {
  readonly answered: ReadonlyMap<string, Ranking>;
  readonly degraded: readonly string[];
}

/** One wait for all of them. */
async function answersInTime(arms: Readonly<Record<string, Promise<Ranking>>>, timeoutMs: number): Promise<Answers> {
  const answered = new Map<string, Ranking>();
  const failed = new Map<string, string>();
  const settled = Object.entries(arms).map(([arm, ranking]) =>
    ranking.then(
      (found) => answered.set(arm, found),
      (thrown) => failed.set(arm, messageOf(thrown)),
    ),
  );
  await inTime(Promise.all(settled), timeoutMs, () => undefined);
  for (const arm of Object.keys(arms)) {
    if (!answered.has(arm) && !failed.has(arm)) failed.set(arm, `late after ${timeoutMs} ms`);
  }
  return { answered: new Map(answered), degraded: Array.from(failed, ([arm, reason]) => `${arm}: ${reason}`) };
}

function piecesFor(terms: QueryTerms, symbols: Ranking): readonly string[] {
  const wanted =
    terms.wordCount <= SHORT_QUERY_WORDS || (terms.nameCount > 0 && symbols.units.length < FEW_SYMBOL_HITS);
  return wanted ? terms.pieces : [];
}
