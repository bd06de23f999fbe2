/** Picks the engine, makes the file private, and sets what every connection needs. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ArcticMemError } from "../../core/errors.ts";
import { type ConnectOptions, SQL_ENGINES, type SqlDriver, type SqlEngine } from "./driver.ts";
import { connectLibsql } from "./libsql-driver.ts";
import { connectNodeSqlite } from "./node-sqlite-driver.ts";
import { explainSqliteError } from "./sqlite-errors.ts";

export interface OpenDriverOptions {
  readonly path: string;
  readonly readOnly?: boolean;
  /** How long a writer waits for another one. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Default: the one named by `ARCTICMEM_SQLITE`, else Node's own where there is one, else libsql. */
  readonly engine?: SqlEngine;
  /** Makes the disk "full" at so many pages of 4,096 bytes. For tests. */
  readonly maxPageCount?: number;
}

const BUSY_TIMEOUT_MS = 5000;
const RETRY_MS = 10;
const MEMORY = ":memory:";
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * @throws {ArcticMemError} `PERMISSION_DENIED`, `STORE_BROKEN` when the file is no database, `STORE_LOCKED`,
 *   `FILE_NOT_FOUND` when a store that is only to be read is not there.
 */
export async function openDriver(options: OpenDriverOptions): Promise<SqlDriver> {
  const deadline = performance.now() + (options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
  for (;;) {
    try {
      return await openOnce(options);
    } catch (error) {
      const explained = explainSqliteError(error, options.path);
      const busy = explained instanceof ArcticMemError && explained.code === "STORE_LOCKED";
      if (!busy || performance.now() > deadline) throw explained;
      // The first switch to a write-ahead log takes a lock for which SQLite does not wait.
      await setTimeout(RETRY_MS);
    }
  }
}

async function openOnce(options: OpenDriverOptions): Promise<SqlDriver> {
  prepareFile(options);
  const driver = await connect(options);
  try {
    configure(driver, options);
    return driver;
  } catch (error) {
    driver.close();
    throw error;
  }
}

/** SQLite gives its side files the mode of the database, so the database has to be private from its first byte. */
function prepareFile({ path, readOnly }: OpenDriverOptions): void {
  if (path === MEMORY) return;
  if (readOnly === true) {
    if (!existsSync(path)) throw new ArcticMemError("FILE_NOT_FOUND", `${path}: there is no memory store yet`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE));
  const file = statSync(path);
  if (!file.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
  if ((file.mode & 0o077) !== 0) makePrivate(path);
}

function makePrivate(path: string): void {
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // Someone else's file that we may write: its mode is theirs to set.
  }
}

async function connect(options: OpenDriverOptions): Promise<SqlDriver> {
  const wanted = options.engine ?? engineFromEnvironment();
  const connection: ConnectOptions = {
    path: options.path,
    readOnly: options.readOnly ?? false,
    busyTimeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
  };
  if (wanted === "libsql") return connectLibsql(connection);
  const own = await connectNodeSqlite(connection);
  if (own !== undefined) return own;
  if (wanted === "node-sqlite") {
    throw new ArcticMemError(
      "CONFIG_INVALID",
      `Node ${process.versions.node} has no SQLite with full-text search of its own`,
      {
        hint: "Use a current Node, or leave ARCTICMEM_SQLITE unset.",
      },
    );
  }
  return connectLibsql(connection);
}

function engineFromEnvironment(): SqlEngine | undefined {
  return SQL_ENGINES.find((engine) => engine === process.env.ARCTICMEM_SQLITE);
}

/**
 * `secure_delete` overwrites what is deleted, so that an erased memory cannot be read out of the file. A power cut may
 * take the last transactions under `synchronous = NORMAL`, but never breaks a database in WAL mode.
 */
function configure(driver: SqlDriver, { path, readOnly, maxPageCount }: OpenDriverOptions): void {
  if (path !== MEMORY && readOnly !== true) ensureWal(driver);
  driver.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
  if (maxPageCount !== undefined) driver.prepare(`PRAGMA max_page_count = ${Math.trunc(maxPageCount)}`).get();
}

function ensureWal(driver: SqlDriver): void {
  const mode = driver.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
  if (mode !== "wal") {
    throw new ArcticMemError("STORE_BROKEN", `the memory store cannot keep a write-ahead log (journal mode ${mode})`, {
      hint: "Put it on a local disk: network file systems cannot share it between processes.",
    });
  }
}
