/** The embedded store: one SQLite file with everything in it. */
import { existsSync, statSync } from "node:fs";
import type { IdSource } from "../../core/ids.ts";
import type { Store } from "../store.ts";
import type { Connection } from "./connection.ts";
import { rebuildDerivedRows } from "./derived/rebuild.ts";
import { SqliteSearchIndex } from "./search-index.ts";
import { SqliteConflictTable } from "./tables/conflict-table.ts";
import { SqliteFileTable } from "./tables/file-table.ts";
import { SqliteMemoryTable } from "./tables/memory-table.ts";
import { SqliteProjectTable } from "./tables/project-table.ts";
import { SqliteRunTable } from "./tables/run-table.ts";
import { SqliteSessionTable } from "./tables/session-table.ts";
import { SqliteSettingTable } from "./tables/setting-table.ts";
import { SqliteUsageTable } from "./tables/usage-table.ts";

export interface SqliteStoreDeps {
  readonly db: Connection;
  readonly ids: IdSource;
  readonly now: () => Date;
}

export class SqliteStore implements Store {
  readonly location: string;
  readonly projects: SqliteProjectTable;
  readonly memories: SqliteMemoryTable;
  readonly runs: SqliteRunTable;
  readonly files: SqliteFileTable;
  readonly index: SqliteSearchIndex;
  readonly settings: SqliteSettingTable;
  readonly sessions: SqliteSessionTable;
  readonly conflicts: SqliteConflictTable;
  readonly usage: SqliteUsageTable;
  readonly #db: Connection;

  constructor({ db, ids, now }: SqliteStoreDeps) {
    this.location = db.location;
    this.#db = db;
    this.projects = new SqliteProjectTable(db, now);
    this.memories = new SqliteMemoryTable({ db, ids, now });
    this.runs = new SqliteRunTable(db);
    this.files = new SqliteFileTable(db);
    this.index = new SqliteSearchIndex(db);
    this.settings = new SqliteSettingTable(db);
    this.sessions = new SqliteSessionTable(db);
    this.conflicts = new SqliteConflictTable(db);
    this.usage = new SqliteUsageTable(db);
  }

  async rebuildDerived(onProgress?: (done: number, total: number) => void): Promise<void> {
    rebuildDerivedRows(this.#db, onProgress);
  }

  async bytes(): Promise<number> {
    const files = [this.location, `${this.location}-wal`].filter((file) => existsSync(file));
    return files.reduce((sum, file) => sum + statSync(file).size, 0);
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
