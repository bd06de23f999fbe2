/** Messages of a chat: what a person typed, what the model said, what tools answered. */
import { dateIn, isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
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
import { argumentsText } from "../../normal-form/shorten-arguments.ts";
import { readEnding, SHELL, toolOrigin } from "./tool-call.ts";

/** Written by the client in the first message, and before a prompt by hooks. */
const HOOK_CONTEXT = /<hook_context>([\s\S]*?)<\/hook_context>/g;
const SETUP = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context for our chat)/;
/** Files that `@path` brought into a prompt. */
const REFERENCED = /\n*--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;
const TYPED_COMMAND =
  /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```\n\nThis produced the following result:\n```\n([\s\S]*?)\n?```\s*$/;
const SLASH_COMMAND = /^\/[a-z][a-z-]*(?: [^\n]*)?$/;
const CANCELLED = /^(?:Request cancelled|User cancelled the request|Operation cancelled)/i;

export function readMessage(message: JsonObject, context: RecordContext): RecordStep[] {
  const type = textIn(message, "type") ?? "unknown";
  const at = dateIn(message, "timestamp");
  switch (type) {
    case "user":
      return readUser(message, at, context);
    case "gemini":
      return readModel(message, at, context);
    case "error":
      return [failureStep(contentText(message.content), at)];
    case "info":
      return readInfo(contentText(message.content), at);
    default:
      return [{ kind: "ignored", type }];
  }
}

function readInfo(text: string, at: Date | undefined): RecordStep[] {
  return [CANCELLED.test(text) ? interruptedStep(at) : { kind: "ignored", type: "info" }];
}

function readUser(message: JsonObject, at: Date | undefined, context: RecordContext): RecordStep[] {
  const responses = listIn(message, "content").filter((part) => objectIn(part, "functionResponse") !== undefined);
  const answers = responses.flatMap((part) => readResponse(part, at, context));
  const content = contentText(message.content);
  const notes = Array.from(
    content.matchAll(HOOK_CONTEXT),
    (match): RecordStep => ({ kind: "injected", text: match[1] ?? "" }),
  );
  const shown = contentText(message.displayContent);
  const text = (shown === "" ? content : shown).replace(REFERENCED, "").trim();
  return [...answers, ...notes, ...readTyped(text, at, context)];
}

function readTyped(text: string, at: Date | undefined, { isAgent }: RecordContext): RecordStep[] {
  if (text === "") return [];
  if (SETUP.test(text) || SLASH_COMMAND.test(text)) return [{ kind: "ignored", type: "user/command" }];
  if (isAgent) return [taskStep(text, at)];
  const shell = TYPED_COMMAND.exec(text);
  if (shell === null) return [humanStep(text, at)];
  const tool = { name: SHELL };
  return [
    callStep({ tool, args: (shell[1] ?? "").trim(), origin: "human", at }),
    resultStep({ tool: { ...tool, status: "unknown" }, text: shell[2] ?? "", origin: "tool_local", at }),
  ];
}

/** An answer is told in the call and once more as a user's message: the second counts where the first never came. */
function readResponse(part: unknown, at: Date | undefined, { calls }: RecordContext): RecordStep[] {
  const response = objectIn(part, "functionResponse");
  const callId = textIn(response, "id") ?? "";
  const call = calls.get(callId);
  if (call === undefined) return [];
  calls.delete(callId);
  const ending = readEnding(call.name, "success", [part]);
  return [resultStep({ tool: toolUse(call.name, callId, ending), text: ending.text, origin: call.origin, at })];
}

function readModel(message: JsonObject, at: Date | undefined, context: RecordContext): RecordStep[] {
  const text = contentText(message.content);
  const calls = listIn(message, "toolCalls").filter(isObject);
  return [...(text === "" ? [] : [assistantStep(text, at)]), ...calls.flatMap((call) => readCall(call, at, context))];
}

function readCall(call: JsonObject, at: Date | undefined, { cwd, calls: open }: RecordContext): RecordStep[] {
  const name = textIn(call, "name") ?? "unknown";
  const callId = textIn(call, "id");
  const origin = toolOrigin(call, cwd);
  const args = argumentsText(objectIn(call, "args") ?? {}, name === SHELL);
  const asked = callStep({ tool: toolUse(name, callId), args, origin: "model", at });
  const responses = listIn(call, "result");
  if (responses.length === 0) {
    if (callId !== undefined) open.set(callId, { name, origin });
    return [asked];
  }
  const ending = readEnding(name, textIn(call, "status"), responses);
  const tool = toolUse(name, callId, ending);
  return [asked, resultStep({ tool, text: ending.text, origin, at: dateIn(call, "timestamp") ?? at })];
}

/** The texts of a content: a text, a part, or a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content.trim();
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => (typeof part === "string" ? part : (textIn(part, "text") ?? mediaMark(part))))
    .filter((text) => text !== "")
    .join("\n")
    .trim();
}

function mediaMark(part: unknown): string {
  const data = objectIn(part, "inlineData") ?? objectIn(part, "fileData");
  return data === undefined ? "" : `[${textIn(data, "mimeType") ?? "file"}]`;
}
