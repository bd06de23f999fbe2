import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SqlDriver } from "../../../src/store/sqlite/driver.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { ALL_MIGRATIONS } from "../../../src/store/sqlite/migrations/all-migrations.ts";
import type { Migration } from "../../../src/store/sqlite/migrations/migration.ts";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import { add } from "../../contract/store/changes.ts";
import { aUse } from "../../contract/store/usage.ts";
import { aMemory } from "../../support/records.ts";

const FIRST: Migration = { name: "one", sql: "CREATE TABLE one (v TEXT)" };
const SECOND: Migration = { name: "two", sql: "CREATE TABLE two (v TEXT); INSERT INTO two SELECT v FROM one" };
const BAD: Migration = {
  name: "bad",
  sql: "DROP TABLE one; CREATE TABLE three (v TEXT); INSERT INTO nowhere VALUES (1)",
};

const aPath = (): string => join(mkdtempSync(join(tmpdir(), "arcticmem-")), "store.db");
const version = (driver: SqlDriver): unknown => driver.prepare("PRAGMA user_version").get()?.user_version;
const backups = (path: string): string[] => readdirSync(join(path, "..")).filter((name) => name.includes(".before-"));
const run = (driver: SqlDriver, location: string, migrations: readonly Migration[]): string | undefined =>
  migrate(driver, { location, readOnly: false, migrations });

describe("migrate", () => {
  it("makes a new store without a backup, and does nothing the second time", async () => {
    const path = aPath();
    const driver = await openDriver({ path });
    expect(run(driver, path, [FIRST, SECOND])).toBeUndefined();
    expect(version(driver)).toBe(2);
    expect(run(driver, path, [FIRST, SECOND])).toBeUndefined();
    expect(backups(path)).toEqual([]);
    driver.close();
  });

  it("takes each step once, after a private copy of what was there", async () => {
    const path = aPath();
    const driver = await openDriver({ path });
    run(driver, path, [FIRST]);
    driver.exec("INSERT INTO one VALUES ('kept')");
    const backup = run(driver, path, [FIRST, SECOND]);
    expect(driver.prepare("SELECT v FROM two").get()?.v).toBe("kept");
    driver.close();
    const copy = await openDriver({ path: backup ?? "" });
    expect(copy.prepare("SELECT v FROM one").get()?.v).toBe("kept");
    expect(version(copy)).toBe(1);
    copy.close();
    expect(statSync(backup ?? "").mode & 0o777).toBe(0o600);
    expect(backups(path).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  it("leaves the store as it was when a step fails, the backup beside it", async () => {
    const path = aPath();
    const driver = await openDriver({ path });
    run(driver, path, [FIRST]);
    driver.exec("INSERT INTO one VALUES ('kept')");
    expect(() => run(driver, path, [FIRST, BAD])).toThrow(/nowhere/);
    expect(version(driver)).toBe(1);
    expect(driver.prepare("SELECT v FROM one").get()?.v).toBe("kept");
    expect(backups(path).length).toBeGreaterThan(0);
    driver.close();
  });

  it("refuses a store of a later version and changes nothing in it", async () => {
    const path = aPath();
    const driver = await openDriver({ path });
    run(driver, path, [FIRST]);
    driver.exec("PRAGMA user_version = 99");
    expect(() => run(driver, path, [FIRST, SECOND])).toThrow(expect.objectContaining({ code: "STORE_NEWER" }));
    expect(version(driver)).toBe(99);
    driver.close();
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: "STORE_NEWER", hint: expect.any(String) });
  });

  it("brings a store of the time before verdicts up to date, with what it holds", async () => {
    const path = aPath();
    const driver = await openDriver({ path });
    run(driver, path, ALL_MIGRATIONS.slice(0, 2));
    driver.exec(
      `INSERT INTO memories VALUES (1, 'user', 'active', 'lesson', 0, 0, NULL, '000001zzzzzz', 1, 1, 'h', 'do', 'Kept', '[]', 0,
       'agent_inferred', 2, 0.8, 1, 0, 0, 0, NULL, NULL, NULL, '[]', 'coding', '[]', '[]', NULL, NULL, 'Kept', '', '')`,
    );
    driver.close();
    const store = await openSqliteStore({ path });
    const [kept] = await store.memories.list({});
    expect(kept).toMatchObject({ title: "Kept" });
    expect(await store.usage.add(aUse({ memory: aMemory(1).id, kind: "helped" }))).toBe(true);
    expect((await store.memories.get(aMemory(1).id))?.verdicts).toEqual({ helped: 1, harmed: 0 });
    await store.close();
    expect(backups(path)).toEqual([expect.stringContaining("store.db.before-v3-")]);
  });

  it("lets two processes open a new store at the same time", async () => {
    const path = aPath();
    const [one, two] = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })]);
    await one.memories.apply([add(aMemory(1))], []);
    await two.memories.apply([add(aMemory(2))], []);
    expect(await one.memories.count({})).toBe(2);
    await Promise.all([one.close(), two.close()]);
    const driver = await openDriver({ path });
    expect(version(driver)).toBe(ALL_MIGRATIONS.length);
    driver.close();
  });
});
