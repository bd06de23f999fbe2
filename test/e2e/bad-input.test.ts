import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ended, jsonLines, openStage, ROOT, SESSIONS, type Stage } from "./stage.ts";

const CORRECTION = join(SESSIONS, "claude-code-correction.jsonl");
const NOTE = "A note from before the trouble";

let stage: Stage;
beforeEach(async () => {
  stage = openStage();
  expect((await stage.arcticmem(["add", NOTE])).code).toBe(0);
});
afterEach(() => stage.remove());

/** A clear message on standard error, nothing on standard output, no stack. */
function expectClear(
  { code, stdout, stderr }: Ended,
  wanted: { readonly code: number; readonly message: RegExp },
): void {
  expect(stderr).toMatch(wanted.message);
  expect(stderr).toMatch(/^error: /m);
  expect(stderr).toMatch(/^hint: /m);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect({ code, stdout }).toEqual({ code: wanted.code, stdout: "" });
}

/** Nothing was lost, nothing half-written: the store is whole and holds just the note. */
async function expectUnharmed(): Promise<void> {
  const memories = jsonLines((await stage.arcticmem(["list", "--everywhere", "--json"])).stdout);
  expect(memories.map(({ content }) => content)).toEqual([NOTE]);
  expect((await stage.arcticmem(["doctor"])).code).toBe(0);
}

describe("ingest of what is no transcript", () => {
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(stage.folder, name);
    writeFileSync(path, content);
    return path;
  };

  it.each<readonly [string, () => string, RegExp]>([
    ["a missing file", () => join(stage.folder, "none.jsonl"), /none\.jsonl/],
    ["a directory", () => stage.project, /tidewatch/],
    [
      "binary",
      () =>
        file(
          "binary.jsonl",
          Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256),
        ),
      /binary\.jsonl/,
    ],
    ["prose", () => file("prose.jsonl", "Dear diary,\ntoday I read a book.\n".repeat(50)), /prose\.jsonl/],
    ["another format", () => file("other.jsonl", '{"event":"boot","level":"info"}\n'.repeat(50)), /other\.jsonl/],
    ["an empty transcript", () => file("empty.jsonl", ""), /empty\.jsonl is empty/],
    ["one JSON document", () => file("one.jsonl", JSON.stringify({ a: [1, 2, 3] }, null, 2)), /one\.jsonl/],
  ])("says clearly what is wrong with %s", async (_name, path, message) => {
    expectClear(await stage.arcticmem(["ingest", path()]), { code: 1, message });
    await expectUnharmed();
  });
});

describe("ingest of a damaged transcript", () => {
  const LINES = readFileSync(CORRECTION, "utf8").trimEnd().split("\n");
  const ingest = async (lines: readonly string[]): Promise<Record<string, unknown>> => {
    const path = join(stage.folder, "damaged.jsonl");
    writeFileSync(path, lines.join("\n"));
    const { code, stdout, stderr } = await stage.arcticmem(["ingest", path, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it("reads what is whole when the last line is cut off", async () => {
    expect((await ingest([...LINES, '{"type":"user","message":{"role":"us'])).result).toEqual({ kind: "facts" });
  });

  it("reads on after a line of 200 KB", async () => {
    const long = JSON.stringify({
      type: "user",
      uuid: "11111111-1111-4111-8111-111111111111",
      parentUuid: null,
      sessionId: "334dc42c-b1cf-48a0-a24d-93bc4362cac8",
      isSidechain: false,
      timestamp: "2026-03-02T09:11:00.000Z",
      cwd: "/home/ana/work/tidewatch",
      message: { role: "user", content: "log line 4711 ".repeat(15_000) },
    });
    expect(long.length).toBeGreaterThan(200_000);
    expect((await ingest([long, ...LINES])).result).toEqual({ kind: "facts" });
  });

  it("reads what it knows between lines that it does not", async () => {
    const strange = ["", "   ", "null", "42", '{"type":"from-the-future","x":1}', "not json at all"];
    expect((await ingest([...strange, ...LINES])).result).toEqual({ kind: "facts" });
  });
});

describe("a store that can't be used", () => {
  it("says that it is locked, loses nothing, and works again after", async () => {
    const release = await holdLock(join(stage.memory, "memory.db"));
    try {
      expectClear(await stage.arcticmem(["add", "Written during the lock"]), { code: 1, message: /busy|locked/i });
      const start = { session_id: "s", cwd: stage.project, hook_event_name: "SessionStart", source: "startup" };
      const { code, stdout, stderr } = await stage.hook(start);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("arcticmem-memories");
    } finally {
      await release();
    }
    await expectUnharmed();
    expect((await stage.arcticmem(["add", "Written after the lock"])).code).toBe(0);
  });

  it("says that the file is no database, and leaves it as it is", async () => {
    const path = join(stage.memory, "memory.db");
    const garbage = "this is no database ".repeat(500);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    writeFileSync(path, garbage);
    expectClear(await stage.arcticmem(["list"]), { code: 1, message: /memory\.db/ });
    expectClear(await stage.arcticmem(["add", "x"]), { code: 1, message: /memory\.db/ });
    expect(readFileSync(path, "utf8")).toBe(garbage);
  });

  it("says that no room is left, loses nothing, and works again when there is", async () => {
    const pages = Math.ceil(statSync(join(stage.memory, "memory.db")).size / 4_096);
    const variables = { ARCTICMEM_MAX_PAGES: String(pages + 2), ARCTICMEM_NO_WORKER: "1" };
    const long = "the harbour log repeats itself ".repeat(60);
    let refused: Ended | undefined;
    let kept = 0;
    for (let number = 0; number < 30 && refused === undefined; number += 1) {
      const ended = await stage.arcticmem(["add", `Log ${number}: ${long}`], { variables });
      if (ended.code === 0) kept += 1;
      else refused = ended;
    }
    expect(refused, "the store is never full").toBeDefined();
    if (refused !== undefined) expectClear(refused, { code: 1, message: /no room|full/i });
    expect((await stage.arcticmem(["ingest", CORRECTION], { variables })).code).toBe(1);
    expect(jsonLines((await stage.arcticmem(["list", "--json"])).stdout)).toHaveLength(kept + 1);
    expect((await stage.arcticmem(["add", "A note after there was room again"])).code).toBe(0);
    expect((await stage.arcticmem(["ingest", CORRECTION])).code).toBe(0);
    expect((await stage.arcticmem(["doctor"])).code).toBe(0);
  });

  it("says what is missing without a home", async () => {
    const homeless = { variables: { HOME: undefined, ARCTICMEM_HOME: undefined } };
    expectClear(await stage.arcticmem(["list"], homeless), { code: 1, message: /HOME is not set/ });
    expectClear(await stage.arcticmem(["install", "claude-code"], homeless), { code: 1, message: /HOME is not set/ });
  });

  it("says what is wrong with the config, in every command, and writes nothing", async () => {
    const path = join(stage.memory, "config.json");
    writeFileSync(path, '{"model": {"provider": "crystal-ball"}, "serach": {}}');
    expectClear(await stage.arcticmem(["search", "x"]), { code: 1, message: /crystal-ball|provider/ });
    expectClear(await stage.arcticmem(["config", "set", "search.limit", "5"]), { code: 1, message: /config\.json/ });
    expect(readFileSync(path, "utf8")).toContain("serach");
    rmSync(path);
    await expectUnharmed();
  });
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe.runIf(isRoot)("a folder that may not be written", () => {
  const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", process.execPath];

  function give(path: string): void {
    execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, path]);
  }

  it("is named by every command, and nothing is lost by it", async () => {
    chmodSync(stage.folder, 0o755);
    give(stage.memory);
    give(stage.home);
    give(stage.project);
    execFileSync("chmod", ["-R", "a-w", stage.memory]);
    const options = { command: asNobody };
    expectClear(await stage.arcticmem(["add", "x"], options), { code: 1, message: /read-only|permission|writ/i });
    expectClear(await stage.arcticmem(["list"], options), { code: 1, message: /read-only|permission|writ/i });
    const status = await stage.arcticmem(["status"], options);
    expect(status.code).toBe(1);
    expect(status.stdout).toContain("NOT STORING");
    const start = { session_id: "s", cwd: stage.project, hook_event_name: "SessionStart", source: "startup" };
    expect(await stage.hook(start, options)).toMatchObject({ code: 0, stderr: "" });
    execFileSync("chmod", ["-R", "u+w", stage.memory]);
    chownSync(stage.memory, 0, 0);
    execFileSync("chown", ["-R", "0:0", stage.memory]);
    await expectUnharmed();
  });

  it("is named when it can't even be made", async () => {
    const locked = join(stage.folder, "locked");
    mkdirSync(locked, { mode: 0o755 });
    chmodSync(stage.folder, 0o755);
    give(stage.home);
    const variables = { ARCTICMEM_HOME: join(locked, "memory") };
    expectClear(await stage.arcticmem(["add", "x"], { command: asNobody, variables }), {
      code: 1,
      message: /permission|writ/i,
    });
  });
});

describe.runIf(isRoot && canMount())("a full disk", () => {
  let disk: string;
  beforeEach(() => {
    disk = join(stage.folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk]);
  });
  afterEach(() => {
    execFileSync("umount", [disk]);
  });

  it("is told, loses nothing, and leaves nothing half-written", async () => {
    const variables = { ARCTICMEM_HOME: join(disk, "memory") };
    for (let number = 0; number < 3; number += 1) {
      expect((await stage.arcticmem(["add", `Note ${number} before the disk was full`], { variables })).code).toBe(0);
    }
    fill(join(disk, "ballast"));
    const kept: string[] = [];
    let refused: Ended | undefined;
    for (let number = 0; number < 200 && refused === undefined; number += 1) {
      const text = `Ballast note ${number}: ${"the harbour log repeats itself ".repeat(60)}`;
      const ended = await stage.arcticmem(["add", text], { variables });
      if (ended.code === 0) kept.push(text);
      else refused = ended;
    }
    expect(refused, "the disk is never full").toBeDefined();
    if (refused !== undefined) expectClear(refused, { code: 1, message: /full|space/i });
    const start = { session_id: "s", cwd: stage.project, hook_event_name: "SessionStart", source: "startup" };
    expect(await stage.hook(start, { variables })).toMatchObject({ code: 0, stderr: "" });
    expect((await stage.arcticmem(["ingest", CORRECTION], { variables })).code).toBe(1);

    rmSync(join(disk, "ballast"));
    const after = jsonLines((await stage.arcticmem(["list", "--json"], { variables })).stdout);
    expect(after).toHaveLength(3 + kept.length);
    expect((await stage.arcticmem(["add", "A note after there was room again"], { variables })).code).toBe(0);
    expect((await stage.arcticmem(["ingest", CORRECTION], { variables })).code).toBe(0);
    expect((await stage.arcticmem(["doctor"], { variables })).code).toBe(0);
  });
});

/** Leaves a few kilobytes. */
function fill(path: string): void {
  spawnSync("dd", ["if=/dev/zero", `of=${path}`, "bs=4k"], { stdio: "ignore" });
  const size = statSync(path).size;
  expect(size).toBeGreaterThan(0);
  spawnSync("truncate", ["-s", String(Math.max(0, size - 16_384)), path], { stdio: "ignore" });
}

function canMount(): boolean {
  const probe = "d=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs $d && umount $d; s=$?; rmdir $d; exit $s";
  return spawnSync("sh", ["-c", probe], { stdio: "ignore" }).status === 0;
}

/** Another process that writes and does not come to an end, until it is released. */
async function holdLock(path: string): Promise<() => Promise<void>> {
  const script = `
    const Database = require("libsql");
    const db = new Database(process.argv[1]);
    db.exec("BEGIN IMMEDIATE");
    console.log("locked");
    process.stdin.on("end", () => process.exit(0)).resume();`;
  const child = spawn(process.execPath, ["-e", script, path], { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return async () => {
    const ended = new Promise((resolve) => child.on("close", resolve));
    child.stdin.end();
    await ended;
  };
}
