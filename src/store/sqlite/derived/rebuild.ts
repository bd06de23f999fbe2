/** Everything derived, made again from the canonical rows. */
import { type Connection, integer } from "../connection.ts";
import { chunkOf } from "../tables/file-table.ts";
import { recordsOfRows } from "../tables/memory-rows.ts";
import { projectNameOf } from "../tables/project-names.ts";
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
    indexAllMemories(db, advance);
    indexAllChunks(db, advance);
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
  integer(db.get(`SELECT count(*) AS found FROM ${table}`) ?? {}, "found");

function indexAllMemories(db: Connection, advance: (rows: number) => void): void {
  for (let after = 0; ; ) {
    const rows = db.all("SELECT * FROM memories WHERE key > ? ORDER BY key LIMIT ?", [after, BATCH]);
    if (rows.length === 0) return;
    for (const [at, memory] of recordsOfRows(db, rows).entries()) {
      after = integer(rows[at] ?? {}, "key");
      indexMemory(db, after, { memory, projectName: projectNameOf(db, memory.scope) });
    }
    advance(rows.length);
  }
}

function indexAllChunks(db: Connection, advance: (rows: number) => void): void {
  for (let after = 0; ; ) {
    const rows = db.all("SELECT * FROM chunks WHERE key > ? ORDER BY key LIMIT ?", [after, BATCH]);
    if (rows.length === 0) return;
    for (const row of rows) {
      after = integer(row, "key");
      indexChunk(db, after, chunkOf(row));
    }
    advance(rows.length);
  }
}
