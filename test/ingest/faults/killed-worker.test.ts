/** Kill −9 around the commit, on a real process and a real file: a session is whole or not there, and never twice. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import { corrected, facts, modelOf, PNPM } from "../../support/corrected-session.ts";
import { ingestHarness } from "../../support/ingest-harness.ts";
import { aMemory, PROJECT } from "../../support/records.ts";

const WORKER = join(import.meta.dirname, "workers", "ingest-and-stop.ts");
const TSX = ["--import", import.meta.resolve("tsx")];
const HOUR_MS = 3_600_000;
const OLD = aMemory(1, { title: "The importer is written in Go", content: "The importer is a Go program." });

async function storeWithOneMemory(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "arcticmem-killed-")), "store.db");
  const store = await openSqliteStore({ path });
  await store.projects.upsert({ id: PROJECT, name: "acme/billing", remote: null, root: "/work" });
  await store.memories.apply([{ kind: "add", memory: OLD }], []);
  await store.close();
  return path;
}

/** @param whileStopped - Run when the worker stands at the point, before it is killed. */
async function killAt(point: string, path: string, whileStopped = async (): Promise<void> => undefined) {
  const worker = spawn(process.execPath, [...TSX, WORKER, path, point], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => worker.on("close", (_code, signal) => resolve(signal)));
  await new Promise<void>((resolve, reject) => {
    worker.stdout.once("data", () => resolve());
    worker.once("exit", () => reject(new Error("the worker ended by itself")));
  });
  await whileStopped();
  worker.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
}

async function isLocked(path: string): Promise<boolean> {
  const driver = await openDriver({ path, busyTimeoutMs: 10 });
  try {
    driver.exec("BEGIN IMMEDIATE");
    driver.exec("ROLLBACK");
    return false;
  } catch {
    return true; // somebody's transaction is open
  } finally {
    driver.close();
  }
}

describe("a worker that is killed", { timeout: 60_000 }, () => {
  it.each([
    ["before-commit", false],
    ["in-commit", true],
  ] as const)("%s leaves nothing of the session, and the next worker takes it whole", async (point, holdsLock) => {
    const path = await storeWithOneMemory();
    await killAt(point, path, async () => expect(await isLocked(path)).toBe(holdsLock));
    const store = await openSqliteStore({ path });
    const harness = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }), store });
    expect(await harness.memories()).toMatchObject([{ id: OLD.id, status: "active", version: 1 }]);
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "skipped", reason: "active" });

    harness.wait(HOUR_MS);
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect((await harness.memories()).map(({ title }) => title)).toEqual([OLD.title, PNPM.title]);
    await store.close();
  });

  it("after the commit has its facts stored, and the next worker adds none of them again", async () => {
    const path = await storeWithOneMemory();
    await killAt("after-commit", path);
    const store = await openSqliteStore({ path });
    const harness = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }), store });
    expect((await harness.memories()).map(({ title }) => title)).toEqual([OLD.title, PNPM.title]);

    harness.wait(HOUR_MS);
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect((await harness.memories()).map(({ title, seen }) => [title, seen])).toEqual([
      [OLD.title, 1],
      [PNPM.title, 1],
    ]);
    expect(await store.runs.list({ status: "done" })).toHaveLength(1);
    await store.close();
  });
});
