/**
 * The word, symbol and trigram searchers. Nothing that a caller passes is ever parsed as query syntax: words and symbols
 * are compared as values, trigram pieces are quoted.
 */
import type { RankedUnit, UnitKind } from "../../../core/query.ts";
import type { FulltextTerm, SymbolHit, UnitFilter } from "../../store.ts";
import { type Connection, integer, listOf, storable, text } from "../connection.ts";
import { groupBy } from "../group-by.ts";
import type { Posting, Postings } from "./postings.ts";
import { foldForTrigrams, lookupForm } from "./unit-index.ts";
import type { UnitMask, UnitMasks } from "./unit-masks.ts";
import { UNIT_CODES } from "./units.ts";

/** No question needs as many words or pieces. */
const MAX_TERMS = 128;
const TRIGRAM = 3;

export interface TextSearchDeps {
  readonly db: Connection;
  readonly postings: Postings;
  readonly masks: UnitMasks;
}

export interface TextRequest {
  readonly filter: UnitFilter;
  readonly limit: number;
}

interface WeightedPosting {
  readonly posting: Posting;
  readonly weight: number;
}

/** BM25 over the units that hold any of the words; a term that comes twice counts twice. */
export function searchWords(
  { postings, masks }: TextSearchDeps,
  terms: readonly FulltextTerm[],
  { filter, limit }: TextRequest,
): RankedUnit[] {
  const documents = postings.documents(filter.unit);
  const words = terms.flatMap((term) => postings.wordsOf(term)).slice(0, MAX_TERMS);
  const lists = words.map((word) => weighted(postings.ofWord(word, filter.unit), documents));
  return best(lists, masks.of(filter), limit);
}

/** Each piece counts by its rarity, once. */
export function searchTrigrams(
  { postings, masks }: TextSearchDeps,
  pieces: readonly string[],
  { filter, limit }: TextRequest,
): RankedUnit[] {
  const documents = postings.documents(filter.unit);
  const folded = pieces
    .map((piece) => storable(foldForTrigrams(piece)))
    .filter((piece) => [...piece].length >= TRIGRAM);
  const distinct = [...new Set(folded)].slice(0, MAX_TERMS);
  const lists = distinct.map((piece) => weighted(postings.ofPiece(piece, filter.unit), documents));
  return best(lists, masks.of(filter), limit);
}

function weighted(posting: Posting, documents: number): WeightedPosting {
  return { posting, weight: inverseFrequency(posting.keys.length, documents) };
}

/** ln(1 + (N - n + ½) / (n + ½)): BM25's, in the form that is never negative. */
function inverseFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (Math.max(frequency, documents) - frequency + 0.5) / (frequency + 0.5));
}

function best(lists: readonly WeightedPosting[], { open }: UnitMask, limit: number): RankedUnit[] {
  const scores = new Float64Array(open.length);
  for (const list of lists) addScores(scores, list);
  return highest(scores, open, limit);
}

/** A loop of its own, so that it is compiled once for all lists. Keys beyond the last open one fall off the end. */
function addScores(scores: Float64Array, { posting: { keys, impacts }, weight }: WeightedPosting): void {
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as number;
    scores[key] = (scores[key] as number) + weight * (impacts[at] as number);
  }
}

/** Of equal scores the newer unit comes first. */
function highest(scores: Float64Array, open: Uint8Array, limit: number): RankedUnit[] {
  const top: RankedUnit[] = [];
  let bar = 0;
  for (let key = scores.length - 1; key > 0; key -= 1) {
    const score = scores[key] as number;
    if (score <= bar || open[key] !== 1) continue;
    let low = 0;
    for (let high = top.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((top[middle]?.score ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    top.splice(low, 0, { key, score });
    if (top.length > limit) top.pop();
    if (top.length === limit) bar = top[limit - 1]?.score ?? 0;
  }
  return top;
}

export function searchSymbols(
  { db, postings, masks }: TextSearchDeps,
  forms: readonly string[],
  { filter, limit }: TextRequest,
): SymbolHit[] {
  const wanted = [...new Set(forms.map(lookupForm).filter((form) => form !== ""))];
  if (wanted.length === 0) return [];
  const rows = db.all("SELECT form, key FROM symbols WHERE unit = ? AND form IN (SELECT value FROM json_each(?))", [
    UNIT_CODES[filter.unit],
    listOf(wanted),
  ]);
  const units = groupBy(rows, (row) => [text(row, "form"), integer(row, "key")]);
  const hits = symbolScores([...units.values()], postings.documents(filter.unit), masks.of(filter));
  return hits.sort((a, b) => b.score - a.score || b.key - a.key).slice(0, limit);
}

function symbolScores(holders: readonly (readonly number[])[], documents: number, { open }: UnitMask): SymbolHit[] {
  const hits = new Map<number, SymbolHit>();
  for (const keys of holders) {
    const weight = inverseFrequency(keys.length, documents);
    for (const key of keys) {
      if (open[key] !== 1) continue;
      const hit = hits.get(key);
      const documentFrequency = Math.min(hit?.documentFrequency ?? keys.length, keys.length);
      hits.set(key, { key, score: (hit?.score ?? 0) + weight, documentFrequency });
    }
  }
  return [...hits.values()];
}

/** In how many units each term stands; of a term of several words, the rarest. */
export function termFrequencies(postings: Postings, terms: readonly FulltextTerm[], unit: UnitKind): number[] {
  return terms.map((term) => {
    const counts = postings.wordsOf(term).map((word) => postings.ofWord(word, unit).keys.length);
    return counts.length === 0 ? 0 : Math.min(...counts);
  });
}

/** Share of the terms' idf mass that each unit holds, 0 … 1. Terms without a word weigh nothing. */
export function coverageOf(
  postings: Postings,
  terms: readonly FulltextTerm[],
  { keys, unit }: { readonly keys: readonly number[]; readonly unit: UnitKind },
): ReadonlyMap<number, number> {
  const documents = postings.documents(unit);
  const entries = terms.flatMap((term) => {
    const words = postings.wordsOf(term);
    if (words.length === 0) return [];
    const holders = words.map((word) => postings.ofWord(word, unit).keys);
    return [{ holders, weight: inverseFrequency(Math.min(...holders.map((list) => list.length)), documents) }];
  });
  const mass = entries.reduce((sum, { weight }) => sum + weight, 0);
  const share = (key: number): number =>
    entries.reduce((sum, { holders, weight }) => (holders.every((list) => holds(list, key)) ? sum + weight : sum), 0);
  return new Map(keys.map((key) => [key, mass === 0 ? 0 : share(key) / mass]));
}

function holds(ascending: Int32Array, key: number): boolean {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = ascending[middle] ?? 0;
    if (value === key) return true;
    if (value < key) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
