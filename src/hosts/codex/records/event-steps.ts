/**
 * Events: most repeat what the items say. Read from them in every file: that the user interrupted, that the model's service
 * failed. In files without items, the conversation itself.
 */
import { isObject, type JsonObject, listIn, numberIn, objectIn, textIn } from "../../normal-form/json-values.ts";
import { callStep, humanStep, type RecordStep, turnStep } from "../../normal-form/record-steps.ts";
import { commandOrigin } from "../../normal-form/text-origin.ts";
import { type RolloutContext, resultStep } from "./item-steps.ts";
import type { RolloutRecord } from "./rollout-record.ts";
import { commandText, readCall } from "./tool-call.ts";
import { readToolOutput } from "./tool-output.ts";
import { userTexts } from "./user-text.ts";

/** Of every file. */
export function readState({ payload, type, at }: RolloutRecord): RecordStep[] {
  if (type === "turn_aborted" && textIn(payload, "reason") !== "replaced") {
    return [turnStep({ kind: "event", text: "[interrupted by the user]", origin: "human", at }, "user")];
  }
  if (type === "error") {
    return [
      turnStep({ kind: "event", text: textIn(payload, "message") ?? "error", origin: "tool_local", at }, "api_error"),
    ];
  }
  return [{ kind: "ignored", type: `event/${type}` }];
}

/** Of files whose conversation stands in events only. */
export function readEvent(record: RolloutRecord, context: RolloutContext): RecordStep[] {
  const { payload, at, type } = record;
  switch (type) {
    case "user_message":
      return readTyped(textIn(payload, "message") ?? "", at, context);
    case "agent_message":
      return [turnStep({ kind: "assistant", text: textIn(payload, "message") ?? "", origin: "model", at })];
    case "exec_command_end":
      return readCommand(payload, at, context);
    case "mcp_tool_call_end":
      return readMcp(payload, at, context);
    case "patch_apply_end":
      return readPatch(payload, at);
    case "item_completed":
      return readCompleted(objectIn(payload, "item") ?? {}, at, context);
    default:
      return readState(record);
  }
}

function readTyped(message: string, at: Date | undefined, { isAgent }: RolloutContext): RecordStep[] {
  const { typed, injected } = userTexts({ content: message });
  if (typed === "") return injected.map((text) => ({ kind: "injected", text }));
  if (isAgent) return [turnStep({ kind: "event", text: `[task of a sub-agent] ${typed}`, origin: "model", at })];
  return [humanStep(typed, at)];
}

function readCommand(payload: JsonObject, at: Date | undefined, { cwd }: RolloutContext): RecordStep[] {
  const command = commandText(payload) ?? "";
  const streams = [textIn(payload, "stdout"), textIn(payload, "stderr")].filter(
    (text) => text !== undefined && text !== "",
  );
  const text = textIn(payload, "aggregated_output") ?? streams.join("\n");
  const exitCode = numberIn(payload, "exit_code");
  const output = readToolOutput(JSON.stringify({ output: text, metadata: { exit_code: exitCode } }));
  const callId = textIn(payload, "call_id") ?? "";
  const tool = { name: "shell", ...(callId === "" ? {} : { callId }) };
  return [
    callStep({ tool, args: command, origin: "model", at }),
    resultStep({ name: "shell", callId, origin: commandOrigin(command, cwd), at, output }),
  ];
}

function readMcp(payload: JsonObject, at: Date | undefined, { cwd }: RolloutContext): RecordStep[] {
  const invocation = objectIn(payload, "invocation");
  const name = `mcp__${textIn(invocation, "server") ?? "unknown"}__${textIn(invocation, "tool") ?? "unknown"}`;
  const input = objectIn(invocation, "arguments") ?? {};
  const call = readCall({ type: "function_call", name, arguments: JSON.stringify(input) }, cwd);
  const result = objectIn(payload, "result");
  const answer = objectIn(result, "Ok") ?? result;
  const failure = textIn(result, "Err");
  const output =
    failure === undefined ? readToolOutput(listIn(answer, "content")) : { text: failure, status: "error" as const };
  const callId = textIn(payload, "call_id") ?? "";
  return [
    callStep({ tool: { name, ...(callId === "" ? {} : { callId }) }, args: call.args, origin: "model", at }),
    resultStep({ name, callId, origin: call.origin, at, output }),
  ];
}

function readPatch(payload: JsonObject, at: Date | undefined): RecordStep[] {
  const tool = { name: "apply_patch" };
  const files = Object.keys(objectIn(payload, "changes") ?? {});
  const status = payload.success === false ? "error" : "ok";
  const text = textIn(payload, "stdout") ?? textIn(payload, "stderr") ?? "";
  return [
    callStep({ tool, args: JSON.stringify({ files }), origin: "model", at }),
    turnStep({ kind: "tool_result", text, origin: "tool_local", at, tool: { ...tool, status } }),
  ];
}

function readCompleted(item: JsonObject, at: Date | undefined, context: RolloutContext): RecordStep[] {
  const text = listIn(item, "content")
    .filter(isObject)
    .map((part) => textIn(part, "text") ?? "")
    .join("\n");
  const type = textIn(item, "type") ?? "unknown";
  if (type === "UserMessage") return readTyped(text, at, context);
  if (type === "AgentMessage") return [turnStep({ kind: "assistant", text, origin: "model", at })];
  if (type === "CommandExecution") return readCommand(item, at, context);
  return [{ kind: "ignored", type: `item/${type}` }];
}
