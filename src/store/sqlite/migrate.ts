/**
 * Brings a store to the shape that this version knows. Each step is one transaction, and a store that holds anything is
 * copied beside itself first, so that a bad step costs nothing.
 */
import { chmodSync, closeSync, openSync, renameSync, rmSync } from "node:fs";
import { ArcticMemError } from "../../core/errors.ts";
import type { SqlDriver } from "./driver.ts";
import { ALL_MIGRATIONS } from "./migrations/all-migrations.ts";
import type { Migration } from "./migrations/migration.ts";

export interface MigrateOptions {
  readonly location: string;
  readonly readOnly: boolean;
  /** Default: all that there are. Tests pass others. */
  readonly migrations?: readonly Migration[];
}

/**
 * @returns Path of the backup, where one was made.
 * @throws {ArcticMemError} `STORE_NEWER` for a store of a later version of ArcticMem, `STORE_BROKEN`.
 */
export function migrate(driver: SqlDriver, options: MigrateOptions): string | undefined {
  const migrations = options.migrations ?? ALL_MIGRATIONS;
  const version = versionOf(driver);
  if (version === migrations.length) return undefined;
  if (version > migrations.length) throw newerStore(options.location, version, migrations.length);
  if (options.readOnly) {
    throw new ArcticMemError(
      "STORE_BROKEN",
      `${options.location}: the store is of an older version and only to be read`,
      {
        hint: "Open it once for writing: `arcticmem status` brings it up to date.",
      },
    );
  }
  const backup = version > 0 ? backUpBeside(driver, options.location, version) : undefined;
  for (const [at, migration] of migrations.entries()) step({ driver, location: options.location }, migration, at + 1);
  return backup;
}

interface Target {
  readonly driver: SqlDriver;
  readonly location: string;
}

/** Another process may have done the step while we waited for the lock. */
function step({ driver, location }: Target, migration: Migration, number: number): void {
  driver.transaction(() => {
    const version = versionOf(driver);
    if (version >= number) return;
    if (version === 0 && countTables(driver) > 0) throw foreignDatabase(location);
    driver.exec(`${migration.sql};\nPRAGMA user_version = ${number};`);
  });
}

function versionOf(driver: SqlDriver): number {
  return Number(driver.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

function countTables(driver: SqlDriver): number {
  return Number(driver.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()?.tables ?? 0);
}

function foreignDatabase(location: string): ArcticMemError {
  return new ArcticMemError("STORE_BROKEN", `${location}: a database of something else, not a memory store`, {
    hint: "Choose another path for the store; nothing was changed in this file.",
  });
}

function newerStore(location: string, version: number, known: number): ArcticMemError {
  return new ArcticMemError(
    "STORE_NEWER",
    `${location}: the store has version ${version}, this ArcticMem knows ${known}`,
    {
      hint: "Update ArcticMem, or restore the backup that the newer version made beside the store.",
    },
  );
}

function backUpBeside(driver: SqlDriver, location: string, version: number): string | undefined {
  if (location === ":memory:") return undefined;
  const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
  return copyDatabase(driver, `${location}.before-v${version + 1}-${stamp}`);
}

/** Copies the database as of one moment while others write. The name appears only when the copy is whole. */
function copyDatabase(driver: SqlDriver, target: string): string {
  const partial = `${target}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  try {
    closeSync(openSync(partial, "wx", 0o600));
    driver.prepare("VACUUM INTO ?").run([partial]);
    chmodSync(partial, 0o600);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return target;
}
