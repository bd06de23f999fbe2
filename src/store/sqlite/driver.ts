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

/** What the packages' own connections have in common. */
export interface NativeDatabase<Statement> {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface NativeDriverDeps<Statement> {
  readonly engine: SqlEngine;
  readonly database: NativeDatabase<Statement>;
  readonly statementOf: (native: Statement) => SqlStatement;
}

/** The driver of both packages, which differ in their statements only. */
export class NativeDriver<Statement> implements SqlDriver {
  readonly engine: SqlEngine;
  readonly #database: NativeDatabase<Statement>;
  readonly #statementOf: (native: Statement) => SqlStatement;
  #open = true;

  constructor({ engine, database, statementOf }: NativeDriverDeps<Statement>) {
    this.engine = engine;
    this.#database = database;
    this.#statementOf = statementOf;
  }

  prepare(sql: string): SqlStatement {
    return this.#statementOf(this.#database.prepare(sql));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  transaction<Result>(work: () => Result): Result {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (this.#open) this.#database.close();
    this.#open = false;
  }

  #rollBack(): void {
    try {
      this.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error): the first error is the one that tells why.
    }
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
