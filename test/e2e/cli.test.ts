import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI, jsonLines, newerNode, openStage, ROOT, runProcess, SESSIONS, type Stage } from "./stage.ts";

const CORRECTION = join(SESSIONS, "claude-code-correction.jsonl");

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.remove());

describe("the command line, in an empty home", () => {
  it("tells its version", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(await stage.arcticmem(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("works in a folder that was removed, under the project that it was", async () => {
    const folder = join(stage.folder, "drafts");
    mkdirSync(folder);
    await stage.arcticmem(["add", "The gauge counts from the old datum"], { cwd: folder });
    const script = 'export PWD && cd "$1" && rmdir "$1" && exec "$2" "$3" list';
    const { code, stdout } = await runProcess("sh", ["-c", script, "sh", folder, process.execPath, CLI], {
      cwd: stage.folder,
      env: stage.variables,
      input: "",
    });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("old datum") as string });
  });

  it("keeps, finds, changes, hides, brings back and erases a note", async () => {
    const { arcticmem } = stage;
    const added = await arcticmem(["add", "Tide tables are in metres, never in feet", "--type", "context", "--json"]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const { id, handle } = JSON.parse(added.stdout) as { id: string; handle: string };

    const found = await arcticmem(["search", "which unit do the tide tables have", "--json"]);
    expect(jsonLines(found.stdout)[0]).toMatchObject({ unit: "fact", id });
    expect((await arcticmem(["show", handle])).stdout).toContain("never in feet");
    expect((await arcticmem(["edit", handle, "--why", "The pilots' charts are metric", "--json"])).code).toBe(0);
    expect((await arcticmem(["pin", handle])).stdout).toContain("pinned");
    expect((await arcticmem(["why", handle])).stdout).toMatch(/added by user/);

    expect((await arcticmem(["forget", handle, "--reversible"])).code).toBe(0);
    expect((await arcticmem(["list"])).stdout).toBe("");
    expect((await arcticmem(["restore", handle])).code).toBe(0);
    expect(jsonLines((await arcticmem(["list", "--json"])).stdout)).toMatchObject([
      { id, why: "The pilots' charts are metric" },
    ]);

    expect((await arcticmem(["forget", handle])).code).toBe(2);
    expect(JSON.parse((await arcticmem(["forget", handle, "--yes", "--json"])).stdout)).toMatchObject({ erased: 1 });
    expect((await arcticmem(["show", id])).code).toBe(1);
  });

  it("takes its last change back", async () => {
    const { arcticmem } = stage;
    const { handle } = JSON.parse((await arcticmem(["add", "Locks close at dusk", "--json"])).stdout) as {
      handle: string;
    };
    await arcticmem(["edit", handle, "--content", "Locks close at dawn"]);
    expect((await arcticmem(["undo", handle])).code).toBe(0);
    expect((await arcticmem(["show", handle])).stdout).toContain("Locks close at dusk");
  });

  it("indexes the project's rules once, finds them, and tells of nothing new the second time", async () => {
    const first = JSON.parse((await stage.arcticmem(["index", "--json"])).stdout) as {
      added: string[];
      embedded: number;
    };
    expect(first.added).toContain("CLAUDE.md");
    expect(first.embedded).toBeGreaterThan(0);
    const second = JSON.parse((await stage.arcticmem(["index", "--json"])).stdout) as {
      added: string[];
      embedded: number;
    };
    expect(second).toMatchObject({ added: [], embedded: 0 });
    const { stdout } = await stage.arcticmem([
      "search",
      "local time or UTC in what is stored",
      "--only",
      "files",
      "--json",
    ]);
    expect(jsonLines(stdout)[0]).toMatchObject({ unit: "chunk" });
  });

  it("turns a session into memories, says that rules did it, and does so once", async () => {
    const dry = await stage.arcticmem(["ingest", CORRECTION, "--dry-run", "--json"]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, mode: "rules" });
    expect((await stage.arcticmem(["list"])).stdout).toBe("");

    const first = JSON.parse((await stage.arcticmem(["ingest", CORRECTION, "--json"])).stdout) as Record<
      string,
      unknown
    >;
    expect(first).toMatchObject({ alreadyIngested: false, mode: "rules", host: "claude-code" });
    const again = JSON.parse((await stage.arcticmem(["ingest", CORRECTION, "--json"])).stdout) as Record<
      string,
      unknown
    >;
    expect(again).toMatchObject({ alreadyIngested: true });
    const memories = jsonLines((await stage.arcticmem(["list", "--everywhere", "--json"])).stdout);
    expect(memories.length).toBeGreaterThan(0);
    for (const memory of memories) expect(memory).toMatchObject({ status: "provisional" });

    const runs = jsonLines((await stage.arcticmem(["runs", "--everywhere", "--json"])).stdout);
    expect(runs).toHaveLength(1);
    const run = String(runs[0]?.id);
    expect((await stage.arcticmem(["runs", "show", run])).stdout).toContain("outcome:");
    expect((await stage.arcticmem(["undo", run])).code).toBe(0);
    expect((await stage.arcticmem(["list", "--everywhere"])).stdout).toBe("");
  });

  it("gives the same answers after everything derived was built anew", async () => {
    await stage.arcticmem(["add", "The gauge of Dunmore drifts by 4 mm a month"]);
    const before = await stage.arcticmem(["search", "drift of gauges", "--json"]);
    const rebuilt = JSON.parse((await stage.arcticmem(["reindex", "--json"])).stdout) as Record<string, number>;
    expect(rebuilt).toMatchObject({ memories: 1 });
    expect(rebuilt.embedded).toBeGreaterThan(0);
    expect(
      jsonLines((await stage.arcticmem(["search", "drift of gauges", "--json"])).stdout).map(({ id }) => id),
    ).toEqual(jsonLines(before.stdout).map(({ id }) => id));
  });

  it("tells its state, and checks itself", async () => {
    await stage.arcticmem(["add", "One note"]);
    const status = JSON.parse((await stage.arcticmem(["status", "--json"])).stdout) as Record<string, unknown>;
    expect(status).toMatchObject({
      memories: { active: 1 },
      extractor: { mode: "rules" },
      store: { writable: true, problem: null },
    });
    expect((await stage.arcticmem(["doctor"])).code).toBe(0);
  });

  it("deletes everything with purge", async () => {
    await stage.arcticmem(["add", "A note that goes"]);
    expect((await stage.arcticmem(["purge", "--yes"])).code).toBe(0);
    expect((await stage.arcticmem(["list", "--everywhere"])).stdout).toBe("");
    const grep = spawnSync("grep", ["-rl", "A note that goes", stage.folder], { encoding: "utf8" });
    expect({ status: grep.status, stdout: grep.stdout }).toEqual({ status: 1, stdout: "" });
  });

  it("survives a reader that goes away", async () => {
    for (let number = 0; number < 5; number += 1) await stage.arcticmem(["add", `Note number ${number} of several`]);
    const child = spawn(process.execPath, [CLI, "list"], {
      cwd: stage.project,
      env: { ...stage.variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("reads on a newer Node, with its own SQLite, what was written on this one, and back", async () => {
    const { node } = newerNode();
    await stage.arcticmem(["add", "Written on the older Node"]);
    const read = await stage.arcticmem(["search", "written on the older", "--json"], { command: [node] });
    expect(jsonLines(read.stdout)[0]).toMatchObject({ content: "Written on the older Node" });
    expect((await stage.arcticmem(["add", "Written on the newer Node"], { command: [node] })).code).toBe(0);
    expect((await stage.arcticmem(["list"])).stdout).toContain("Written on the newer Node");
  });

  it("keeps what belongs to another project out", async () => {
    await stage.arcticmem(["add", "Only tidewatch uses the brass gauge"]);
    await stage.arcticmem(["add", "Everywhere the brass polish is forbidden", "--user"]);
    const elsewhere = { cwd: stage.home };
    const found = jsonLines((await stage.arcticmem(["search", "brass", "--json"], elsewhere)).stdout);
    expect(found.map(({ content }) => content)).toEqual(["Everywhere the brass polish is forbidden"]);
  });
});
