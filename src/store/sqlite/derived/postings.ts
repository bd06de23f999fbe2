/**
 * Which units hold a word: asked once of the full-text index and kept until a unit changes. Gives document frequencies,
 * the share of a question that a unit covers, and what a query would cost, without going through the index again.
 */
import type { UnitKind } from "../../../core/query.ts";
import { isSingleCharacter, queryTerms } from "../../../text/words.ts";
import type { FulltextTerm } from "../../store.ts";
import { type Connection, integer, text } from "../connection.ts";
import { TEXT_TABLES } from "./units.ts";

/** Keys that are kept in memory at most, four bytes each. */
const MAX_KEPT = 1_000_000;

/** A word as the index holds it. */
export interface IndexWord {
  readonly word: string;
  readonly prefix: boolean;
}

/** The words that a term stands for, most often one. */
export function wordsOfTerm(term: FulltextTerm): IndexWord[] {
  return queryTerms(term.text).map((word) => ({ word, prefix: term.prefix === true || isSingleCharacter(word) }));
}

/** A word as FTS5 syntax: quoted, so that nothing in it has a meaning. */
export function matchOf({ word, prefix }: IndexWord): string {
  return `"${word.replaceAll('"', '""')}"${prefix ? "*" : ""}`;
}

export class Postings {
  readonly #db: Connection;
  readonly #keys = new Map<string, Int32Array>();
  readonly #documents = new Map<UnitKind, number>();
  #kept = 0;
  #stamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Keys of the units that hold a word, ascending. */
  of(word: IndexWord, unit: UnitKind): Int32Array {
    this.#refresh();
    const name = `${unit}:${matchOf(word)}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#kept > MAX_KEPT) this.#clear();
    const { words } = TEXT_TABLES[unit];
    const row = this.#db.get(`SELECT group_concat(rowid) AS keys FROM ${words} WHERE ${words} MATCH ?`, [
      matchOf(word),
    ]);
    const list = row === undefined ? "" : text(row, "keys");
    const keys = list === "" ? new Int32Array(0) : Int32Array.from(list.split(","), Number);
    this.#keys.set(name, keys);
    this.#kept += keys.length + 16;
    return keys;
  }

  /** How many units of the kind there are, of any status. */
  documents(unit: UnitKind): number {
    this.#refresh();
    const known = this.#documents.get(unit);
    if (known !== undefined) return known;
    const table = unit === "fact" ? "memories" : "chunks";
    const found = integer(this.#db.get(`SELECT count(*) AS found FROM ${table}`) ?? {}, "found");
    this.#documents.set(unit, found);
    return found;
  }

  /** In how many units each term stands; of a term of several words, the rarest. */
  frequencies(terms: readonly FulltextTerm[], unit: UnitKind): number[] {
    return terms.map((term) => {
      const counts = wordsOfTerm(term).map((word) => this.of(word, unit).length);
      return counts.length === 0 ? 0 : Math.min(...counts);
    });
  }

  /** Share of the terms' idf mass that each unit holds, 0 … 1. Terms without a word weigh nothing. */
  coverage(terms: readonly FulltextTerm[], keys: readonly number[], unit: UnitKind): ReadonlyMap<number, number> {
    const documents = this.documents(unit);
    const weighted = terms.map(wordsOfTerm).flatMap((words) => {
      if (words.length === 0) return [];
      const holders = words.map((word) => this.of(word, unit));
      const frequency = Math.min(...holders.map((list) => list.length));
      return [{ holders, weight: inverseFrequency(frequency, documents) }];
    });
    const mass = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const share = (key: number): number =>
      weighted.reduce(
        (sum, { holders, weight }) => (holders.every((list) => holds(list, key)) ? sum + weight : sum),
        0,
      );
    return new Map(keys.map((key) => [key, mass === 0 ? 0 : share(key) / mass]));
  }

  #refresh(): void {
    const { units } = this.#db.stamps();
    if (units !== this.#stamp) this.#clear();
    this.#stamp = units;
  }

  #clear(): void {
    this.#keys.clear();
    this.#documents.clear();
    this.#kept = 0;
  }
}

/** ln(1 + N / n): rare is worth more, and nothing is worth nothing. */
export function inverseFrequency(frequency: number, documents: number): number {
  return Math.log(1 + documents / Math.max(1, frequency));
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
