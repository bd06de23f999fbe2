/**
 * Events: most repeat what the items say. Read from them in every file: that the user interrupted, that the model's service
 * failed. In files without items, the conversation itself.
 */
import { isObject, type JsonObject, listIn, numberIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import {
  assistantStep,
  callStep,
  failureStep,
  humanStep,
  interruptedStep,
  type RecordContext,
  type RecordStep,
  resultStep,
  taskStep,
  toolUse,
} from "../../normal-form/record-steps.ts";
import { commandOrigin } from "../../normal-form/text-origin.ts";
import type { RolloutRecord } from "./rollout-record.ts";
import { commandText, readCall } from "./tool-call.ts";
import { readToolOutput } from "./tool-output.ts";
import { userTexts } from "./user-text.ts";

/** Of every file. */
export function readState({ payload, type, at }: RolloutRecord): RecordStep[] {
  if (type === "turn_aborted" && textIn(payload, "reason") !== "replaced") {
    return [interruptedStep(at)];
  }
  if (type === "error") return [failureStep(textIn(payload, "message") ?? "error", at)];
  return [{ kind: "ignored", type: `event/${type}` }];
}

/** Of files whose conversation stands in events only. */
export function readEvent(record: RolloutRecord, context: RecordContext): RecordStep[] {
  const { payload, at, type } = record;
  switch (type) {
    case "user_message":
      return readTyped(textIn(payload, "message") ?? "", at, context);
    case "agent_message":
      return [assistantStep(textIn(payload, "message") ?? "", at)];
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

function readTyped(message: string, at: Date | undefined, { isAgent }: RecordContext): RecordStep[] {
  const { typed, injected } = userTexts({ content: message });
  if (typed === "") return injected.map((text) => ({ kind: "injected", text }));
  return [isAgent ? taskStep(typed, at) : humanStep(typed, at)];
}

function readCommand(payload: JsonObject, at: Date | undefined, { cwd }: RecordContext): RecordStep[] {
  const command = commandText(payload) ?? "";
  const streams = [textIn(payload, "stdout"), textIn(payload, "stderr")].filter(
    (text) => text !== undefined && text !== "",
  );
  const text = textIn(payload, "aggregated_output") ?? streams.join("\n");
  const exitCode = numberIn(payload, "exit_code");
  const output = readToolOutput(JSON.stringify({ output: text, metadata: { exit_code: exitCode } }));
  const callId = textIn(payload, "call_id");
  const tool = toolUse("shell", callId, output);
  return [
    callStep({ tool: toolUse("shell", callId), args: command, origin: "model", at }),
    resultStep({ tool, text: output.text, origin: commandOrigin(command, cwd), at }),
  ];
}

function readMcp(payload: JsonObject, at: Date | undefined, { cwd }: RecordContext): RecordStep[] {
  const invocation = objectIn(payload, "invocation");
  const name = `mcp__${textIn(invocation, "server") ?? "unknown"}__${textIn(invocation, "tool") ?? "unknown"}`;
  const input = objectIn(invocation, "arguments") ?? {};
  const call = readCall({ type: "function_call", name, arguments: JSON.stringify(input) }, cwd);
  const result = objectIn(payload, "result");
  const answer = objectIn(result, "Ok") ?? result;
  const failure = textIn(result, "Err");
  const output =
    failure === undefined ? readToolOutput(listIn(answer, "content")) : ({ text: failure, status: "error" } as const);
  const callId = textIn(payload, "call_id");
  return [
    callStep({ tool: toolUse(name, callId), args: call.args, origin: "model", at }),
    resultStep({ tool: toolUse(name, callId, output), text: output.text, origin: call.origin, at }),
  ];
}

function readPatch(payload: JsonObject, at: Date | undefined): RecordStep[] {
  const tool = { name: "apply_patch" };
  const files = Object.keys(objectIn(payload, "changes") ?? {});
  const status = payload.success === false ? "error" : "ok";
  const text = textIn(payload, "stdout") ?? textIn(payload, "stderr") ?? "";
  return [
    callStep({ tool, args: JSON.stringify({ files }), origin: "model", at }),
    resultStep({ tool: { ...tool, status }, text, origin: "tool_local", at }),
  ];
}

function readCompleted(item: JsonObject, at: Date | undefined, context: RecordContext): RecordStep[] {
  const text = listIn(item, "content")
    .filter(isObject)
    .map((part) => textIn(part, "text") ?? "")
    .join("\n");
  const type = textIn(item, "type") ?? "unknown";
  if (type === "UserMessage") return readTyped(text, at, context);
  if (type === "AgentMessage") return [assistantStep(text, at)];
  if (type === "CommandExecution") return readCommand(item, at, context);
  return [{ kind: "ignored", type: `item/${type}` }];
}
