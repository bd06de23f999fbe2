/** Everything derived, made again from the canonical rows. */
import { type Connection, integer } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { chunkOf } from "../tables/file-table.ts";
import { keyedRecords } from "../tables/memory-rows.ts";
import { indexChunk, indexMemory, mergeTextIndexes } from "./unit-index.ts";
import { ASIDE_CODE, TEXT_TABLES, UNIT_CODES } from "./units.ts";
import { dropVectors, placeOf } from "./vector-blocks.ts";

const BATCH = 200;

/**
 * One transaction: a reader sees the old indexes or the new ones. Vectors of texts that stay serve on, those of other
 * texts go.
 */
export function rebuildDerivedRows(db: Connection, onProgress?: (done: number, total: number) => void): void {
  db.write(["units", "vectors"], () => {
    dropDerived(db);
    dropOrphans(db);
    const progress = { done: 0, total: countRows(db, "memories") + countRows(db, "chunks") };
    const advance = (rows: number): void => {
      progress.done += rows;
      onProgress?.(progress.done, progress.total);
    };
    for (const rows of batchesOf(db, "memories")) {
      for (const [key, memory] of keyedRecords(db, rows)) indexMemory(db, key, memory);
      advance(rows.length);
    }
    for (const rows of batchesOf(db, "chunks")) {
      for (const row of rows) indexChunk(db, integer(row, "key"), chunkOf(row));
      advance(rows.length);
    }
    mergeTextIndexes(db);
  });
}

function dropDerived(db: Connection): void {
  for (const { words, trigrams } of Object.values(TEXT_TABLES)) {
    for (const table of [words, trigrams]) db.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
  }
  db.exec("DELETE FROM symbols; DELETE FROM unit_lengths;");
  db.exec("DELETE FROM file_conflicts; DELETE FROM checked_memories; DELETE FROM checked_chunks;");
}

/** Texts of units that are gone, and vectors of texts that are: a sound store has neither. */
function dropOrphans(db: Connection): void {
  for (const [unit, code] of Object.entries(UNIT_CODES)) {
    const table = unit === "fact" ? "memories" : "chunks";
    db.run(`DELETE FROM unit_texts WHERE unit = ? AND key NOT IN (SELECT key FROM ${table})`, [code]);
  }
  const lost = `FROM vector_places WHERE unit <> ? AND NOT EXISTS (SELECT 1 FROM unit_texts t WHERE t.unit = vector_places.unit
    AND t.key = vector_places.key AND t.slot = vector_places.slot AND t.text_hash = vector_places.text_hash)`;
  dropVectors(db, db.all(`SELECT block, place ${lost}`, [ASIDE_CODE]).map(placeOf));
  db.run(`DELETE ${lost}`, [ASIDE_CODE]);
}

const countRows = (db: Connection, table: "memories" | "chunks"): number =>
  integer(db.get(`SELECT count(*) AS found FROM ${table}`), "found");

function* batchesOf(db: Connection, table: "memories" | "chunks"): Generator<readonly SqlRow[]> {
  for (let after = 0; ; ) {
    const rows = db.all(`SELECT * FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`, [after, BATCH]);
    if (rows.length === 0) return;
    yield rows;
    after = integer(rows.at(-1), "key");
  }
}
