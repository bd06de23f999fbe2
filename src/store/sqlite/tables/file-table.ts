/** Files of tier 1 and their chunks. A chunk whose text stays keeps its key, and with it its indexes and its vectors. */
import type { Chunk, SourceFile } from "../../../core/chunk.ts";
import { chunkId, type ProjectId, projectId } from "../../../core/ids.ts";
import type { FileTable } from "../../store.ts";
import { type Connection, integer, json, listOf, storable, text } from "../connection.ts";
import { indexChunk, refreshChunkTexts, unindexChunk } from "../derived/unit-index.ts";
import type { SqlRow } from "../driver.ts";
import { groupBy } from "../group-by.ts";
import { projectInForce } from "./project-names.ts";

export class SqliteFileTable implements FileTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async list(project: ProjectId): Promise<SourceFile[]> {
    const rows = this.#db.all("SELECT * FROM source_files WHERE project = ? ORDER BY path", [
      projectInForce(this.#db, project),
    ]);
    return rows.map(fileOf);
  }

  async replace(file: SourceFile, chunks: readonly Chunk[]): Promise<void> {
    this.#db.write(["units", "vectors"], () => {
      const project = projectInForce(this.#db, file.project);
      this.#writeFile({ ...file, project });
      const leftovers = this.#chunksByText(project, file.path);
      for (const [position, chunk] of chunks.entries()) {
        const stored = { ...chunk, project, text: storable(chunk.text), headings: chunk.headings.map(storable) };
        const key = leftovers.get(textOf(stored))?.pop();
        if (key === undefined) this.#insertChunk(stored, position);
        else this.#moveChunk(key, stored, position);
      }
      for (const key of [...leftovers.values()].flat()) this.#deleteChunk(key);
      for (const [key, chunk] of this.#keyedChunks(project, file.path)) refreshChunkTexts(this.#db, key, chunk);
    });
  }

  #writeFile(file: SourceFile): void {
    this.#db.run(
      `INSERT INTO source_files (project, path, content_hash, bytes, modified_at, loaded_by) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (project, path) DO UPDATE SET content_hash = excluded.content_hash, bytes = excluded.bytes,
         modified_at = excluded.modified_at, loaded_by = excluded.loaded_by`,
      [file.project, file.path, file.contentHash, file.bytes, file.modifiedAtMs, listOf(file.loadedBy)],
    );
  }

  #keyedChunks(project: ProjectId, path: string): (readonly [number, Chunk])[] {
    const rows = this.#db.all("SELECT * FROM chunks WHERE project = ? AND path = ?", [project, path]);
    return rows.map((row) => [integer(row, "key"), chunkOf(row)]);
  }

  #chunksByText(project: ProjectId, path: string): Map<string, number[]> {
    const rows = this.#db.all("SELECT * FROM chunks WHERE project = ? AND path = ? ORDER BY position DESC", [
      project,
      path,
    ]);
    return groupBy(rows, (row) => [textOf(chunkOf(row)), integer(row, "key")]);
  }

  #insertChunk(chunk: Chunk, position: number): void {
    const { lastKey } = this.#db.run(
      `INSERT INTO chunks (project, path, position, id, start_line, end_line, content_hash, headings, symbols, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        chunk.project,
        chunk.path,
        position,
        chunk.id,
        chunk.startLine,
        chunk.endLine,
        chunk.contentHash,
        listOf(chunk.headings),
        listOf(chunk.symbols),
        chunk.text,
      ],
    );
    indexChunk(this.#db, lastKey, chunk);
  }

  #moveChunk(key: number, chunk: Chunk, position: number): void {
    this.#db.run(
      "UPDATE chunks SET position = ?, id = ?, start_line = ?, end_line = ?, content_hash = ? WHERE key = ?",
      [position, chunk.id, chunk.startLine, chunk.endLine, chunk.contentHash, key],
    );
  }

  #deleteChunk(key: number): void {
    unindexChunk(this.#db, key);
    this.#db.run("DELETE FROM chunks WHERE key = ?", [key]);
  }

  async remove(project: ProjectId, path: string): Promise<void> {
    this.#db.write(["units", "vectors"], () => {
      const place = [projectInForce(this.#db, project), path];
      for (const row of this.#db.all("SELECT key FROM chunks WHERE project = ? AND path = ?", place)) {
        this.#deleteChunk(integer(row, "key"));
      }
      this.#db.run("DELETE FROM source_files WHERE project = ? AND path = ?", place);
    });
  }

  async touch(file: SourceFile): Promise<void> {
    this.#db.write([], () => this.#writeFile({ ...file, project: projectInForce(this.#db, file.project) }));
  }

  async chunks(project: ProjectId, path?: string): Promise<Chunk[]> {
    const inForce = projectInForce(this.#db, project);
    const rows =
      path === undefined
        ? this.#db.all("SELECT * FROM chunks WHERE project = ? ORDER BY path, position", [inForce])
        : this.#db.all("SELECT * FROM chunks WHERE project = ? AND path = ? ORDER BY position", [inForce, path]);
    return rows.map(chunkOf);
  }

  async counts(project?: ProjectId): Promise<{ readonly files: number; readonly chunks: number }> {
    const where = project === undefined ? "1 OR ?" : "project = ?";
    const parameters = [project === undefined ? 0 : projectInForce(this.#db, project)];
    const count = (table: string): number =>
      integer(this.#db.get(`SELECT count(*) AS found FROM ${table} WHERE ${where}`, parameters), "found");
    return { files: count("source_files"), chunks: count("chunks") };
  }
}

/** All of a chunk that is indexed. */
const textOf = (chunk: Chunk): string => JSON.stringify([chunk.headings, chunk.text, chunk.symbols]);

function fileOf(row: SqlRow): SourceFile {
  return {
    project: projectId(text(row, "project")),
    path: text(row, "path"),
    contentHash: text(row, "content_hash"),
    bytes: integer(row, "bytes"),
    modifiedAtMs: Number(row.modified_at),
    loadedBy: json<string[]>(row, "loaded_by", []),
  };
}

export function chunkOf(row: SqlRow): Chunk {
  return {
    id: chunkId(text(row, "id")),
    project: projectId(text(row, "project")),
    path: text(row, "path"),
    headings: json<string[]>(row, "headings", []),
    text: text(row, "text"),
    startLine: integer(row, "start_line"),
    endLine: integer(row, "end_line"),
    contentHash: text(row, "content_hash"),
    symbols: json<string[]>(row, "symbols", []),
  };
}

export function chunksByKey(db: Connection, keys: readonly number[]): ReadonlyMap<number, Chunk> {
  const rows = db.all("SELECT * FROM chunks WHERE key IN (SELECT value FROM json_each(?))", [listOf(keys)]);
  return new Map(rows.map((row) => [integer(row, "key"), chunkOf(row)]));
}
