/**
 * Which units hold a word, and how much it counts there: asked once of the full-text index and kept until a unit
 * changes. SQLite keeps the index and its transactions; scoring here takes microseconds where `bm25()` takes about one
 * for each row that holds any of the words, and document frequencies and coverage come for nothing.
 */
import type { UnitKind } from "../../../core/query.ts";
import { isSingleCharacter, queryTerms } from "../../../text/words.ts";
import type { FulltextTerm } from "../../store.ts";
import { type Connection, integer, text } from "../connection.ts";
import type { SqlRow, SqlValue } from "../driver.ts";
import { integersIn } from "./unit-masks.ts";
import { TEXT_TABLES, type TextTables, UNIT_CODES } from "./units.ts";

/** Places that are kept in memory at most, eight bytes each; and the same for each unit, where there are many. */
const MAX_KEPT = 1_000_000;
const MAX_KEPT_PER_UNIT = 16;
const MAX_TERMS_KEPT = 2_000;
/** A place is told as key × 8 + column. */
const COLUMN_BITS = 3;

/** A word as the index holds it. */
export interface IndexWord {
  readonly word: string;
  readonly prefix: boolean;
}

export interface Posting {
  /** Units, ascending. */
  readonly keys: Int32Array;
  /** What the word adds to the BM25 score of each, before its rarity counts. */
  readonly impacts: Float32Array;
}

interface Lengths {
  readonly units: number;
  /** Words by key. */
  readonly words: Int32Array;
  readonly average: number;
}

export class Postings {
  readonly #db: Connection;
  readonly #kept = new Map<string, Posting>();
  readonly #lengths = new Map<UnitKind, Lengths>();
  /** By term: a search asks for the same ones several times, and taking them apart costs more than their scores. */
  readonly #words = new Map<string, readonly IndexWord[]>();
  #size = 0;
  #stamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The words that a term stands for, most often one. */
  wordsOf({ text: term, prefix = false }: FulltextTerm): readonly IndexWord[] {
    const name = `${term}${prefix ? "*" : ""}`;
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    if (this.#words.size >= MAX_TERMS_KEPT) this.#words.clear();
    const words = queryTerms(term).map((word) => ({ word, prefix: prefix || isSingleCharacter(word) }));
    this.#words.set(name, words);
    return words;
  }

  ofWord(word: IndexWord, unit: UnitKind): Posting {
    return this.#keep(`${unit}:word:${word.word}${word.prefix ? "*" : ""}`, () =>
      scored(this.#places(word, unit), this.#lengthsOf(unit), TEXT_TABLES[unit]),
    );
  }

  /** Units that hold a piece of at least three characters anywhere in their text; each impact is 1. */
  ofPiece(piece: string, unit: UnitKind): Posting {
    return this.#keep(`${unit}:piece:${piece}`, () => {
      const { trigrams } = TEXT_TABLES[unit];
      const row = this.#db.get(`SELECT group_concat(rowid) AS list FROM ${trigrams} WHERE ${trigrams} MATCH ?`, [
        `"${piece.replaceAll('"', '""')}"`,
      ]);
      const keys = listIn(row);
      return { keys, impacts: new Float32Array(keys.length).fill(1) };
    });
  }

  /** How many units of the kind there are, of any status. */
  documents(unit: UnitKind): number {
    this.#refresh();
    return this.#lengthsOf(unit).units;
  }

  #keep(name: string, load: () => Posting): Posting {
    this.#refresh();
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    if (this.#size > this.#mostKept()) this.#clearPostings();
    const posting = load();
    this.#kept.set(name, posting);
    this.#size += posting.keys.length + 16;
    return posting;
  }

  #mostKept(): number {
    const units = [...this.#lengths.values()].reduce((sum, lengths) => sum + lengths.units, 0);
    return Math.max(MAX_KEPT, units * MAX_KEPT_PER_UNIT);
  }

  #places({ word, prefix }: IndexWord, unit: UnitKind): Int32Array {
    const { terms, columns } = TEXT_TABLES[unit];
    const column = columns.map((name, at) => `WHEN '${name}' THEN ${at}`).join(" ");
    const where = prefix ? "term >= ? AND term < ?" : "term = ?";
    const parameters: SqlValue[] = prefix ? [word, `${word}\u{10ffff}`] : [word];
    const row = this.#db.get(
      `SELECT group_concat((doc << ${COLUMN_BITS}) + CASE col ${column} END) AS list FROM ${terms} WHERE ${where}`,
      parameters,
    );
    const places = listIn(row);
    return prefix ? places.sort() : places;
  }

  #lengthsOf(unit: UnitKind): Lengths {
    const known = this.#lengths.get(unit);
    if (known !== undefined) return known;
    const row = this.#db.get(
      `SELECT count(*) AS units, total(words) AS words, max(key) AS last, group_concat(key || ',' || words) AS list
       FROM unit_lengths WHERE unit = ?`,
      [UNIT_CODES[unit]],
    );
    const words = new Int32Array(integer(row, "last") + 1);
    const pairs = listIn(row);
    for (let at = 0; at + 1 < pairs.length; at += 2) words[pairs[at] ?? 0] = pairs[at + 1] ?? 0;
    const units = integer(row, "units");
    const lengths = { units, words, average: Math.max(1, integer(row, "words") / Math.max(1, units)) };
    this.#lengths.set(unit, lengths);
    return lengths;
  }

  #refresh(): void {
    const { units } = this.#db.stamps();
    if (units === this.#stamp) return;
    this.#stamp = units;
    this.#lengths.clear();
    this.#clearPostings();
  }

  #clearPostings(): void {
    this.#kept.clear();
    this.#size = 0;
  }
}

const listIn = (row: SqlRow | undefined): Int32Array => integersIn(text(row, "list"));

/** Folds the places of a word, ascending, into one impact for each unit. */
function scored(places: Int32Array, lengths: Lengths, { weights, saturation, lengthShare }: TextTables): Posting {
  const keys = new Int32Array(places.length);
  const impacts = new Float32Array(places.length);
  let count = 0;
  let key = -1;
  let weight = 0;
  const close = (): void => {
    if (weight === 0) return;
    const length = (lengths.words[key] ?? 0) / lengths.average;
    keys[count] = key;
    impacts[count] = (weight * (saturation + 1)) / (weight + saturation * (1 - lengthShare + lengthShare * length));
    count += 1;
    weight = 0;
  };
  for (const place of places) {
    const next = place >> COLUMN_BITS;
    if (next !== key) close();
    key = next;
    weight += weights[place & ((1 << COLUMN_BITS) - 1)] ?? 0;
  }
  close();
  return { keys: keys.slice(0, count), impacts: impacts.slice(0, count) };
}
