/** Claude Code's hooks: what they send on stdin and what may be printed back. Parsed by hand, for speed. */
import { type JsonObject, parseObject, textIn } from "../../core/json/json-values.ts";
import type { HookAnswer, HookDialect, HookEvent } from "../host.ts";

/** Longer strings are written to a file and replaced by a preview: the model would not see them. */
const MAX_CONTEXT_CHARACTERS = 10_000;

type SessionSource = Extract<HookEvent, { kind: "session-start" }>["source"];
const SOURCES: readonly SessionSource[] = ["startup", "resume", "clear", "compact", "fork"];
/** Prompts that no person sent: wake-ups of loops and schedules, notices of the harness. */
const PERSON_SOURCES = /^(?:user|sdk)$/;

const EVENT_NAMES: Readonly<Record<HookEvent["kind"], string>> = {
  "session-start": "SessionStart",
  "session-end": "SessionEnd",
  "pre-compact": "PreCompact",
  "prompt-submit": "UserPromptSubmit",
};
/** Events at which the host passes our text on to the model. */
const SPEAKING_EVENTS: readonly HookEvent["kind"][] = ["session-start", "prompt-submit"];

export const claudeCodeHooks: HookDialect = {
  maxContextCharacters: MAX_CONTEXT_CHARACTERS,

  readPayload(stdin) {
    const payload = parseObject(stdin);
    const session = textIn(payload, "session_id");
    const cwd = textIn(payload, "cwd");
    if (payload === undefined || session === undefined || session === "" || cwd === undefined) return undefined;
    return readEvent(payload, { session, cwd, transcript: textIn(payload, "transcript_path") ?? null });
  },

  renderAnswer(answer) {
    if (answer.context === "" || !SPEAKING_EVENTS.includes(answer.event)) return "";
    return JSON.stringify({ hookSpecificOutput: outputOf(answer) });
  },
};

function readEvent(
  payload: JsonObject,
  common: { readonly session: string; readonly cwd: string; readonly transcript: string | null },
): HookEvent | undefined {
  switch (textIn(payload, "hook_event_name")) {
    case "SessionStart": {
      const source = SOURCES.find((known) => known === textIn(payload, "source")) ?? "startup";
      return { kind: "session-start", ...common, source };
    }
    case "SessionEnd":
      return { kind: "session-end", ...common };
    case "PreCompact":
      return { kind: "pre-compact", ...common };
    case "UserPromptSubmit": {
      const prompt = textIn(payload, "prompt");
      const isPerson = PERSON_SOURCES.test(textIn(payload, "source") ?? "user");
      return prompt === undefined || !isPerson ? undefined : { kind: "prompt-submit", ...common, prompt };
    }
    default:
      return undefined;
  }
}

function outputOf({ event, context }: HookAnswer): JsonObject {
  return { hookEventName: EVENT_NAMES[event], additionalContext: context };
}
