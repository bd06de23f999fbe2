/** What every SQLite engine owes the store. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ConnectOptions, SqlDriver } from "../../src/store/sqlite/driver.ts";

export function sqliteDriverContract(name: string, connect: (options: ConnectOptions) => Promise<SqlDriver>): void {
  describe(`${name} keeps the driver's contract`, () => {
    const opened: SqlDriver[] = [];
    const open = async (options: Partial<ConnectOptions> = {}): Promise<SqlDriver> => {
      const driver = await connect({ path: ":memory:", readOnly: false, busyTimeoutMs: 50, ...options });
      opened.push(driver);
      return driver;
    };
    afterEach(() => {
      for (const driver of opened.splice(0)) driver.close();
    });

    it("gives back texts, whole numbers, fractions, bytes and NULL as they were bound", async () => {
      const driver = await open();
      driver.exec("CREATE TABLE t (a TEXT, b INTEGER, c REAL, d BLOB, e INTEGER) STRICT");
      const bytes = new Uint8Array([9, 0, 255, 7]).subarray(1);
      const insert = driver.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)");
      insert.run(["ünï 北京 🎉", 2 ** 53 - 1, 0.25, bytes, null]);
      const wanted = { a: "ünï 北京 🎉", b: 2 ** 53 - 1, c: 0.25, e: null };
      const select = driver.prepare("SELECT * FROM t");
      for (const row of [select.get(), ...select.all()]) {
        expect(row).toMatchObject(wanted);
        expect(row?.d).toBeInstanceOf(Uint8Array);
        expect([...((row?.d as Uint8Array) ?? [])]).toEqual([0, 255, 7]);
      }
    });

    it("tells how many rows changed and the last key", async () => {
      const driver = await open();
      driver.exec("CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT)");
      const insert = driver.prepare("INSERT INTO t (v) VALUES (?)");
      expect(insert.run(["a"])).toEqual({ changes: 1, lastKey: 1 });
      expect(insert.run(["b"])).toEqual({ changes: 1, lastKey: 2 });
      expect(driver.prepare("UPDATE t SET v = 'c'").run().changes).toBe(2);
    });

    it("answers undefined where there is no row", async () => {
      const driver = await open();
      expect(driver.prepare("SELECT 1 AS one WHERE 0").get()).toBeUndefined();
      expect(driver.prepare("SELECT 1 AS one WHERE 0").all()).toEqual([]);
    });

    it("throws at a value that cannot be bound, and goes on working", async () => {
      const driver = await open();
      const select = driver.prepare("SELECT ? AS value");
      for (const value of [undefined, true, new Date(), {}, ["x"], () => 1, Symbol("s")]) {
        expect(() => select.get([value as never])).toThrow();
      }
      expect(select.get(["still"])?.value).toBe("still");
    });

    it("throws at a mistake in SQL and at a broken constraint", async () => {
      const driver = await open();
      driver.exec("CREATE TABLE t (v TEXT UNIQUE); INSERT INTO t VALUES ('a')");
      expect(() => driver.prepare("SELECT * FROM nowhere")).toThrow(/nowhere/);
      expect(() => driver.prepare("INSERT INTO t VALUES ('a')").run()).toThrow(/UNIQUE/);
    });

    it("commits what a transaction did, and nothing of one that throws", async () => {
      const driver = await open();
      driver.exec("CREATE TABLE t (v INTEGER)");
      const insert = driver.prepare("INSERT INTO t VALUES (?)");
      expect(driver.transaction(() => insert.run([1]).changes)).toBe(1);
      expect(() =>
        driver.transaction(() => {
          insert.run([2]);
          throw new Error("stop");
        }),
      ).toThrow("stop");
      expect(
        driver
          .prepare("SELECT v FROM t")
          .all()
          .map((row) => row.v),
      ).toEqual([1]);
      driver.transaction(() => insert.run([3]));
    });

    it("waits for another connection's transaction, then says that it is busy", async () => {
      const path = join(mkdtempSync(join(tmpdir(), "arcticmem-")), "a.db");
      const [first, second] = [await open({ path }), await open({ path })];
      first.exec("CREATE TABLE t (v INTEGER)");
      first.transaction(() => {
        expect(() => second.transaction(() => undefined)).toThrow(/lock|busy/i);
      });
      second.transaction(() => undefined);
    });

    it("changes nothing through a connection that is only to read", async () => {
      const path = join(mkdtempSync(join(tmpdir(), "arcticmem a#b%c?-")), "store 1.db");
      const writer = await open({ path });
      writer.exec("CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (5)");
      const reader = await open({ path, readOnly: true });
      expect(reader.prepare("SELECT v FROM t").get()?.v).toBe(5);
      expect(() => reader.prepare("INSERT INTO t VALUES (6)").run()).toThrow(/readonly|read-only/i);
    });

    it("has the full-text index with trigrams, deletes without content, the vocabulary, JSON and VACUUM INTO", async () => {
      const driver = await open();
      driver.exec(`
        CREATE VIRTUAL TABLE f USING fts5 (x, content = '', contentless_delete = 1, tokenize = 'trigram');
        CREATE VIRTUAL TABLE v USING fts5vocab (f, instance);
        INSERT INTO f (rowid, x) VALUES (1, 'harbour');
        INSERT INTO f (rowid, x) VALUES (2, 'harbour');
        DELETE FROM f WHERE rowid = 2`);
      expect(
        driver
          .prepare("SELECT rowid AS k FROM f WHERE f MATCH ?")
          .all(['"arbo"'])
          .map((row) => row.k),
      ).toEqual([1]);
      expect(driver.prepare("SELECT count(*) AS n FROM v WHERE term = 'har'").get()?.n).toBe(1);
      expect(driver.prepare("SELECT value FROM json_each(?)").all(["[1,2]"])).toHaveLength(2);
      const copy = join(mkdtempSync(join(tmpdir(), "arcticmem-")), "copy.db");
      driver.prepare("VACUUM INTO ?").run([copy]);
    });

    it("closes twice without harm", async () => {
      const driver = await open();
      driver.close();
      driver.close();
    });
  });
}
