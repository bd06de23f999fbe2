/** The SQLite that comes with current Node versions: nothing to install. */
import {
  bindable,
  type ConnectOptions,
  type NativeDatabase,
  NativeDriver,
  type SqlChanges,
  type SqlDriver,
  type SqlParameters,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from "./driver.ts";

interface NativeStatement {
  run(...parameters: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): SqlRow[];
}

interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly?: boolean },
  ) => NativeDatabase<NativeStatement>;
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
  return new NativeDriver({
    engine: "node-sqlite",
    database,
    statementOf: (native) => new NodeSqliteStatement(native),
  });
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
