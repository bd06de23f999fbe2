/**
 * The word, symbol and trigram searchers. Nothing that a caller passes is ever parsed as query syntax: words are folded
 * to letters and digits, trigram pieces are quoted.
 */
import type { RankedUnit } from "../../../core/query.ts";
import type { FulltextTerm, SymbolHit, UnitFilter } from "../../store.ts";
import { type Connection, integer, listOf, storable, text } from "../connection.ts";
import { type IndexWord, inverseFrequency, matchOf, type Postings, wordsOfTerm } from "./postings.ts";
import { filterSql } from "./unit-filter.ts";
import { foldForTrigrams, lookupForm } from "./unit-index.ts";
import { TEXT_TABLES, UNIT_CODES } from "./units.ts";

/** SQLite limits the depth of an expression; no question needs as many words. */
const MAX_TERMS = 64;
const TRIGRAM = 3;
/**
 * Rows that a word query may have to score. FTS5 scores every row that holds any of the words, about a microsecond
 * each, so in a large store words that stand in many rows are left to the rarer ones beside them.
 */
const MAX_SCORED = 2000;

export interface TextSearchDeps {
  readonly db: Connection;
  readonly postings: Postings;
}

export interface TextRequest {
  readonly filter: UnitFilter;
  readonly limit: number;
}

export function searchWords(
  { db, postings }: TextSearchDeps,
  terms: readonly FulltextTerm[],
  { filter, limit }: TextRequest,
): RankedUnit[] {
  const distinct = new Map(terms.flatMap(wordsOfTerm).map((word) => [matchOf(word), word]));
  const words = affordable(postings, [...distinct.values()].slice(0, MAX_TERMS), filter);
  const { words: table, weights } = TEXT_TABLES[filter.unit];
  const rank = `bm25(${weights.map((weight) => weight.toFixed(2)).join(", ")})`;
  return searchFulltext(db, { table, match: words.map(matchOf), rank, filter, limit });
}

/** All words of a small store; of a large one the rarest, as many as the limit allows, at least one that is there. */
function affordable(postings: Postings, words: readonly IndexWord[], { unit }: UnitFilter): IndexWord[] {
  if (words.length < 2 || postings.documents(unit) <= MAX_SCORED) return [...words];
  const counted = words
    .map((word) => ({ word, frequency: postings.of(word, unit).length }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);
  let scored = 0;
  return counted
    .filter(({ frequency }, at) => {
      scored += frequency;
      return at === 0 || scored <= MAX_SCORED;
    })
    .map(({ word }) => word);
}

export function searchTrigrams(
  db: Connection,
  pieces: readonly string[],
  { filter, limit }: TextRequest,
): RankedUnit[] {
  const folded = pieces
    .map((piece) => storable(foldForTrigrams(piece)))
    .filter((piece) => [...piece].length >= TRIGRAM);
  const match = [...new Set(folded)].slice(0, MAX_TERMS).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  return searchFulltext(db, { table: TEXT_TABLES[filter.unit].trigrams, match, rank: "bm25(1.0)", filter, limit });
}

interface FulltextSearch extends TextRequest {
  readonly table: string;
  /** Quoted words, OR-ed. */
  readonly match: readonly string[];
  readonly rank: string;
}

function searchFulltext(db: Connection, { table, match, rank, filter, limit }: FulltextSearch): RankedUnit[] {
  if (match.length === 0) return [];
  const { table: units, where, parameters } = filterSql(filter);
  const rows = db.all(
    `SELECT f.rowid AS key, -f.rank AS score FROM ${table} f JOIN ${units} ON u.key = f.rowid
     WHERE ${table} MATCH ? AND f.rank MATCH ? AND ${where} ORDER BY f.rank LIMIT ?`,
    [match.join(" OR "), rank, ...parameters, limit],
  );
  return rows.map((row) => ({ key: integer(row, "key"), score: Number(row.score) }));
}

export function searchSymbols(
  { db, postings }: TextSearchDeps,
  forms: readonly string[],
  { filter, limit }: TextRequest,
): SymbolHit[] {
  const wanted = [...new Set(forms.map(lookupForm).filter((form) => form !== ""))];
  if (wanted.length === 0) return [];
  const unit = UNIT_CODES[filter.unit];
  const frequencies = symbolFrequencies(db, unit, wanted);
  if (frequencies.size === 0) return [];
  const documents = postings.documents(filter.unit);
  const { table, where, parameters } = filterSql(filter);
  const hits = new Map<number, { score: number; rarest: number }>();
  for (const row of db.all(
    `SELECT s.form AS form, s.key AS key FROM symbols s JOIN ${table} ON u.key = s.key
     WHERE s.unit = ? AND s.form IN (SELECT value FROM json_each(?)) AND ${where}`,
    [unit, listOf([...frequencies.keys()]), ...parameters],
  )) {
    const frequency = frequencies.get(text(row, "form")) ?? 1;
    const hit = hits.get(integer(row, "key")) ?? { score: 0, rarest: frequency };
    hits.set(integer(row, "key"), {
      score: hit.score + inverseFrequency(frequency, documents),
      rarest: Math.min(hit.rarest, frequency),
    });
  }
  return [...hits]
    .map(([key, { score, rarest }]) => ({ key, score, documentFrequency: rarest }))
    .sort((a, b) => b.score - a.score || b.key - a.key)
    .slice(0, limit);
}

function symbolFrequencies(db: Connection, unit: number, forms: readonly string[]): ReadonlyMap<string, number> {
  const rows = db.all(
    `SELECT form, count(*) AS units FROM symbols
     WHERE unit = ? AND form IN (SELECT value FROM json_each(?)) GROUP BY form`,
    [unit, listOf(forms)],
  );
  return new Map(rows.map((row) => [text(row, "form"), integer(row, "units")]));
}
