import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCodeHooks } from "../../../src/hosts/claude-code/hook-payload.ts";

const COMMON = { session_id: "s", cwd: "/w", transcript_path: "/t.jsonl", permission_mode: "default" };
const READ = { session: "s", cwd: "/w", transcript: "/t.jsonl" };
const read = (payload: object): unknown => claudeCodeHooks.readPayload(JSON.stringify(payload));

describe("readPayload", () => {
  it.each([
    [
      { hook_event_name: "SessionStart", source: "resume", model: "x" },
      { kind: "session-start", ...READ, source: "resume" },
    ],
    [
      { hook_event_name: "SessionStart", source: "new-one" },
      { kind: "session-start", ...READ, source: "startup" },
    ],
    [
      { hook_event_name: "SessionEnd", reason: "other" },
      { kind: "session-end", ...READ },
    ],
    [
      { hook_event_name: "PreCompact", trigger: "auto" },
      { kind: "pre-compact", ...READ },
    ],
    [
      { hook_event_name: "UserPromptSubmit", prompt: "hi" },
      { kind: "prompt-submit", ...READ, prompt: "hi" },
    ],
  ])("reads %j", (payload, event) => {
    expect(read({ ...COMMON, ...payload })).toEqual(event);
  });

  it.each([
    ["an event that is not ours", { ...COMMON, hook_event_name: "PreToolUse" }],
    ["a payload without a session", { cwd: "/w", hook_event_name: "SessionStart" }],
    [
      "a prompt that a schedule sent",
      { ...COMMON, hook_event_name: "UserPromptSubmit", prompt: "x", source: "schedule_wakeup" },
    ],
  ])("passes over %s", (_, payload) => {
    expect(read(payload)).toBeUndefined();
  });

  it("never throws, whatever stands on stdin", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (stdin) => {
        expect(() => claudeCodeHooks.readPayload(stdin)).not.toThrow();
      }),
    );
  });
});

describe("renderAnswer", () => {
  it("prints exactly the keys that the host knows", () => {
    expect(JSON.parse(claudeCodeHooks.renderAnswer({ event: "session-start", context: "note" }))).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "note" },
    });
  });

  it("prints nothing where there is nothing to say, or nobody to hear it", () => {
    expect(claudeCodeHooks.renderAnswer({ event: "session-start", context: "" })).toBe("");
    expect(claudeCodeHooks.renderAnswer({ event: "session-end", context: "note" })).toBe("");
  });
});
