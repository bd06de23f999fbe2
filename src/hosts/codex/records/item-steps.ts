/** The items of the model's conversation: messages, calls, their outputs. Reasoning was said to nobody and is left out. */
import { objectIn, textIn } from "../../../core/json/json-values.ts";
import {
  assistantStep,
  callStep,
  humanStep,
  type RecordContext,
  type RecordStep,
  resultStep,
  taskStep,
  toolUse,
  turnStep,
} from "../../normal-form/record-steps.ts";
import type { RolloutRecord } from "./rollout-record.ts";
import { readCall } from "./tool-call.ts";
import { readToolOutput } from "./tool-output.ts";
import { contentParts, userTexts } from "./user-text.ts";

const SHELL = /<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>(?:\s*<result>\n?([\s\S]*?)\n?<\/result>)?/;

export function readItem(record: RolloutRecord, context: RecordContext): RecordStep[] {
  switch (record.type) {
    case "message":
      return readMessage(record, context);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [openCall(record, context)];
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
    case "mcp_tool_call_output":
      return [readResult(record, context)];
    case "web_search_call":
      return readWebSearch(record);
    case "agent_message":
      return [
        turnStep({ kind: "event", text: contentParts(record.payload).join("\n"), origin: "model", at: record.at }),
      ];
    default:
      return [{ kind: "ignored", type: record.type }];
  }
}

function readMessage({ payload, at, type }: RolloutRecord, { isAgent }: RecordContext): RecordStep[] {
  const role = textIn(payload, "role");
  const text = contentParts(payload).join("\n").trim();
  if (role === "assistant") return [assistantStep(text, at)];
  if (role !== "user") {
    return [
      { kind: "injected", text },
      { kind: "ignored", type: `${type}/${role ?? "unknown"}` },
    ];
  }
  const { typed, injected } = userTexts(payload);
  const notes = injected.map((note): RecordStep => ({ kind: "injected", text: note }));
  const shells = [typed, ...injected].flatMap((part) => readShell(part, at));
  const said = typed.replace(/<user_shell_command>[\s\S]*?<\/user_shell_command>/g, "").trim();
  if (said === "")
    return [
      ...notes,
      ...shells,
      ...(shells.length === 0 ? [{ kind: "ignored", type: "message/context" } as const] : []),
    ];
  if (isAgent) return [...notes, taskStep(said, at)];
  return [...notes, ...shells, humanStep(said, at)];
}

/** Commands that the user ran from the prompt: they tell what the user thought of the work. */
function readShell(text: string, at: Date | undefined): RecordStep[] {
  const match = SHELL.exec(text);
  if (match === null) return [];
  const output = readToolOutput(match[2] ?? "");
  return [
    callStep({ tool: { name: "shell" }, args: (match[1] ?? "").trim(), origin: "human", at }),
    resultStep({ tool: toolUse("shell", undefined, output), text: output.text, origin: "tool_local", at }),
  ];
}

function openCall({ payload, at }: RolloutRecord, { cwd, calls }: RecordContext): RecordStep {
  const { name, args, origin } = readCall(payload, cwd);
  const callId = textIn(payload, "call_id") ?? textIn(payload, "id");
  if (callId !== undefined) calls.set(callId, { name, origin });
  return callStep({ tool: toolUse(name, callId), args, origin: "model", at });
}

function readResult({ payload, at }: RolloutRecord, { calls }: RecordContext): RecordStep {
  const callId = textIn(payload, "call_id");
  const call = calls.get(callId ?? "");
  const output = readToolOutput(payload.output ?? objectIn(payload, "result"));
  const tool = toolUse(call?.name ?? "unknown", callId, output);
  return resultStep({ tool, text: output.text, origin: call?.origin ?? "tool_local", at });
}

/** What the search brought is in no record, but the model has read it: the result stands for that. */
function readWebSearch({ payload, at }: RolloutRecord): RecordStep[] {
  const action = objectIn(payload, "action");
  const args = textIn(action, "query") ?? textIn(action, "url") ?? "";
  return [
    callStep({ tool: { name: "web_search" }, args, origin: "model", at }),
    resultStep({
      tool: { name: "web_search", status: "unknown" },
      text: "[what the web answered is not recorded]",
      origin: "tool_external",
      at,
    }),
  ];
}
