/** SQLite from the `libsql` package, with prebuilt binaries: for the Node versions that bring none. */
import { createRequire } from "node:module";
import type { ConnectOptions, SqlChanges, SqlDriver, SqlParameters, SqlRow, SqlStatement } from "./driver.ts";
import { bindable, runImmediate } from "./driver.ts";

interface NativeStatement {
  run(parameters: SqlParameters): { readonly changes: number; readonly lastInsertRowid: number };
  get(parameters: SqlParameters): SqlRow | undefined;
  all(parameters: SqlParameters): NativeRow[];
}

interface NativeDatabase {
  prepare(sql: string): NativeStatement;
  exec(sql: string): void;
  close(): void;
}

type DatabaseClass = new (path: string, options: { readonly timeout: number }) => NativeDatabase;

export function connectLibsql(options: ConnectOptions): SqlDriver {
  const Database = loadQuickly();
  const location = options.readOnly ? readOnlyUri(options.path) : options.path;
  return new LibsqlDriver(new Database(location, { timeout: options.busyTimeoutMs }));
}

/**
 * While it loads, the package writes a whole diagnostic report only to learn which C library there is, which takes
 * longer than all the rest; and asks `detect-libc` as well, which looks at a file and has the last word.
 */
function loadQuickly(): DatabaseClass {
  const { report } = process;
  const getReport = report?.getReport;
  if (report !== undefined) report.getReport = () => ({});
  try {
    return createRequire(import.meta.url)("libsql") as DatabaseClass;
  } finally {
    if (report !== undefined && getReport !== undefined) report.getReport = getReport;
  }
}

/** The package has no read-only option; SQLite's own file names with parameters do it. */
function readOnlyUri(path: string): string {
  const escaped = path.replaceAll("\\", "/").replace(/[%?#]/g, (character) => encodeURIComponent(character));
  return `file:${/^[A-Za-z]:/.test(escaped) ? "/" : ""}${escaped}?mode=ro`;
}

class LibsqlDriver implements SqlDriver {
  readonly engine = "libsql";
  readonly #database: NativeDatabase;
  #open = true;

  constructor(database: NativeDatabase) {
    this.#database = database;
  }

  prepare(sql: string): SqlStatement {
    return new LibsqlStatement(this.#database.prepare(sql));
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

class LibsqlStatement implements SqlStatement {
  readonly #statement: NativeStatement;

  constructor(statement: NativeStatement) {
    this.#statement = statement;
  }

  run(parameters: SqlParameters = []): SqlChanges {
    const { changes, lastInsertRowid } = this.#statement.run(bindable(parameters));
    return { changes, lastKey: Number(lastInsertRowid) };
  }

  get(parameters: SqlParameters = []): SqlRow | undefined {
    return this.#statement.get(bindable(parameters));
  }

  all(parameters: SqlParameters = []): SqlRow[] {
    return withByteArrays(this.#statement.all(bindable(parameters)));
  }
}

type NativeRow = Record<string, SqlRow[string] | ArrayBuffer>;

/** `all` hands out blobs as bare buffers, unlike `get`. */
function withByteArrays(rows: NativeRow[]): SqlRow[] {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => {
    const value = rows.find((row) => row[column] !== null)?.[column];
    return value instanceof ArrayBuffer;
  });
  for (const column of columns) {
    for (const row of rows) {
      const value = row[column];
      if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value);
    }
  }
  return rows as SqlRow[];
}
