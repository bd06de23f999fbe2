/** Messages of a chat: what a person typed, what the model said, what tools answered. */
import { dateIn, isObject, type JsonObject, listIn, objectIn, textIn } from "../../normal-form/json-values.ts";
import { callStep, humanStep, type OpenCall, type RecordStep, turnStep } from "../../normal-form/record-steps.ts";
import { callArguments, readEnding, toolOrigin } from "./tool-call.ts";

export interface ChatContext {
  readonly cwd: string | undefined;
  /** A sub-agent's chat: what looks human in it was written by the model. */
  readonly isAgent: boolean;
  /** Calls whose result has not come yet. */
  readonly open: Map<string, OpenCall>;
}

/** Written by the client in the first message, and before a prompt by hooks. */
const HOOK_CONTEXT = /<hook_context>([\s\S]*?)<\/hook_context>/g;
const SETUP = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context for our chat)/;
/** Files that `@path` brought into a prompt. */
const REFERENCED = /\n*--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;
const SHELL =
  /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```\n\nThis produced the following result:\n```\n([\s\S]*?)\n?```\s*$/;
const SLASH_COMMAND = /^\/[a-z][a-z-]*(?: [^\n]*)?$/;
const CANCELLED = /^(?:Request cancelled|User cancelled the request|Operation cancelled)/i;

export function readMessage(message: JsonObject, context: ChatContext): RecordStep[] {
  const type = textIn(message, "type") ?? "unknown";
  const at = dateIn(message, "timestamp");
  switch (type) {
    case "user":
      return readUser(message, at, context);
    case "gemini":
      return readModel(message, at, context);
    case "error":
      return [turnStep({ kind: "event", text: contentText(message.content), origin: "tool_local", at }, "api_error")];
    case "info":
      return readInfo(contentText(message.content), at);
    default:
      return [{ kind: "ignored", type }];
  }
}

function readInfo(text: string, at: Date | undefined): RecordStep[] {
  if (!CANCELLED.test(text)) return [{ kind: "ignored", type: "info" }];
  return [turnStep({ kind: "event", text: "[interrupted by the user]", origin: "human", at }, "user")];
}

function readUser(message: JsonObject, at: Date | undefined, context: ChatContext): RecordStep[] {
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

function readTyped(text: string, at: Date | undefined, { isAgent }: ChatContext): RecordStep[] {
  if (text === "") return [];
  if (SETUP.test(text) || SLASH_COMMAND.test(text)) return [{ kind: "ignored", type: "user/command" }];
  if (isAgent) return [turnStep({ kind: "event", text: `[task of a sub-agent] ${text}`, origin: "model", at })];
  const shell = SHELL.exec(text);
  if (shell === null) return [humanStep(text, at)];
  const tool = { name: "run_shell_command" };
  return [
    callStep({ tool, args: (shell[1] ?? "").trim(), origin: "human", at }),
    turnStep({
      kind: "tool_result",
      text: shell[2] ?? "",
      origin: "tool_local",
      at,
      tool: { ...tool, status: "unknown" },
    }),
  ];
}

/** An answer is told in the call and once more as a user's message: the second counts where the first never came. */
function readResponse(part: unknown, at: Date | undefined, { open }: ChatContext): RecordStep[] {
  const response = objectIn(part, "functionResponse");
  const callId = textIn(response, "id") ?? "";
  const call = open.get(callId);
  if (call === undefined) return [];
  open.delete(callId);
  const { text, status, exitCode } = readEnding(call.name, "success", [part]);
  const tool = { name: call.name, callId, status, ...(exitCode === undefined ? {} : { exitCode }) };
  const origin = status === "denied" ? "tool_local" : call.origin;
  return [turnStep({ kind: "tool_result", text, origin, at, tool })];
}

function readModel(message: JsonObject, at: Date | undefined, context: ChatContext): RecordStep[] {
  const text = contentText(message.content);
  const calls = listIn(message, "toolCalls").filter(isObject);
  return [
    ...(text === "" ? [] : [turnStep({ kind: "assistant", text, origin: "model", at })]),
    ...calls.flatMap((call) => readCall(call, at, context)),
  ];
}

function readCall(call: JsonObject, at: Date | undefined, { cwd, open }: ChatContext): RecordStep[] {
  const name = textIn(call, "name") ?? "unknown";
  const callId = textIn(call, "id");
  const origin = toolOrigin(call, cwd);
  const tool = { name, ...(callId === undefined ? {} : { callId }) };
  const asked = callStep({ tool, args: callArguments(name, objectIn(call, "args") ?? {}), origin: "model", at });
  const responses = listIn(call, "result");
  if (responses.length === 0) {
    if (callId !== undefined) open.set(callId, { name, origin });
    return [asked];
  }
  const { text, status, exitCode } = readEnding(name, textIn(call, "status"), responses);
  const from = status === "denied" ? "tool_local" : origin;
  const ending = { ...tool, status, ...(exitCode === undefined ? {} : { exitCode }) };
  return [
    asked,
    turnStep({ kind: "tool_result", text, origin: from, at: dateIn(call, "timestamp") ?? at, tool: ending }),
  ];
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
