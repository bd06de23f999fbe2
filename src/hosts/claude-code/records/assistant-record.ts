/** Assistant records: one content block each. Thinking is left out: it was said to nobody and proves nothing. */
import { dateIn, isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import {
  assistantStep,
  callStep,
  failureStep,
  type RecordContext,
  type RecordStep,
  toolUse,
} from "../../normal-form/record-steps.ts";
import { argumentsText } from "../../normal-form/shorten-arguments.ts";
import { isShell, toolOrigin } from "./tool-origin.ts";

/** Written by the client where it asked the model nothing. */
const NO_ANSWER = "No response requested.";

export function readAssistantRecord(record: JsonObject, context: RecordContext): RecordStep[] {
  const message = objectIn(record, "message");
  const content = textIn(message, "content");
  const blocks = content === undefined ? listIn(message, "content") : [{ type: "text", text: content }];
  return blocks.filter(isObject).map((block) => readBlock(block, record, context));
}

function readBlock(block: JsonObject, record: JsonObject, context: RecordContext): RecordStep {
  const at = dateIn(record, "timestamp");
  const type = textIn(block, "type") ?? "unknown";
  const text = textIn(block, "text") ?? "";
  if (type === "tool_use") return readCall(block, at, context);
  if (type !== "text" || text.trim() === NO_ANSWER) return { kind: "ignored", type: `block/${type}` };
  return record.isApiErrorMessage === true ? failureStep(text, at) : assistantStep(text, at);
}

function readCall(block: JsonObject, at: Date | undefined, { cwd, calls }: RecordContext): RecordStep {
  const name = textIn(block, "name") ?? "unknown";
  const input = objectIn(block, "input") ?? {};
  const callId = textIn(block, "id");
  if (callId !== undefined) calls.set(callId, { name, origin: toolOrigin({ name, input, cwd }) });
  return callStep({ tool: toolUse(name, callId), args: argumentsText(input, isShell(name)), origin: "model", at });
}
