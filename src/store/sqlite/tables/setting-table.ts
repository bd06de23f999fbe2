/** Small values that outlive a process: calibration, what the user accepted once, the time of the last pass. */
import type { SettingTable } from "../../store.ts";
import { type Connection, optionalText, storable } from "../connection.ts";

export class SqliteSettingTable implements SettingTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async get(key: string): Promise<string | undefined> {
    const row = this.#db.get("SELECT value FROM settings WHERE key = ?", [key]);
    return row === undefined ? undefined : (optionalText(row, "value") ?? undefined);
  }

  async set(key: string, value: string): Promise<void> {
    this.#db.write([], () => {
      this.#db.run(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [key, storable(value)],
      );
    });
  }
}
