import { mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { claudeCodeFinder } from "../../../src/hosts/claude-code/find-transcripts.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "arcticmem-test-"));
});

function write(path: string, cwd: string, options: { before?: string; minute?: number } = {}): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  const record = { type: "user", uuid: "u", parentUuid: null, sessionId: "s", cwd, message: { content: "hi" } };
  writeFileSync(file, `${options.before ?? ""}${JSON.stringify(record)}\n`);
  const at = new Date(Date.UTC(2026, 2, 1, 9, options.minute ?? 0));
  utimesSync(file, at, at);
  return file;
}

const find = async (roots: readonly string[], variables: Record<string, string> = {}): Promise<string[]> =>
  (await claudeCodeFinder.find(roots, { home, variables })).map((transcript) => transcript.session);

describe("finding transcripts", () => {
  it("asks each file for its directory and believes no folder's name", async () => {
    write(".claude/projects/-work-tide/a.jsonl", "/work/tide");
    write(".claude/projects/-work-tide/b.jsonl", "/work/other");
    write(".claude/projects/renamed/c.jsonl", "/work/tide/packages/api");
    expect((await find(["/work/tide"])).sort()).toEqual(["a", "c"]);
  });

  it("does not take a neighbour whose name begins alike", async () => {
    write(".claude/projects/p/a.jsonl", "/work/tide-old");
    expect(await find(["/work/tide"])).toEqual([]);
  });

  it("gives the newest first, of all roots", async () => {
    write(".claude/projects/p/a.jsonl", "/work/tide", { minute: 1 });
    write(".claude/projects/q/b.jsonl", "/trees/tide-2", { minute: 9 });
    expect(await find(["/work/tide", "/trees/tide-2"])).toEqual(["b", "a"]);
  });

  it("leaves sub-agents to the sessions that they belong to", async () => {
    write(".claude/projects/p/agent-1.jsonl", "/work/tide");
    write(".claude/projects/p/a/subagents/agent-2.jsonl", "/work/tide");
    expect(await find(["/work/tide"])).toEqual([]);
  });

  it("finds the directory behind a large first record", async () => {
    const before = `${JSON.stringify({ type: "file-history-snapshot", snapshot: "x".repeat(40_000) })}\n`;
    write(".claude/projects/p/a.jsonl", "/work/tide", { before });
    expect(await find(["/work/tide"])).toEqual(["a"]);
  });

  it("follows CLAUDE_CONFIG_DIR", async () => {
    write("elsewhere/projects/p/a.jsonl", "/work/tide");
    expect(await find(["/work/tide"], { CLAUDE_CONFIG_DIR: join(home, "elsewhere") })).toEqual(["a"]);
  });

  it("finds a session that was started through a link to the root", async () => {
    mkdirSync(join(home, "real"));
    symlinkSync(join(home, "real"), join(home, "link"));
    write(".claude/projects/p/a.jsonl", join(home, "real"));
    expect(await find([join(home, "link")])).toEqual(["a"]);
  });

  it("finds nothing where there is nothing", async () => {
    expect(await find(["/work/tide"])).toEqual([]);
  });
});
