/** Everything derived, made again from the canonical rows. */
import { type Connection, integer } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { chunkOf } from "../tables/file-table.ts";
import { keyedRecords } from "../tables/memory-rows.ts";
import { indexChunk, indexMemory, mergeTextIndexes } from "./unit-index.ts";
import { TEXT_TABLES } from "./units.ts";

const BATCH = 200;

/** One transaction: a reader sees the old indexes or the new ones. Vectors go, and come back with the embedding pass. */
export function rebuildDerivedRows(db: Connection, onProgress?: (done: number, total: number) => void): void {
  db.write(["units", "vectors"], () => {
    dropDerived(db);
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
  db.exec("DELETE FROM symbols; DELETE FROM unit_lengths; DELETE FROM unit_texts; DELETE FROM embedders;");
  db.exec("DELETE FROM file_conflicts; DELETE FROM checked_memories; DELETE FROM checked_chunks;");
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
