/**
 * What an SQLite engine owes the store: a synchronous connection with prepared statements. Two engines obey it, since
 * no single one runs on every supported Node without a compiler.
 */

/** What can be bound and read. A number is bound as a real; integer columns turn it back into an integer. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A row by column name. It may carry more than its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export type SqlParameters = readonly SqlValue[];

export interface SqlChanges {
  readonly changes: number;
  /** Row id of the last INSERT of this connection. */
  readonly lastKey: number;
}

export interface SqlStatement {
  run(parameters?: SqlParameters): SqlChanges;
  get(parameters?: SqlParameters): SqlRow | undefined;
  all(parameters?: SqlParameters): SqlRow[];
}

export interface SqlDriver {
  readonly engine: SqlEngine;
  prepare(sql: string): SqlStatement;
  /** Runs any number of statements that answer nothing. */
  exec(sql: string): void;
  /** Runs `work` between BEGIN IMMEDIATE and COMMIT; whatever it throws rolls back and is thrown on. Not nestable. */
  transaction<Result>(work: () => Result): Result;
  /** Closing twice is harmless. */
  close(): void;
}

export const SQL_ENGINES = ["node-sqlite", "libsql"] as const;
export type SqlEngine = (typeof SQL_ENGINES)[number];

export interface ConnectOptions {
  /** A file that exists or whose folder exists, or `:memory:`. */
  readonly path: string;
  readonly readOnly: boolean;
  readonly busyTimeoutMs: number;
}

/** The transaction of both drivers. */
export function runImmediate<Result>(driver: Pick<SqlDriver, "exec">, work: () => Result): Result {
  driver.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    driver.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(driver);
    throw error;
  }
}

function rollBack(driver: Pick<SqlDriver, "exec">): void {
  try {
    driver.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error): the first error is the one that tells why.
  }
}

/** libsql ends the whole process on a value that it cannot bind, node:sqlite takes an object for named parameters. */
export function bindable(parameters: SqlParameters): SqlParameters {
  for (const value of parameters) {
    const type = typeof value;
    if (type === "string" || type === "number" || type === "bigint" || value === null) continue;
    if (!(value instanceof Uint8Array)) throw new TypeError(`a value of type ${type} cannot be bound`);
  }
  return parameters;
}
