/** Conflicts between files and memories. One whose memory or chunk reads otherwise by now is never returned. */
import type { FileConflict } from "../../../core/findings/file-conflict.ts";
import { memoryId, type ProjectId } from "../../../core/ids.ts";
import type { CheckedTexts, ConflictTable, UncheckedTexts } from "../../store.ts";
import { type Connection, integer, listOf, storable, text } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { chunkOf } from "./file-table.ts";
import { keyedRecords, LIVE, scopeText } from "./memory-rows.ts";
import { projectInForce } from "./project-names.ts";

const USER = scopeText({ kind: "user" });

export class SqliteConflictTable implements ConflictTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async unchecked(project: ProjectId, { rules, limit }: { rules: string; limit: number }): Promise<UncheckedTexts> {
    const inForce = projectInForce(this.#db, project);
    const memoryRows = this.#db.all(
      `SELECT m.* FROM memories m LEFT JOIN checked_memories c ON c.memory = m.key AND c.project = ?
       WHERE m.scope IN (?, ?) AND m.status IN ${LIVE} AND (c.stamp IS NULL OR c.stamp <> ? || m.version)
       ORDER BY m.key LIMIT ?`,
      [inForce, inForce, USER, `${rules}/`, limit],
    );
    const chunkRows = this.#db.all(
      `SELECT k.* FROM chunks k LEFT JOIN checked_chunks c ON c.chunk = k.key
       WHERE k.project = ? AND (c.stamp IS NULL OR c.stamp <> ? || k.content_hash) ORDER BY k.key LIMIT ?`,
      [inForce, `${rules}/${inForce}/`, limit],
    );
    return {
      memories: keyedRecords(this.#db, memoryRows).map(([key, memory]) => ({ key, memory })),
      chunks: chunkRows.map((row) => ({ key: integer(row, "key"), chunk: chunkOf(row) })),
    };
  }

  async record(project: ProjectId, { rules, texts, found }: CheckedTexts): Promise<void> {
    const inForce = projectInForce(this.#db, project);
    this.#db.write([], () => {
      for (const { key, memory } of texts.memories) {
        this.#forget("memory", key, inForce);
        this.#db.run(
          "INSERT OR REPLACE INTO checked_memories (memory, project, stamp) SELECT key, ?, ? FROM memories WHERE key = ?",
          [inForce, `${rules}/${memory.version}`, key],
        );
      }
      for (const { key, chunk } of texts.chunks) {
        this.#forget("chunk", key, inForce);
        this.#db.run("INSERT OR REPLACE INTO checked_chunks (chunk, stamp) SELECT key, ? FROM chunks WHERE key = ?", [
          `${rules}/${inForce}/${chunk.contentHash}`,
          key,
        ]);
      }
      for (const { memoryKey, chunkKey, version, contentHash, conflict } of found) {
        this.#db.run(
          `INSERT OR REPLACE INTO file_conflicts (memory, chunk, version, content_hash, kind, line, file_says, memory_says)
           SELECT m.key, k.key, ?, ?, ?, ?, ?, ? FROM memories m, chunks k WHERE m.key = ? AND k.key = ?`,
          [
            version,
            contentHash,
            conflict.kind,
            conflict.line,
            storable(conflict.fileSays),
            storable(conflict.memorySays),
            memoryKey,
            chunkKey,
          ],
        );
      }
    });
  }

  #forget(side: "memory" | "chunk", key: number, project: ProjectId): void {
    const inProject = side === "memory" ? "AND chunk IN (SELECT key FROM chunks WHERE project = ?)" : "";
    this.#db.run(
      `DELETE FROM file_conflicts WHERE ${side} = ? ${inProject}`,
      side === "memory" ? [key, project] : [key],
    );
  }

  async list(project: ProjectId, memories?: readonly string[]): Promise<FileConflict[]> {
    const inForce = projectInForce(this.#db, project);
    const which = memories === undefined ? "1 OR ?" : "m.id IN (SELECT value FROM json_each(?))";
    const rows = this.#db.all(
      `SELECT m.id AS id, m.source AS source, m.event_at AS event_at, f.modified_at AS modified_at, k.path AS path,
         k.start_line + c.line - 1 AS line, c.kind AS kind, c.file_says AS file_says, c.memory_says AS memory_says
       FROM file_conflicts c JOIN memories m ON m.key = c.memory AND m.version = c.version
       JOIN chunks k ON k.key = c.chunk AND k.content_hash = c.content_hash
       JOIN source_files f ON f.project = k.project AND f.path = k.path
       WHERE k.project = ? AND m.scope IN (?, ?) AND m.status IN ${LIVE} AND (${which}) ORDER BY k.path, line, m.id`,
      [inForce, inForce, USER, memories === undefined ? 0 : listOf(memories)],
    );
    return rows.map(conflictOf);
  }
}

const BY_USER: readonly string[] = ["user_stated", "user_confirmed"];

function conflictOf(row: SqlRow): FileConflict {
  const changedAt = Number(row.modified_at);
  const isLater = changedAt > 0 && integer(row, "event_at") > changedAt;
  return {
    memory: memoryId(text(row, "id")),
    path: text(row, "path"),
    line: integer(row, "line"),
    kind: text(row, "kind") as FileConflict["kind"],
    fileSays: text(row, "file_says"),
    memorySays: text(row, "memory_says"),
    winner: isLater && BY_USER.includes(text(row, "source")) ? "memory" : "file",
  };
}
