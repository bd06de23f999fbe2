import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerHook, type HookRequest } from "../../src/hooks/answer-hook.ts";
import { readSpool } from "../../src/ingest/ingest-queue.ts";
import { type OpenMemoryOptions, openMemory } from "../../src/memory.ts";
import { type FakeMemory, type FakeMemoryOptions, fakeMemory } from "../support/fake-memory.ts";

interface Stage {
  readonly memory: FakeMemory;
  readonly folder: string;
  readonly log: () => string;
  readonly answer: (payload: unknown, request?: Partial<HookRequest>) => Promise<string>;
}

function stage(options: FakeMemoryOptions = {}): Stage {
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-hook-"));
  const memory = fakeMemory({ folder, ...options });
  async function* input(payload: unknown): AsyncGenerator<string> {
    yield typeof payload === "string" ? payload : JSON.stringify(payload);
  }
  return {
    memory,
    folder,
    log: () => readFileSync(join(folder, "arcticmem.log"), "utf8"),
    answer: (payload, request) =>
      answerHook({
        installedFor: "claude-code",
        variables: { CLAUDECODE: "1" },
        input: input(payload),
        open: async () => memory,
        ...request,
      }),
  };
}

const START = {
  session_id: "s1",
  transcript_path: "/x/s1.jsonl",
  cwd: "/work/billing",
  hook_event_name: "SessionStart",
  source: "startup",
};

function transcript(folder: string, bytes: number): string {
  const path = join(folder, "s1.jsonl");
  writeFileSync(path, "x".repeat(bytes));
  return path;
}

describe("answerHook at a session's start", () => {
  it("prints what is known in the host's form, and looks for sessions that were never ingested", async () => {
    const { answer, memory } = stage({ startText: "<arcticmem-memories>…" });
    expect(JSON.parse(await answer(START))).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "<arcticmem-memories>…" },
    });
    expect(memory.calls).toEqual(["launchWorker"]);
    expect(memory.isClosed).toBe(true);
  });

  it("prints nothing when nothing is worth saying", async () => {
    expect(await stage().answer(START)).toBe("");
  });

  it("gives up on a memory that hangs, and says so in the log", async () => {
    const { answer, log } = stage({ startText: "late", startDelayMs: 1_500 });
    expect(await answer(START)).toBe("");
    expect(log()).toContain("session-start gave up");
  });

  it("prints nothing and logs when the memory is broken", async () => {
    const { answer, log } = stage({ trouble: new Error("database disk image is malformed") });
    expect(await answer(START)).toBe("");
    expect(log()).toContain("hook failed: database disk image is malformed");
  });

  it("answers once when two hosts run the same event", async () => {
    const { answer } = stage({ startText: "known" });
    const answers = [await answer(START), await answer(START)];
    expect(answers.map((text) => text !== "")).toEqual([true, false]);
    expect(await answer({ ...START, source: "compact" })).not.toBe("");
  });
});

describe("answerHook at a session's end", () => {
  const end = (path: string) => ({ ...START, hook_event_name: "SessionEnd", reason: "other", transcript_path: path });

  it("leaves a note with the transcript's length and starts the worker", async () => {
    const { answer, memory, folder } = stage();
    const path = transcript(folder, 1_234);
    expect(await answer(end(path))).toBe("");
    expect(memory.spooled).toEqual([
      {
        host: "claude-code",
        session: "s1",
        transcript: path,
        cwd: "/work/billing",
        offset: 1_234,
        reason: "session-end",
      },
    ]);
    expect(memory.calls).toEqual(["launchWorker"]);
  });

  it("leaves none for a session without a transcript", async () => {
    const { answer, memory, folder } = stage();
    await answer(end(join(folder, "missing.jsonl")));
    expect(memory.spooled).toEqual([]);
  });
});

describe("answerHook with settings that nobody can read", () => {
  it.each([
    ["a key that is none", '{"serach":{}}'],
    ["no JSON", "{"],
  ])("leaves the note of a session's end for %s, and logs what is wrong", async (_name, config) => {
    const { answer, folder } = stage();
    const home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), config);
    const environment = { platform: process.platform, variables: { ARCTICMEM_HOME: home, HOME: folder } };
    const open = (options: OpenMemoryOptions) => openMemory({ ...options, environment });
    const payload = { ...START, hook_event_name: "SessionEnd", cwd: folder, transcript_path: transcript(folder, 9) };
    expect(await answer(payload, { open })).toBe("");
    const { paths } = await openMemory({ environment });
    expect(await readSpool(join(paths.state, "spool"))).toMatchObject([{ session: "s1", reason: "session-end" }]);
    expect(readFileSync(paths.log, "utf8")).toContain("config.json");
  });
});

describe("answerHook before a compaction", () => {
  it("spools a long session, and leaves a short one to its end", async () => {
    const { answer, memory, folder } = stage();
    const compaction = (path: string, id: string) => ({
      ...START,
      session_id: id,
      hook_event_name: "PreCompact",
      trigger: "auto",
      transcript_path: path,
    });
    await answer(compaction(transcript(folder, 1_000), "short"));
    expect(memory.spooled).toEqual([]);
    await answer(compaction(transcript(folder, 500_000), "long"));
    expect(memory.spooled).toMatchObject([{ session: "long", reason: "pre-compact", offset: 500_000 }]);
  });
});

describe("answerHook for payloads that are not its own", () => {
  it.each([
    ["nonsense", "not json"],
    ["nothing", ""],
    ["binary", "\u0000\u0001\ufffd"],
    ["another event", { ...START, hook_event_name: "Notification" }],
    ["an event without a session", { ...START, session_id: "" }],
    ["a list", [1, 2]],
  ])("prints nothing for %s and opens no memory", async (_name, payload) => {
    const open = async () => expect.unreachable();
    expect(await stage().answer(payload, { open })).toBe("");
  });

  it("stays out when another host runs Claude Code's hooks", async () => {
    const { answer, memory } = stage({ startText: "known" });
    expect(await answer(START, { variables: { COPILOT_CLI: "1" } })).toBe("");
    expect(memory.calls).toEqual([]);
  });

  it("prints nothing for a payload without an end", async () => {
    async function* endless(): AsyncGenerator<string> {
      while (true) yield "x".repeat(1_000_000);
    }
    expect(await stage().answer("", { input: endless() })).toBe("");
  });
});
