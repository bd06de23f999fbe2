import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { connectLibsql } from "../../../src/store/sqlite/libsql-driver.ts";
import { connectNodeSqlite } from "../../../src/store/sqlite/node-sqlite-driver.ts";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { sqliteDriverContract } from "../../contract/sqlite-driver.ts";

const nodeSqlite = await connectNodeSqlite({ path: ":memory:", readOnly: false, busyTimeoutMs: 0 });
const HAS_NODE_SQLITE = nodeSqlite !== undefined;
nodeSqlite?.close();

sqliteDriverContract("libsql", async (options) => connectLibsql(options));

if (HAS_NODE_SQLITE) {
  sqliteDriverContract("node:sqlite", async (options) => {
    const driver = await connectNodeSqlite(options);
    if (driver === undefined) throw new Error("node:sqlite was there a moment ago");
    return driver;
  });
}

describe("openDriver", () => {
  it("takes Node's own SQLite where there is one with full-text search, else libsql", async () => {
    const driver = await openDriver({ path: ":memory:" });
    expect(driver.engine).toBe(HAS_NODE_SQLITE ? "node-sqlite" : "libsql");
    driver.close();
  });

  it("takes the engine that is asked for", async () => {
    const driver = await openDriver({ path: ":memory:", engine: "libsql" });
    expect(driver.engine).toBe("libsql");
    driver.close();
  });

  it("says nothing on stderr while it loads", () => {
    const script = `import("${import.meta.resolve("../../../src/store/sqlite/open-driver.ts")}").then(async ({ openDriver }) =>
      (await openDriver({ path: ":memory:" })).close())`;
    const tsx = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script];
    const { stderr, status } = spawnSync(process.execPath, tsx, { encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  });

  it.skipIf(HAS_NODE_SQLITE)("says so when Node has no SQLite of its own and nothing else is allowed", async () => {
    await expect(openDriver({ path: ":memory:", engine: "node-sqlite" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});
