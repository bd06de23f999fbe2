/**
 * The word, symbol and trigram searchers. Nothing that a caller passes is ever parsed as query syntax: words are folded
 * to letters and digits, trigram pieces are quoted.
 */
import type { RankedUnit, UnitKind } from "../../../core/query.ts";
import { isSingleCharacter, queryTerms } from "../../../text/words.ts";
import type { FulltextTerm, SymbolHit, UnitFilter } from "../../store.ts";
import { type Connection, integer, listOf, storable, text } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { filterSql } from "./unit-filter.ts";
import { foldForTrigrams, lookupForm } from "./unit-index.ts";
import { TEXT_TABLES, UNIT_CODES } from "./units.ts";

/** SQLite limits the depth of an expression; no question needs as many words. */
const MAX_TERMS = 64;
const TRIGRAM = 3;

/** A word as the index holds it. */
interface IndexWord {
  readonly word: string;
  readonly prefix: boolean;
}

/** The words that a term stands for, most often one. */
export function wordsOfTerm(term: FulltextTerm): IndexWord[] {
  return queryTerms(term.text).map((word) => ({ word, prefix: term.prefix === true || isSingleCharacter(word) }));
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const rankedOf = (row: SqlRow): RankedUnit => ({ key: integer(row, "key"), score: Number(row.score) });

export function searchWords(
  db: Connection,
  terms: readonly FulltextTerm[],
  { filter, limit }: { filter: UnitFilter; limit: number },
): RankedUnit[] {
  const words = new Map(terms.flatMap(wordsOfTerm).map((word) => [`${word.word}${word.prefix ? "*" : ""}`, word]));
  const match = [...words.values()]
    .slice(0, MAX_TERMS)
    .map(({ word, prefix }) => `${quoted(word)}${prefix ? "*" : ""}`);
  const { words: table, weights } = TEXT_TABLES[filter.unit];
  return searchFulltext(db, {
    table,
    match,
    rank: `bm25(${weights.map((weight) => weight.toFixed(2)).join(", ")})`,
    filter,
    limit,
  });
}

export function searchTrigrams(
  db: Connection,
  pieces: readonly string[],
  { filter, limit }: { filter: UnitFilter; limit: number },
): RankedUnit[] {
  const folded = pieces.map(foldForTrigrams).filter((piece) => [...piece].length >= TRIGRAM);
  const match = [...new Set(folded)].slice(0, MAX_TERMS).map((piece) => quoted(storable(piece)));
  return searchFulltext(db, { table: TEXT_TABLES[filter.unit].trigrams, match, rank: "bm25(1.0)", filter, limit });
}

interface FulltextSearch {
  readonly table: string;
  readonly match: readonly string[];
  readonly rank: string;
  readonly filter: UnitFilter;
  readonly limit: number;
}

function searchFulltext(db: Connection, { table, match, rank, filter, limit }: FulltextSearch): RankedUnit[] {
  if (match.length === 0) return [];
  const { table: units, where, parameters } = filterSql(filter);
  const rows = db.all(
    `SELECT f.rowid AS key, -f.rank AS score FROM ${table} f JOIN ${units} ON u.key = f.rowid
     WHERE ${table} MATCH ? AND f.rank MATCH ? AND ${where} ORDER BY f.rank LIMIT ?`,
    [match.join(" OR "), rank, ...parameters, limit],
  );
  return rows.map(rankedOf);
}

export function searchSymbols(
  db: Connection,
  forms: readonly string[],
  { filter, limit }: { filter: UnitFilter; limit: number },
): SymbolHit[] {
  const wanted = [...new Set(forms.map(lookupForm).filter((form) => form !== ""))];
  if (wanted.length === 0) return [];
  const unit = UNIT_CODES[filter.unit];
  const frequencies = symbolFrequencies(db, unit, wanted);
  const documents = countDocuments(db, filter.unit);
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

/** ln(1 + N / n): rare is worth more, and nothing is worth nothing. */
export function inverseFrequency(frequency: number, documents: number): number {
  return Math.log(1 + documents / Math.max(1, frequency));
}

export function countDocuments(db: Connection, unit: UnitKind): number {
  return integer(db.get(`SELECT count(*) AS units FROM ${unit === "fact" ? "memories" : "chunks"}`) ?? {}, "units");
}

/** In how many units of the kind each term stands; of a term of several words, the rarest. */
export function termFrequencies(db: Connection, terms: readonly FulltextTerm[], unit: UnitKind): number[] {
  return terms.map((term) => {
    const words = wordsOfTerm(term);
    return words.length === 0 ? 0 : Math.min(...words.map((word) => wordFrequency(db, word, unit)));
  });
}

export function wordFrequency(db: Connection, { word, prefix }: IndexWord, unit: UnitKind): number {
  const { terms } = TEXT_TABLES[unit];
  const row = prefix
    ? db.get(`SELECT max(doc) AS units FROM ${terms} WHERE term >= ? AND term < ?`, [word, `${word}\u{10ffff}`])
    : db.get(`SELECT doc AS units FROM ${terms} WHERE term = ?`, [word]);
  return row === undefined ? 0 : integer(row, "units");
}
