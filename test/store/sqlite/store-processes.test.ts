import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import { add } from "../../contract/store/changes.ts";
import { aMemory } from "../../support/records.ts";

const WRITER = join(import.meta.dirname, "workers", "writer.ts");
const WRITE_ONCE = join(import.meta.dirname, "workers", "write-once.ts");
const TSX = ["--import", import.meta.resolve("tsx")];
const folder = (): string => mkdtempSync(join(tmpdir(), "arcticmem-"));

interface Writer {
  readonly process: ChildProcess;
  /** Numbers that the process has said to be stored. */
  readonly stored: number[];
  readonly ended: Promise<number | null>;
}

function startWriter(path: string, first: number, count: number): Writer {
  const process_ = spawn(process.execPath, [...TSX, WRITER, path, String(first), String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stored: number[] = [];
  let rest = "";
  process_.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop() ?? "";
    stored.push(...lines.map(Number));
  });
  const ended = new Promise<number | null>((resolve) => process_.on("close", resolve));
  return { process: process_, stored, ended };
}

describe("a store shared by processes", () => {
  it("loses none of 1,000 memories that four processes add at once", { timeout: 120_000 }, async () => {
    const path = join(folder(), "store.db");
    const writers = [0, 1, 2, 3].map((at) => startWriter(path, 1000 * at, 250));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const store = await openSqliteStore({ path });
    expect(await store.memories.count({})).toBe(1000);
    expect((await store.index.documentFrequencies([{ text: "row" }], "fact")).counts).toEqual([1000]);
    await store.close();
  });

  it("keeps every memory that was acknowledged before its writer was killed", { timeout: 120_000 }, async () => {
    const path = join(folder(), "store.db");
    const acknowledged: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const writer = startWriter(path, 10_000 * round, 5000);
      while (writer.stored.length < 20 + 15 * round) await new Promise((resolve) => setTimeout(resolve, 5));
      writer.process.kill("SIGKILL");
      await writer.ended;
      acknowledged.push(...writer.stored);
    }
    const store = await openSqliteStore({ path });
    const kept = new Set((await store.memories.list({})).map(({ id }) => Number(id.slice(0, 6))));
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
    // Memories and their words are one transaction: as many rows hold the word as there are rows.
    expect((await store.index.documentFrequencies([{ text: "row" }], "fact")).counts).toEqual([kept.size]);
    await store.close();
  });
});

const CAN_DROP_RIGHTS = process.platform === "linux" && process.getuid?.() === 0;

/** Runs the one-memory writer as nobody. */
function writeAsNobody(path: string): { code?: string; hint?: string } | "ok" {
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, ...TSX, WRITE_ONCE, path];
  const said = execFileSync("setpriv", nobody, {
    encoding: "utf8",
    cwd: "/",
    env: { ...process.env, HOME: "/nonexistent" },
  });
  return said === "ok" ? "ok" : (JSON.parse(said) as { code?: string; hint?: string });
}

describe.skipIf(!CAN_DROP_RIGHTS)("a store without rights", () => {
  it("says that a folder cannot be written, and leaves nothing in it", () => {
    const place = folder();
    chmodSync(place, 0o755);
    expect(writeAsNobody(join(place, "store.db"))).toMatchObject({
      code: "PERMISSION_DENIED",
      hint: expect.any(String),
    });
    expect(writeAsNobody(join(place, "sub", "store.db"))).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(readdirSync(place)).toEqual([]);
  });

  it("says that a file of someone else cannot be opened", async () => {
    const place = folder();
    chmodSync(place, 0o755);
    const path = join(place, "store.db");
    const store = await openSqliteStore({ path });
    await store.memories.apply([add(aMemory(7))], []);
    await store.close();
    expect(writeAsNobody(path)).toMatchObject({ code: "PERMISSION_DENIED", hint: expect.any(String) });
    chmodSync(path, 0o644);
    expect(writeAsNobody(path)).toMatchObject({ code: "PERMISSION_DENIED", hint: expect.any(String) });
  });

  it("works where the folder may be written", () => {
    const place = folder();
    chmodSync(place, 0o777);
    mkdirSync(join(place, "sub"));
    chmodSync(join(place, "sub"), 0o777);
    writeFileSync(join(place, "note"), "");
    expect(writeAsNobody(join(place, "sub", "store.db"))).toBe("ok");
  });
});
