/** Opens the embedded store, makes it where there is none, and brings it to the current shape. */
import { type IdSource, randomIds } from "../../core/ids.ts";
import type { Store } from "../store.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { type OpenDriverOptions, openDriver } from "./open-driver.ts";
import { explainSqliteError } from "./sqlite-errors.ts";
import { SqliteStore } from "./sqlite-store.ts";

export interface OpenSqliteStoreOptions extends OpenDriverOptions {
  /** Source of new memory ids. */
  readonly ids?: IdSource;
  readonly now?: () => Date;
}

/**
 * @param options - `path` is a file, made with its folder when missing, or `:memory:`.
 * @throws {ArcticMemError} `PERMISSION_DENIED`, `STORE_BROKEN`, `STORE_LOCKED`, `STORE_FULL`, `STORE_NEWER`, each with a
 *   hint; `FILE_NOT_FOUND` for a missing store that is only to be read.
 */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<Store> {
  const { path, ids = randomIds, now = () => new Date() } = options;
  const driver = await openDriver(options);
  try {
    migrate(driver, { location: path, readOnly: options.readOnly ?? false });
  } catch (error) {
    driver.close();
    throw explainSqliteError(error, path);
  }
  return new SqliteStore({ db: new Connection(driver, path), ids, now });
}
