/**
 * How much of a question a unit speaks of: the share of the words' idf mass that it holds. The index cannot be asked
 * "which of these words does this row hold" cheaply, so the few rows that matter are read and their words kept.
 */
import type { UnitKind } from "../../../core/query.ts";
import { indexTokens } from "../../../text/words.ts";
import type { FulltextTerm } from "../../store.ts";
import { type Connection, integer, listOf, text } from "../connection.ts";
import { countDocuments, inverseFrequency, termFrequencies, wordsOfTerm } from "./text-index.ts";

/** Word sets that are kept in memory, at most; each is a few kilobytes. */
const KEPT = 2000;

export class TermCoverage {
  readonly #db: Connection;
  readonly #words = new Map<string, ReadonlySet<string>>();
  #stamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  shares(terms: readonly FulltextTerm[], keys: readonly number[], unit: UnitKind): ReadonlyMap<number, number> {
    const documents = countDocuments(this.#db, unit);
    const frequencies = termFrequencies(this.#db, terms, unit);
    const weighted = terms.map((term, at) => ({
      words: wordsOfTerm(term),
      weight: inverseFrequency(frequencies[at] ?? 0, documents),
    }));
    const mass = weighted.reduce((sum, { words, weight }) => (words.length === 0 ? sum : sum + weight), 0);
    const sets = this.#wordsOf(keys, unit);
    return new Map(
      [...sets].map(([key, held]) => {
        const covered = weighted
          .filter(({ words }) => words.length > 0 && words.every((word) => holds(held, word)))
          .reduce((sum, { weight }) => sum + weight, 0);
        return [key, mass === 0 ? 0 : covered / mass];
      }),
    );
  }

  #wordsOf(keys: readonly number[], unit: UnitKind): ReadonlyMap<number, ReadonlySet<string>> {
    const { units } = this.#db.stamps();
    if (units !== this.#stamp || this.#words.size > KEPT) this.#words.clear();
    this.#stamp = units;
    const missing = keys.filter((key) => !this.#words.has(`${unit}${key}`));
    for (const [key, value] of missing.length > 0 ? readTexts(this.#db, missing, unit) : []) {
      this.#words.set(`${unit}${key}`, new Set(indexTokens(value).split(" ")));
    }
    const found = new Map<number, ReadonlySet<string>>();
    for (const key of keys) {
      const words = this.#words.get(`${unit}${key}`);
      if (words !== undefined) found.set(key, words);
    }
    return found;
  }
}

function holds(held: ReadonlySet<string>, { word, prefix }: ReturnType<typeof wordsOfTerm>[number]): boolean {
  return held.has(word) || (prefix && [...held].some((other) => other.startsWith(word)));
}

function readTexts(db: Connection, keys: readonly number[], unit: UnitKind): ReadonlyMap<number, string> {
  const columns =
    unit === "fact"
      ? "title, when_to_use, symbols, content, how_to_apply, when_not, applies_if, why FROM memories"
      : "headings, symbols, path, text FROM chunks";
  const rows = db.all(`SELECT key, ${columns} WHERE key IN (SELECT value FROM json_each(?))`, [listOf(keys)]);
  return new Map(
    rows.map((row) => [
      integer(row, "key"),
      Object.keys(row)
        .map((column) => text(row, column))
        .join("\n"),
    ]),
  );
}
