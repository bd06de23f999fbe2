import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newerNode, openStage, runProcess, SESSIONS, type Stage } from "./stage.ts";

const CORRECTION = join(SESSIONS, "claude-code-correction.jsonl");

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.remove());

const payload = (event: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  session_id: "0b1c2d3e-0000-4000-8000-000000000001",
  transcript_path: join(stage.home, "none.jsonl"),
  cwd: stage.project,
  hook_event_name: event,
  permission_mode: "default",
  ...more,
});

const context = (stdout: string): string => {
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { hookEventName: string; additionalContext: string } };
  expect(answer.hookSpecificOutput.hookEventName).toBe("SessionStart");
  return answer.hookSpecificOutput.additionalContext;
};

describe("the session-start hook", () => {
  it("says nothing in an empty home", async () => {
    expect(await stage.hook(payload("SessionStart", { source: "startup" }))).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("puts what is known before the model, within the host's limit", async () => {
    for (let number = 0; number < 30; number += 1) {
      await stage.arcticmem(["add", `Gauge ${number} reports in hundredths of a metre since firmware ${number + 3}`]);
    }
    const { code, stdout, stderr } = await stage.hook(payload("SessionStart", { source: "startup" }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const text = context(stdout);
    expect(text).toContain("<arcticmem-manifest");
    expect(text).toContain("Gauge 7");
    expect(text.length).toBeLessThanOrEqual(9_000);
  });

  it("runs through the launcher that `install` wrote, by the command that stands in the host's settings", async () => {
    await stage.arcticmem(["add", "The lock keeper's radio is on channel 12"]);
    await stage.arcticmem(["install", "claude-code"]);
    const settings = JSON.parse(readFileSync(join(stage.home, ".claude", "settings.json"), "utf8")) as {
      hooks: Record<string, { hooks: { command: string; args?: string[] }[] }[]>;
    };
    const hook = settings.hooks.SessionStart?.[0]?.hooks[0];
    const { code, stdout } = await runProcess(hook?.command ?? "", hook?.args ?? [], {
      cwd: stage.project,
      env: { ...stage.variables, CLAUDECODE: "1" },
      input: JSON.stringify(payload("SessionStart", { source: "startup" })),
    });
    expect(code).toBe(0);
    expect(context(stdout)).toContain("channel 12");
  });

  it("answers on a newer Node too", async () => {
    await stage.arcticmem(["add", "The lock keeper's radio is on channel 12"]);
    const { stdout } = await stage.hook(payload("SessionStart", { source: "startup" }), {
      command: [newerNode().node],
    });
    expect(context(stdout)).toContain("channel 12");
  });

  it("finds a session that never ended, and the worker ingests it", async () => {
    const folder = join(stage.home, ".claude", "projects", stage.project.replace(/[^a-zA-Z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    const text = readFileSync(CORRECTION, "utf8").replaceAll("/home/ana/work/tidewatch", stage.project);
    const transcript = join(folder, "334dc42c-b1cf-48a0-a24d-93bc4362cac8.jsonl");
    writeFileSync(transcript, text);
    const anHourAgo = Date.now() / 1000 - 3_600;
    utimesSync(transcript, anHourAgo, anHourAgo);
    await stage.hook(payload("SessionStart", { source: "startup" }));
    await expect
      .poll(async () => (await stage.arcticmem(["list"])).stdout, { timeout: 60_000, interval: 500 })
      .not.toBe("");
  });
});

describe("the session-end hook", () => {
  it("leaves a note without a word of the session, and a worker makes memories of it", async () => {
    const transcript = join(stage.home, "session.jsonl");
    await copyFile(CORRECTION, transcript);
    const end = payload("SessionEnd", { reason: "other", transcript_path: transcript });
    expect(await stage.hook(end)).toEqual({ code: 0, stdout: "", stderr: "" });
    await expect
      .poll(async () => (await stage.arcticmem(["list", "--everywhere"])).stdout, { timeout: 60_000, interval: 500 })
      .not.toBe("");
    const queue = async (): Promise<unknown> =>
      (JSON.parse((await stage.arcticmem(["status", "--json"])).stdout) as { queue: unknown }).queue;
    await expect.poll(queue, { timeout: 60_000, interval: 500 }).toMatchObject({ spooled: 0, running: 0, dead: 0 });
  });

  it("does nothing when it is switched off, not even a folder", async () => {
    const end = payload("SessionEnd", { reason: "other", transcript_path: CORRECTION });
    expect(await stage.hook(end, { variables: { ARCTICMEM_DISABLE: "1" } })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(existsSync(stage.memory)).toBe(false);
  });

  it("leaves no note while learning is paused, and does so again after", async () => {
    const end = payload("SessionEnd", { reason: "other", transcript_path: CORRECTION });
    await stage.arcticmem(["pause"]);
    await stage.hook(end);
    await stage.arcticmem(["work"]);
    expect((await stage.arcticmem(["list", "--everywhere"])).stdout).toBe("");
    await stage.arcticmem(["resume"]);
    await stage.hook({ ...end, session_id: "0b1c2d3e-0000-4000-8000-000000000002" });
    await expect
      .poll(async () => (await stage.arcticmem(["list", "--everywhere"])).stdout, { timeout: 60_000, interval: 500 })
      .not.toBe("");
  });
});

describe("a hook in trouble", () => {
  it.each([
    ["nonsense", "this is not JSON"],
    ["nothing", ""],
    ["binary", "\u0000\u0007\u001b[2J"],
    ["half a payload", '{"session_id": "x", "hook_event_na'],
    ["a megabyte", `{"session_id":"${"x".repeat(1_000_000)}"}`],
    ["an event that is not ours", JSON.stringify({ session_id: "x", cwd: "/", hook_event_name: "Notification" })],
  ])("ends with 0 and says nothing: %s", async (_name, input) => {
    expect(await stage.hook(input)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("ends with 0 and says nothing without a home, and with a broken store", async () => {
    const start = payload("SessionStart", { source: "startup" });
    const homeless = { variables: { HOME: undefined, ARCTICMEM_HOME: undefined } };
    expect(await stage.hook(start, homeless)).toEqual({ code: 0, stdout: "", stderr: "" });
    mkdirSync(stage.memory, { recursive: true });
    writeFileSync(join(stage.memory, "memory.db"), "this is no database ".repeat(500));
    expect(await stage.hook(start)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readdirSync(stage.memory).some((name) => name.endsWith(".log"))).toBe(true);
  });
});
