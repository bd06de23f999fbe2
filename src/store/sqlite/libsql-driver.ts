/** SQLite from the `libsql` package, with prebuilt binaries: for the Node versions that bring none. */
import { createRequire } from "node:module";
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

type NativeValues = readonly (SqlValue | ArrayBuffer)[];

interface NativeStatement {
  raw(on: boolean): void;
  columns(): readonly { readonly name: string }[];
  run(parameters: SqlParameters): { readonly changes: number; readonly lastInsertRowid: number };
  get(parameters: SqlParameters): NativeValues | undefined;
  all(parameters: SqlParameters): NativeValues[];
}

type DatabaseClass = new (path: string, options: { readonly timeout: number }) => NativeDatabase<NativeStatement>;

export function connectLibsql(options: ConnectOptions): SqlDriver {
  const Database = loadQuickly();
  const location = options.readOnly ? readOnlyUri(options.path) : options.path;
  const database = new Database(location, { timeout: options.busyTimeoutMs });
  return new NativeDriver({ engine: "libsql", database, statementOf: (native) => new LibsqlStatement(native) });
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

/**
 * Rows are asked for as lists and named here: the package takes four times as long to make objects of them.
 * Its blobs are bare buffers in one call and views in another.
 */
class LibsqlStatement implements SqlStatement {
  readonly #statement: NativeStatement;
  #columns: readonly string[] | undefined;

  constructor(statement: NativeStatement) {
    this.#statement = statement;
  }

  run(parameters: SqlParameters = []): SqlChanges {
    const { changes, lastInsertRowid } = this.#statement.run(bindable(parameters));
    return { changes, lastKey: Number(lastInsertRowid) };
  }

  get(parameters: SqlParameters = []): SqlRow | undefined {
    const columns = this.#asLists();
    const values = this.#statement.get(bindable(parameters));
    return values === undefined ? undefined : named(columns, values);
  }

  all(parameters: SqlParameters = []): SqlRow[] {
    const columns = this.#asLists();
    return this.#statement.all(bindable(parameters)).map((values) => named(columns, values));
  }

  #asLists(): readonly string[] {
    if (this.#columns === undefined) {
      this.#statement.raw(true);
      this.#columns = this.#statement.columns().map(({ name }) => name);
    }
    return this.#columns;
  }
}

function named(columns: readonly string[], values: NativeValues): SqlRow {
  const row: Record<string, SqlValue> = {};
  for (let at = 0; at < columns.length; at += 1) {
    const value = values[at] ?? null;
    row[columns[at] ?? ""] = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  }
  return row;
}
