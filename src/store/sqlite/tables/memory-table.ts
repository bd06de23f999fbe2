/** Memories: reading, changing through `applyChanges`, and erasing for good. */
import { ArcticMemError } from "../../../core/errors.ts";
import { HANDLE_CHARACTERS, type IdSource, type MemoryId, memoryId, type ProjectId, runId } from "../../../core/ids.ts";
import type { EventKind, MemoryChange, MemoryEvent } from "../../../core/lifecycle.ts";
import type { MemoryRecord, MemoryStatus, Scope } from "../../../core/memory-record.ts";
import type { ApplyResult, MemoryFilter, MemorySnapshot, MemoryTable, Tombstone } from "../../store.ts";
import { type Connection, date, integer, json, listOf, optionalText, text } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { applyChanges } from "./apply-changes.ts";
import { allOf, matching } from "./conditions.ts";
import { eraseMemories, tombstoneKeys } from "./erase-memories.ts";
import { memoryFilterSql } from "./memory-filter.ts";
import { recordOfSnapshot, recordsOfRows, scopeText, sourcesOf } from "./memory-rows.ts";
import { scopeInForce } from "./project-names.ts";

const MAX_PREFIX_MATCHES = 10;
const DEFAULT_EVENTS = 1000;
/** With 2^30 handles, a store of a million memories meets a taken one once in a thousand tries. */
const MAX_ID_TRIES = 100;

export interface MemoryTableDeps {
  readonly db: Connection;
  readonly ids: IdSource;
  readonly now: () => Date;
}

export class SqliteMemoryTable implements MemoryTable {
  readonly #db: Connection;
  readonly #ids: IdSource;
  readonly #now: () => Date;

  constructor({ db, ids, now }: MemoryTableDeps) {
    this.#db = db;
    this.#ids = ids;
    this.#now = now;
  }

  async get(id: MemoryId): Promise<MemoryRecord | undefined> {
    return (await this.getMany([id]))[0];
  }

  async getMany(ids: readonly MemoryId[]): Promise<MemoryRecord[]> {
    const rows = this.#db.all("SELECT * FROM memories WHERE id IN (SELECT value FROM json_each(?))", [listOf(ids)]);
    const found = new Map(recordsOfRows(this.#db, rows).map((memory) => [memory.id, memory]));
    return ids.map((id) => found.get(id)).filter((memory) => memory !== undefined);
  }

  async findByPrefix(prefix: string): Promise<MemoryRecord[]> {
    if (!/^[0-9a-z]+$/.test(prefix)) return [];
    const rows = this.#db.all("SELECT * FROM memories WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", [
      prefix,
      `${prefix}~`,
      MAX_PREFIX_MATCHES,
    ]);
    return recordsOfRows(this.#db, rows);
  }

  async list(filter: MemoryFilter): Promise<MemoryRecord[]> {
    const { where, parameters } = memoryFilterSql(this.#db, filter);
    const order = filter.order === "stable" ? "m.type, m.id" : "m.created_at DESC, m.key DESC";
    // Keys are sorted, not rows: a row is a kilobyte or two.
    const rows = this.#db.all(
      `SELECT m.* FROM memories m JOIN (SELECT key FROM memories m WHERE ${where} ORDER BY ${order} LIMIT ?) k
       ON k.key = m.key ORDER BY ${order}`,
      [...parameters, filter.limit ?? -1],
    );
    return recordsOfRows(this.#db, rows, filter.provenance ?? true);
  }

  async count(filter: MemoryFilter): Promise<number> {
    const { where, parameters } = memoryFilterSql(this.#db, filter);
    const row = this.#db.get(`SELECT count(*) AS found FROM memories m WHERE ${where}`, parameters);
    const found = integer(row, "found");
    return Math.min(found, filter.limit ?? found);
  }

  async countByStatus(
    filter: Pick<MemoryFilter, "projects" | "user">,
  ): Promise<Readonly<Partial<Record<MemoryStatus, number>>>> {
    const { where, parameters } = memoryFilterSql(this.#db, filter);
    const rows = this.#db.all(
      `SELECT m.status AS status, count(*) AS found FROM memories m WHERE ${where} GROUP BY m.status`,
      parameters,
    );
    return Object.fromEntries(rows.map((row) => [text(row, "status"), integer(row, "found")]));
  }

  async apply(changes: readonly MemoryChange[], events: readonly MemoryEvent[]): Promise<ApplyResult> {
    return applyChanges(this.#db, { changes, events, now: this.#now() });
  }

  async newId(): Promise<MemoryId> {
    for (let tries = 0; tries < MAX_ID_TRIES; tries += 1) {
      const id = this.#ids.next();
      const handle = id.slice(0, HANDLE_CHARACTERS);
      const taken = this.#db.get("SELECT 1 FROM memories WHERE id >= ? AND id < ?", [handle, `${handle}~`]);
      if (taken === undefined) return memoryId(id);
    }
    throw new ArcticMemError("STORE_BROKEN", `no free id in ${MAX_ID_TRIES} tries: the id source repeats itself`);
  }

  async history(id: MemoryId): Promise<MemorySnapshot[]> {
    const row = this.#db.get("SELECT key FROM memories WHERE id = ?", [id]);
    if (row === undefined) return [];
    const key = integer(row, "key");
    const sources = sourcesOf(this.#db, [key]).get(key) ?? [];
    const rows = this.#db.all("SELECT * FROM memory_versions WHERE memory = ? ORDER BY revision DESC", [key]);
    return rows.map((version) => {
      const run = optionalText(version, "run");
      const revision = integer(version, "revision");
      const then = sources.filter((source) => source.revision <= revision).map((source) => source.provenance);
      return {
        memory: recordOfSnapshot(text(version, "snapshot"), then),
        until: date(version, "until"),
        run: run === null ? null : runId(run),
      };
    });
  }

  async events(filter: Parameters<MemoryTable["events"]>[0]): Promise<MemoryEvent[]> {
    const { where, parameters } = allOf([...matching("memory = ?", filter.memory), ...matching("run = ?", filter.run)]);
    const rows = this.#db.all(`SELECT * FROM memory_events WHERE ${where} ORDER BY at DESC, key DESC LIMIT ?`, [
      ...parameters,
      filter.limit ?? DEFAULT_EVENTS,
    ]);
    return rows.map(eventOf);
  }

  async findByContent(scope: Scope, contentHash: string): Promise<MemoryRecord[]> {
    const rows = this.#db.all(
      "SELECT * FROM memories WHERE content_hash = ? AND scope = ? ORDER BY created_at DESC, key DESC",
      [contentHash, scopeText(scopeInForce(this.#db, scope))],
    );
    return recordsOfRows(this.#db, rows);
  }

  async findTombstone(project: ProjectId, contentHash: string): Promise<Tombstone | undefined> {
    const row = this.#db.get(
      `SELECT erased_at FROM erased WHERE content_hash IN (SELECT value FROM json_each(?))
       ORDER BY erased_at DESC LIMIT 1`,
      [listOf(tombstoneKeys(this.#db, project, contentHash))],
    );
    return row === undefined ? undefined : { contentHash, erasedAt: date(row, "erased_at") };
  }

  async erase(ids: readonly MemoryId[], at: Date): Promise<number> {
    return eraseMemories(this.#db, ids, at);
  }
}

function eventOf(row: SqlRow): MemoryEvent {
  return {
    memory: memoryId(text(row, "memory")),
    kind: text(row, "kind") as EventKind,
    run: optionalText(row, "run"),
    actor: text(row, "actor"),
    rules: json<string[]>(row, "rules", []),
    reason: optionalText(row, "reason"),
    at: date(row, "at"),
  };
}
