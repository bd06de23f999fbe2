/**
 * Erasing for good. Deleted rows are overwritten (`secure_delete`), but full-text segments keep deleted words until they
 * are merged, and the write-ahead log keeps old pages until it is emptied: both are done before the call returns.
 */
import { sha256 } from "../../../core/hash.ts";
import type { MemoryId, ProjectId } from "../../../core/ids.ts";
import { ERASED_TITLE, type IngestReport, withoutQuotes } from "../../../core/report.ts";
import { contentHash } from "../../../text/content-hash.ts";
import { type Connection, integer, listOf, text } from "../connection.ts";
import { mergeTextIndexes, unindexMemory } from "../derived/unit-index.ts";
import type { SqlRow } from "../driver.ts";
import { recordOfSnapshot, scopeText } from "./memory-rows.ts";
import { projectInForce } from "./project-names.ts";

/** @returns How many of the ids were there. */
export function eraseMemories(db: Connection, ids: readonly MemoryId[], at: Date): number {
  const erased = db.write(["units", "vectors"], () => {
    const rows = db.all(
      "SELECT key, id, scope, content_hash FROM memories WHERE id IN (SELECT value FROM json_each(?))",
      [listOf(ids)],
    );
    for (const row of rows) {
      keepTombstones(db, row, at);
      eraseOne(db, integer(row, "key"), text(row, "id"));
    }
    if (rows.length > 0) {
      forgetMentions(
        db,
        rows.map((row) => text(row, "id")),
      );
      mergeTextIndexes(db);
    }
    return rows.length;
  });
  if (erased > 0) emptyLog(db);
  return erased;
}

/** Earlier texts of a memory must not be learned again either. */
function keepTombstones(db: Connection, memory: SqlRow, at: Date): void {
  const versions = db.all("SELECT snapshot FROM memory_versions WHERE memory = ?", [integer(memory, "key")]);
  const earlier = versions.map((row) => contentHash(recordOfSnapshot(text(row, "snapshot"), [])));
  for (const hash of new Set([text(memory, "content_hash"), ...earlier])) {
    db.run(
      `INSERT INTO erased (content_hash, erased_at) VALUES (?, ?)
       ON CONFLICT (content_hash) DO UPDATE SET erased_at = excluded.erased_at`,
      [scopedHash(text(memory, "scope"), hash), at.getTime()],
    );
  }
}

/**
 * Under which a tombstone of this text may lie: of the user's scope, of the project and those that were merged into it,
 * and the bare hash, which earlier versions kept for all projects.
 */
export function tombstoneKeys(db: Connection, project: ProjectId, contentHash: string): string[] {
  const inForce = projectInForce(db, project);
  const merged = db.all("SELECT alias FROM project_aliases WHERE project = ?", [inForce]);
  const scopes = [scopeText({ kind: "user" }), inForce, ...merged.map((row) => text(row, "alias"))];
  return [contentHash, ...scopes.map((scope) => scopedHash(scope, contentHash))];
}

function scopedHash(scope: string, contentHash: string): string {
  return sha256(`${scope}\n${contentHash}`);
}

/** History, sources and citations go with the row. */
function eraseOne(db: Connection, key: number, id: string): void {
  unindexMemory(db, key);
  db.run("DELETE FROM memory_events WHERE memory = ?", [id]);
  db.run("DELETE FROM shown WHERE memory = ?", [id]);
  db.run("DELETE FROM memories WHERE key = ?", [key]);
}

/** Other memories name it as their successor or opponent, and the reports of runs hold its title. */
function forgetMentions(db: Connection, ids: readonly string[]): void {
  const list = listOf(ids);
  db.run("UPDATE memories SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?))", [list]);
  db.run(
    `UPDATE memories SET conflicts_with =
       (SELECT json_group_array(c.value) FROM json_each(conflicts_with) c WHERE c.value NOT IN (SELECT value FROM json_each(?1)))
     WHERE EXISTS (SELECT 1 FROM json_each(conflicts_with) c WHERE c.value IN (SELECT value FROM json_each(?1)))`,
    [list],
  );
  const runs = db.all(
    `SELECT r.id AS id, r.report AS report FROM ingest_runs r WHERE EXISTS
       (SELECT 1 FROM json_each(r.report, '$.decisions') d, json_each(?1) gone
        WHERE gone.value IN (json_extract(d.value, '$.memory'), json_extract(d.value, '$.target')))`,
    [list],
  );
  for (const row of runs) {
    const report = JSON.parse(text(row, "report")) as IngestReport;
    db.run("UPDATE ingest_runs SET report = ? WHERE id = ?", [withoutMentions(report, new Set(ids)), text(row, "id")]);
  }
}

/** Notes of stages, rejected facts and what was left open quote the same session: they go too. */
function withoutMentions(report: IngestReport, ids: ReadonlySet<string>): string {
  const decisions = report.decisions.map((decision) =>
    ids.has(decision.memory ?? "") || ids.has(decision.target ?? "")
      ? { ...decision, title: ERASED_TITLE, reason: null }
      : decision,
  );
  return JSON.stringify(withoutQuotes({ ...report, decisions }));
}

/** Best effort: a reader in another process can keep the log from being emptied; the next erase or close does it then. */
function emptyLog(db: Connection): void {
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
}
