/** The SQLite that comes with current Node versions: nothing to install. */
import type { ConnectOptions, SqlChanges, SqlDriver, SqlParameters, SqlRow, SqlStatement, SqlValue } from "./driver.ts";
import { bindable, runImmediate } from "./driver.ts";

interface NativeStatement {
  run(...parameters: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): SqlRow[];
}

interface NativeDatabase {
  prepare(sql: string): NativeStatement;
  exec(sql: string): void;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly?: boolean }) => NativeDatabase;
}

/** @returns Undefined where this Node has no SQLite of its own, or one without full-text search (up to 22.14 or so). */
export async function connectNodeSqlite(options: ConnectOptions): Promise<SqlDriver | undefined> {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return undefined;
  const database = new sqlite.DatabaseSync(options.path, { readOnly: options.readOnly });
  database.exec(`PRAGMA busy_timeout = ${Math.trunc(options.busyTimeoutMs)}`);
  if (database.prepare("SELECT 1 AS found FROM pragma_module_list WHERE name = 'fts5'").get() === undefined) {
    database.close();
    return undefined;
  }
  return new NodeSqliteDriver(database);
}

/** Loads the module without the warning that some versions print about it: a hook's stderr is shown to people. */
function loadQuietly(): SqliteModule | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).includes("SQLite")) Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule?.("node:sqlite") as SqliteModule | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

class NodeSqliteDriver implements SqlDriver {
  readonly engine = "node-sqlite";
  readonly #database: NativeDatabase;
  #open = true;

  constructor(database: NativeDatabase) {
    this.#database = database;
  }

  prepare(sql: string): SqlStatement {
    return new NodeSqliteStatement(this.#database.prepare(sql));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  transaction<Result>(work: () => Result): Result {
    return runImmediate(this, work);
  }

  close(): void {
    if (this.#open) this.#database.close();
    this.#open = false;
  }
}

class NodeSqliteStatement implements SqlStatement {
  readonly #statement: NativeStatement;

  constructor(statement: NativeStatement) {
    this.#statement = statement;
  }

  run(parameters: SqlParameters = []): SqlChanges {
    const { changes, lastInsertRowid } = this.#statement.run(...bindable(parameters));
    return { changes: Number(changes), lastKey: Number(lastInsertRowid) };
  }

  get(parameters: SqlParameters = []): SqlRow | undefined {
    return this.#statement.get(...bindable(parameters));
  }

  all(parameters: SqlParameters = []): SqlRow[] {
    return this.#statement.all(...bindable(parameters));
  }
}
