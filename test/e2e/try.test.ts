/** The walk that the README offers first, on a transcript that it has never seen. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SAMPLE = join(ROOT, "test/fixtures/sessions/claude-code-correction.jsonl");

function walk(...args: string[]): string {
  const script = ["--import", "tsx", join(ROOT, "scripts/try.ts")];
  return execFileSync(process.execPath, [...script, ...args], { cwd: ROOT, encoding: "utf8" });
}

describe("scripts/try.ts", () => {
  it("turns an altered session into its own memories, and answers from them", () => {
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-altered-"));
    const session = join(folder, "altered.jsonl");
    const altered = readFileSync(SAMPLE, "utf8").replaceAll("firmware 4.2", "firmware 7.9").replaceAll("gauge", "buoy");
    writeFileSync(session, altered);
    const said = walk("--session", session, "--ask", "buoy stations send local time");
    rmSync(folder, { recursive: true });
    const answer = said.slice(said.indexOf("5. In mid-task"));
    expect(said).toContain("<arcticmem-manifest");
    expect(answer).toContain("firmware 7.9");
    expect(said).not.toContain("firmware 4.2");
    expect(said).toMatch(/rule-based, no language model/);
    expect(said).toMatch(/all-MiniLM-L6-v2/);
  });

  it.each([
    ["a file that is not there", ["--session", "/nowhere/session.jsonl"], "session.jsonl"],
    ["a file that is no transcript", ["--session", join(ROOT, "README.md")], "transcript"],
    ["an option that it does not know", ["--sesion", "x"], "--sesion"],
  ])("ends with a sentence and no stack for %s", (_name, args, word) => {
    const script = ["--import", "tsx", join(ROOT, "scripts/try.ts"), ...args];
    const { status, stderr } = spawnSync(process.execPath, script, { cwd: ROOT, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("says so when a session teaches nothing", () => {
    const said = walk(
      "--session",
      join(ROOT, "test/fixtures/sessions/claude-code-extraction.jsonl"),
      "--ask",
      "anything",
    );
    expect(said).toMatch(/Nothing/);
  });
});
