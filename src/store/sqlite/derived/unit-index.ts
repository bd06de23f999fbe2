/**
 * Keeps the derived rows of one memory or chunk in step with its canonical row, within the caller's transaction. Vectors
 * are not made here: a text that has none yet waits in `unit_texts` for the embedding pass.
 */
import type { Chunk } from "../../../core/chunk.ts";
import { sha256 } from "../../../core/hash.ts";
import type { MemoryRecord } from "../../../core/memory-record.ts";
import type { UnitKind } from "../../../core/query.ts";
import { normaliseSymbol, symbolForms } from "../../../text/symbols.ts";
import { indexTokens } from "../../../text/words.ts";
import { chunkTexts, factTexts, type SlotText } from "../../unit-texts.ts";
import { type Connection, integer, text } from "../connection.ts";
import { projectNameOf } from "../tables/project-names.ts";
import { ASIDE_CODE, SLOT_CODES, TEXT_TABLES, UNIT_CODES, type UnitText } from "./units.ts";
import { dropVectors, placeOf, setVectorsAside, type VectorPlace } from "./vector-blocks.ts";

/** Enough to tell texts apart for reuse: 128 bits. */
const TEXT_HASH_CHARACTERS = 32;

export function textHash({ text: value, around = [] }: Pick<SlotText, "text" | "around">): string {
  return sha256([value, ...around.flatMap((shade) => [shade.text, shade.weight])].join("\u0000")).slice(
    0,
    TEXT_HASH_CHARACTERS,
  );
}

interface UnitRows {
  readonly unit: UnitKind;
  readonly key: number;
  /** Columns of the word index, in order, as written. */
  readonly words: readonly string[];
  readonly trigrams: string;
  readonly symbols: readonly string[];
  readonly texts: readonly SlotText[];
}

export function indexMemory(db: Connection, key: number, memory: MemoryRecord): void {
  const symbols = memory.symbols.join("\n");
  indexUnit(db, {
    unit: "fact",
    key,
    words: [
      memory.title,
      memory.whenToUse.join("\n"),
      symbols,
      memory.content,
      [memory.howToApply, memory.whenNot ?? "", memory.appliesIf ?? ""].join("\n"),
      memory.why,
    ],
    trigrams: [memory.title, symbols, memory.content].join("\n"),
    symbols: memory.symbols,
    texts: factTexts(memory, projectNameOf(db, memory.scope)),
  });
}

export function indexChunk(db: Connection, key: number, chunk: Chunk): void {
  const symbols = [...chunk.symbols, chunk.path].join("\n");
  indexUnit(db, {
    unit: "chunk",
    key,
    words: [chunk.headings.join("\n"), symbols, chunk.text],
    trigrams: [chunk.headings.join("\n"), symbols, chunk.text].join("\n"),
    symbols: [...chunk.symbols, chunk.path],
    texts: chunkTexts(chunk, aroundChunk(db, key)),
  });
}

/** Texts of the pieces before and after a chunk in its file. */
export function aroundChunk(db: Connection, key: number): string[] {
  const rows = db.all(
    `SELECT n.text AS text FROM chunks c JOIN chunks n ON n.project = c.project AND n.path = c.path
       AND n.position IN (c.position - 1, c.position + 1) WHERE c.key = ? AND n.key <> c.key ORDER BY n.position`,
    [key],
  );
  return rows.map((row) => text(row, "text"));
}

/** After the pieces of a file have changed places: what stands around a piece is part of what is embedded. */
export function refreshChunkTexts(db: Connection, key: number, chunk: Chunk): void {
  replaceTexts(db, { unit: "chunk", key, texts: chunkTexts(chunk, aroundChunk(db, key)) });
}

function indexUnit(db: Connection, rows: UnitRows): void {
  dropText(db, rows.unit, rows.key);
  const { words, columns, trigrams } = TEXT_TABLES[rows.unit];
  const places = rows.words.map(() => "?").join(", ");
  const tokens = rows.words.map(indexTokens);
  db.run(`INSERT INTO ${words} (rowid, ${columns.join(", ")}) VALUES (?, ${places})`, [rows.key, ...tokens]);
  db.run(`INSERT INTO ${trigrams} (rowid, content) VALUES (?, ?)`, [rows.key, foldForTrigrams(rows.trigrams)]);
  const unit = UNIT_CODES[rows.unit];
  const length = tokens.reduce((sum, column) => sum + (column === "" ? 0 : column.split(" ").length), 0);
  db.run("INSERT INTO unit_lengths (unit, key, words) VALUES (?, ?, ?)", [unit, rows.key, length]);
  for (const form of new Set(rows.symbols.flatMap(symbolForms))) {
    db.run("INSERT INTO symbols (unit, form, key) VALUES (?, ?, ?)", [unit, form, rows.key]);
  }
  replaceTexts(db, rows);
}

/** The forms under which a query's symbol is looked up. */
export const lookupForm = normaliseSymbol;

/** Case and width folded, so that both engines find the same pieces. */
export function foldForTrigrams(value: string): string {
  return value.normalize("NFKC").toLowerCase().replaceAll("\u0000", " ");
}

/** Texts that stay keep their vectors; texts that are gone take theirs with them. */
function replaceTexts(db: Connection, { unit, key, texts }: Pick<UnitRows, "unit" | "key" | "texts">): void {
  const code = UNIT_CODES[unit];
  const wanted = new Set(texts.map((entry) => `${SLOT_CODES[entry.slot]}:${textHash(entry)}`));
  const known = new Set<string>();
  for (const row of db.all("SELECT slot, text_hash FROM unit_texts WHERE unit = ? AND key = ?", [code, key])) {
    const name = `${integer(row, "slot")}:${text(row, "text_hash")}`;
    if (wanted.has(name)) known.add(name);
    else dropUnitText(db, { unit: code, key, slot: integer(row, "slot"), hash: text(row, "text_hash") });
  }
  for (const name of wanted) {
    if (known.has(name)) continue;
    const [slot = "0", hash = ""] = name.split(":");
    db.run("INSERT INTO unit_texts (unit, key, slot, text_hash) VALUES (?, ?, ?, ?)", [code, key, Number(slot), hash]);
  }
}

function dropUnitText(db: Connection, { unit, key, slot, hash }: UnitText): void {
  const parameters = [unit, key, slot, hash];
  const places = db.all(
    "SELECT block, place FROM vector_places WHERE unit = ? AND key = ? AND slot = ? AND text_hash = ?",
    parameters,
  );
  dropVectors(db, places.map(placeOf));
  db.run("DELETE FROM vector_places WHERE unit = ? AND key = ? AND slot = ? AND text_hash = ?", parameters);
  db.run("DELETE FROM unit_texts WHERE unit = ? AND key = ? AND slot = ? AND text_hash = ?", parameters);
}

function dropText(db: Connection, unit: UnitKind, key: number): void {
  const { words, trigrams } = TEXT_TABLES[unit];
  db.run(`DELETE FROM ${words} WHERE rowid = ?`, [key]);
  db.run(`DELETE FROM ${trigrams} WHERE rowid = ?`, [key]);
  for (const table of ["symbols", "unit_lengths"]) {
    db.run(`DELETE FROM ${table} WHERE unit = ? AND key = ?`, [UNIT_CODES[unit], key]);
  }
}

/** Takes a memory out of every index, and its vectors out of the store. */
export function unindexMemory(db: Connection, key: number): void {
  dropText(db, "fact", key);
  dropVectors(db, placesOf(db, UNIT_CODES.fact, key));
  db.run("DELETE FROM vector_places WHERE unit = ? AND key = ?", [UNIT_CODES.fact, key]);
  db.run("DELETE FROM unit_texts WHERE unit = ? AND key = ?", [UNIT_CODES.fact, key]);
}

/** The same for a chunk; its vectors wait, since files are renamed and branches switched to and fro. */
export function unindexChunk(db: Connection, key: number): void {
  dropText(db, "chunk", key);
  setVectorsAside(db, placesOf(db, UNIT_CODES.chunk, key));
  db.run("UPDATE vector_places SET unit = ? WHERE unit = ? AND key = ?", [ASIDE_CODE, UNIT_CODES.chunk, key]);
  db.run("DELETE FROM unit_texts WHERE unit = ? AND key = ?", [UNIT_CODES.chunk, key]);
}

function placesOf(db: Connection, unit: number, key: number): VectorPlace[] {
  return db.all("SELECT block, place FROM vector_places WHERE unit = ? AND key = ?", [unit, key]).map(placeOf);
}

/** Rewrites the full-text indexes without what was deleted: until then deleted words stay in their pages. */
export function mergeTextIndexes(db: Connection): void {
  for (const { words, trigrams } of Object.values(TEXT_TABLES)) {
    for (const table of [words, trigrams]) db.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  }
}
