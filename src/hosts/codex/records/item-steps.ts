/** The items of the model's conversation: messages, calls, their outputs. Reasoning was said to nobody and is left out. */
import type { TurnOrigin } from "../../../core/session.ts";
import { type JsonObject, objectIn, textIn } from "../../normal-form/json-values.ts";
import { callStep, humanStep, type OpenCall, type RecordStep, turnStep } from "../../normal-form/record-steps.ts";
import type { RolloutRecord } from "./rollout-record.ts";
import { readCall } from "./tool-call.ts";
import { readToolOutput } from "./tool-output.ts";
import { contentParts, userTexts } from "./user-text.ts";

export interface RolloutContext {
  /** Directory in which the session started. */
  readonly cwd: string | undefined;
  /** A sub-agent's thread: what looks human in it was written by the model. */
  readonly isAgent: boolean;
  /** Calls by id; a reader adds the calls that it meets. */
  readonly calls: Map<string, OpenCall>;
}

const SHELL = /<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>(?:\s*<result>\n?([\s\S]*?)\n?<\/result>)?/;

export function readItem(record: RolloutRecord, context: RolloutContext): RecordStep[] {
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

function readMessage({ payload, at, type }: RolloutRecord, { isAgent }: RolloutContext): RecordStep[] {
  const role = textIn(payload, "role");
  const text = contentParts(payload).join("\n").trim();
  if (role === "assistant") return [turnStep({ kind: "assistant", text, origin: "model", at })];
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
  if (isAgent)
    return [...notes, turnStep({ kind: "event", text: `[task of a sub-agent] ${said}`, origin: "model", at })];
  return [...notes, ...shells, humanStep(said, at)];
}

/** Commands that the user ran from the prompt: they tell what the user thought of the work. */
function readShell(text: string, at: Date | undefined): RecordStep[] {
  const match = SHELL.exec(text);
  if (match === null) return [];
  const tool = { name: "shell" };
  const result = readToolOutput(match[2] ?? "");
  return [
    callStep({ tool, args: (match[1] ?? "").trim(), origin: "human", at }),
    turnStep({
      kind: "tool_result",
      text: result.text,
      origin: "tool_local",
      at,
      tool: { ...tool, ...ending(result) },
    }),
  ];
}

function openCall({ payload, at }: RolloutRecord, { cwd, calls }: RolloutContext): RecordStep {
  const { name, args, origin } = readCall(payload, cwd);
  const callId = textIn(payload, "call_id") ?? textIn(payload, "id");
  if (callId !== undefined) calls.set(callId, { name, origin });
  return callStep({ tool: { name, ...(callId === undefined ? {} : { callId }) }, args, origin: "model", at });
}

function readResult({ payload, at }: RolloutRecord, { calls }: RolloutContext): RecordStep {
  const callId = textIn(payload, "call_id") ?? "";
  const call = calls.get(callId);
  const output = readToolOutput(payload.output ?? objectIn(payload, "result"));
  return resultStep({ name: call?.name ?? "unknown", callId, origin: call?.origin ?? "tool_local", at, output });
}

export interface ResultParts {
  readonly name: string;
  readonly callId: string;
  readonly origin: TurnOrigin;
  readonly at: Date | undefined;
  readonly output: ReturnType<typeof readToolOutput>;
}

export function resultStep({ name, callId, origin, at, output }: ResultParts): RecordStep {
  const tool = { name, ...(callId === "" ? {} : { callId }), ...ending(output) };
  const from = output.status === "denied" ? "tool_local" : origin;
  return turnStep({ kind: "tool_result", text: output.text, origin: from, at, tool });
}

function ending({
  status,
  exitCode,
}: ReturnType<typeof readToolOutput>): Pick<ResultParts["output"], "status" | "exitCode"> {
  return { status, ...(exitCode === undefined ? {} : { exitCode }) };
}

/** What the search brought is in no record, but the model has read it: the result stands for that. */
function readWebSearch({ payload, at }: RolloutRecord): RecordStep[] {
  const action: JsonObject = objectIn(payload, "action") ?? {};
  const args = textIn(action, "query") ?? textIn(action, "url") ?? "";
  const tool = { name: "web_search" };
  return [
    callStep({ tool, args, origin: "model", at }),
    turnStep({
      kind: "tool_result",
      text: "[what the web answered is not recorded]",
      origin: "tool_external",
      at,
      tool: { ...tool, status: "unknown" },
    }),
  ];
}
