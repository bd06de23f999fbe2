import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimOnce } from "../../src/hooks/claim-once.ts";
import { detectHost } from "../../src/hooks/detect-host.ts";
import { appendLog } from "../../src/hooks/log.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "arcticmem-hook-"));

describe("detectHost", () => {
  const payload = JSON.stringify({ session_id: "s", cwd: "/x", hook_event_name: "SessionStart" });

  it.each([
    ["Claude Code by its settings", {}, payload, "claude-code", "claude-code"],
    ["Claude Code by its variable", { CLAUDECODE: "1" }, payload, undefined, "claude-code"],
    [
      "Copilot that runs Claude's hooks",
      { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: "/x" },
      payload,
      "claude-code",
      "copilot",
    ],
    [
      "Gemini started from a Claude session",
      { GEMINI_SESSION_ID: "g", CLAUDECODE: "1" },
      payload,
      "claude-code",
      "gemini",
    ],
    ["Cortex that runs Claude's hooks", { CORTEX_PROJECT_DIR: "/x" }, payload, "claude-code", "cortex"],
    ["Cursor by its payload", {}, '{"cursor_version":"2"}', "claude-code", "cursor"],
    ["Codex by its payload", {}, '{"turn_id":"t","model":"m"}', "claude-code", "codex"],
    [
      "VS Code's agent by its payload",
      {},
      '{"hookEventName":"SessionStart","sessionId":"s"}',
      "claude-code",
      "copilot",
    ],
    ["nobody it knows", {}, payload, "emacs", undefined],
  ] as const)("recognises %s", (...[, variables, text, installedFor, host]) => {
    expect(detectHost({ installedFor, variables, payload: text })).toBe(host);
  });
});

describe("claimOnce", () => {
  it("lets one of two runs of an event through, and other events and later ones too", () => {
    const directory = folder();
    expect(claimOnce(directory, "session-start s1", Date.now())).toBe(true);
    expect(claimOnce(directory, "session-start s1", Date.now())).toBe(false);
    expect(claimOnce(directory, "session-end s1", Date.now())).toBe(true);
    const later = Date.now() + 5_000;
    expect(claimOnce(directory, "session-start s1", later)).toBe(true);
    expect(claimOnce(directory, "session-start s1", later + 1)).toBe(false);
  });

  it("lets everything through where marks can't be kept", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    expect(claimOnce(file, "session-start s1", Date.now())).toBe(true);
    expect(claimOnce(file, "session-start s1", Date.now())).toBe(true);
  });

  it("does not let marks pile up", () => {
    const directory = folder();
    for (let index = 0; index < 450; index += 1) claimOnce(directory, `event ${index}`, Date.now() + 10_000);
    expect(readdirSync(join(directory, "hook-marks")).length).toBeLessThanOrEqual(201);
  });
});

describe("appendLog", () => {
  it("writes one short line for its owner alone, making the folder", () => {
    const file = join(folder(), "deep", "er.log");
    appendLog(file, `two\nlines ${"x".repeat(2_000)}`, new Date("2026-03-02T12:00:00Z"));
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^2026-03-02T12:00:00.000Z two lines x+\n$/);
    expect(text.length).toBeLessThan(600);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("is bounded to the file and its predecessor", () => {
    const file = join(folder(), "hooks.log");
    for (let round = 0; round < 3; round += 1) {
      writeFileSync(file, "x".repeat(300_000));
      appendLog(file, `round ${round}`, new Date());
    }
    expect(readdirSync(join(file, "..")).toSorted()).toEqual(["hooks.log", "hooks.log.1"]);
    expect(statSync(file).size).toBeLessThan(1_000);
  });

  it("never throws", () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    appendLog(join(file, "below", "a-file.log"), "lost", new Date());
    expect(existsSync(join(file, "below"))).toBe(false);
  });
});
