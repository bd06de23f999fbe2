/**
 * A driver with what every table needs of it: statements prepared on first use and kept, errors in the store's words,
 * one kind of write transaction, and a cheap answer to "has anything changed since I cached this?".
 */
import type { SqlChanges, SqlDriver, SqlParameters, SqlRow, SqlStatement, SqlValue } from "./driver.ts";
import { explainSqliteError } from "./sqlite-errors.ts";

/** What of the derived state has moved; each counter only grows. */
export interface ChangeStamps {
  /** Memories, chunks or projects: whatever a filter reads. */
  readonly units: number;
  readonly vectors: number;
}

export class Connection {
  readonly location: string;
  readonly #driver: SqlDriver;
  readonly #statements = new Map<string, SqlStatement>();
  readonly #moved = new Set<keyof ChangeStamps>();
  #depth = 0;
  #stampsOf = -1;
  #held = false;
  #stamps: ChangeStamps = { units: 0, vectors: 0 };

  constructor(driver: SqlDriver, location: string) {
    this.#driver = driver;
    this.location = location;
  }

  get(sql: string, parameters?: SqlParameters): SqlRow | undefined {
    return this.#guard(() => this.#prepare(sql).get(parameters));
  }

  all(sql: string, parameters?: SqlParameters): SqlRow[] {
    return this.#guard(() => this.#prepare(sql).all(parameters));
  }

  run(sql: string, parameters?: SqlParameters): SqlChanges {
    return this.#guard(() => this.#prepare(sql).run(parameters));
  }

  exec(sql: string): void {
    this.#guard(() => this.#driver.exec(sql));
  }

  /** One immediate transaction; inside another one it is part of that. `moves` says whose caches it makes stale. */
  write<Result>(moves: readonly (keyof ChangeStamps)[], work: () => Result): Result {
    for (const name of moves) this.#moved.add(name);
    if (this.#depth > 0) return work();
    const body = (): Result => {
      const result = work();
      for (const name of this.#moved) this.#bump(name);
      return result;
    };
    return this.#guard(() => {
      this.#depth += 1;
      try {
        return this.#driver.transaction(body);
      } finally {
        this.#depth -= 1;
        this.#moved.clear();
        this.#stampsOf = -1;
      }
    });
  }

  /** The same for what may be lost: throws `STORE_LOCKED` at once where another process writes. */
  writeAtOnce<Result>(work: () => Result): Result {
    const waitMs = Number(this.get("PRAGMA busy_timeout")?.timeout ?? 0);
    this.exec("PRAGMA busy_timeout = 0");
    try {
      return this.write([], work);
    } finally {
      this.exec(`PRAGMA busy_timeout = ${waitMs}`);
    }
  }

  /** Within `write`: what is cached of this is stale when it commits. */
  noteMoved(name: keyof ChangeStamps): void {
    this.#moved.add(name);
  }

  /** One read of many parts, which all see the same counters. */
  steady<Result>(work: () => Result): Result {
    this.stamps();
    this.#held = true;
    try {
      return work();
    } finally {
      this.#held = false;
    }
  }

  /** Reads the counters only when this or another process has committed something. */
  stamps(): ChangeStamps {
    if (this.#held) return this.#stamps;
    const version = Number(this.get("PRAGMA data_version")?.data_version);
    if (version === this.#stampsOf) return this.#stamps;
    const counters = new Map(this.all("SELECT name, value FROM change_stamps").map((row) => [row.name, row.value]));
    this.#stamps = { units: Number(counters.get("units") ?? 0), vectors: Number(counters.get("vectors") ?? 0) };
    this.#stampsOf = version;
    return this.#stamps;
  }

  close(): void {
    this.#statements.clear();
    this.#driver.close();
  }

  #bump(name: keyof ChangeStamps): void {
    this.run(
      "INSERT INTO change_stamps (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
      [name],
    );
  }

  #prepare(sql: string): SqlStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(error, this.location);
    }
  }
}

/** Of a row that is not there every column is `NULL`. */
type AnyRow = SqlRow | undefined;

/** A column as text; `NULL` as the empty text. */
export function text(row: AnyRow, column: string): string {
  const value = row?.[column];
  return typeof value === "string" ? value : "";
}

export function optionalText(row: AnyRow, column: string): string | null {
  const value = row?.[column];
  return typeof value === "string" ? value : null;
}

export function integer(row: AnyRow, column: string): number {
  return Number(row?.[column] ?? 0);
}

export function optionalInteger(row: AnyRow, column: string): number | null {
  const value = row?.[column];
  return value === null || value === undefined ? null : Number(value);
}

export function date(row: AnyRow, column: string): Date {
  return new Date(integer(row, column));
}

export function optionalDate(row: AnyRow, column: string): Date | null {
  const value = optionalInteger(row, column);
  return value === null ? null : new Date(value);
}

/** A copy: what a driver hands out may be a view of a pool, and not aligned for four-byte numbers. */
export function bytes(row: AnyRow, column: string): ArrayBuffer {
  const value = row?.[column];
  return new Uint8Array(value instanceof Uint8Array ? value : []).buffer;
}

/** Single bytes as the driver hands them out, uncopied. */
export function signedBytes(row: AnyRow, column: string): Int8Array {
  const value = row?.[column];
  return value instanceof Uint8Array ? new Int8Array(value.buffer, value.byteOffset, value.length) : new Int8Array(0);
}

export function flag(row: AnyRow, column: string): boolean {
  return integer(row, column) !== 0;
}

/** A JSON column that we wrote ourselves. */
export function json<Value>(row: AnyRow, column: string, empty: Value): Value {
  const value = row?.[column];
  return typeof value === "string" && value !== "" && value !== "[]" ? (JSON.parse(value) as Value) : empty;
}

export const timeOf = (at: Date | null): number | null => (at === null ? null : at.getTime());

/** Neither engine gives back every text as it was: a NUL ends it, half a surrogate pair becomes another character. */
export function storable(value: string): string {
  return value.includes("\u0000") || /\p{Surrogate}/u.test(value)
    ? value.replaceAll("\u0000", "").replace(/\p{Surrogate}/gu, "\ufffd")
    : value;
}

export const storableOrNull = (value: string | null): string | null => (value === null ? null : storable(value));

/** One bound value for `IN (SELECT value FROM json_each(?))`: any number of them with one prepared statement. */
export function listOf(values: readonly (string | number)[]): SqlValue {
  return JSON.stringify(values);
}
