/** A call as Codex writes it: which tool, with what, and where what it brings comes from. */
import { type JsonObject, listIn, objectIn, parseObject, textIn } from "../../../core/json/json-values.ts";
import type { TurnOrigin } from "../../../core/session.ts";
import { shortenArguments, shortText } from "../../normal-form/shorten-arguments.ts";
import { commandOrigin, isForeignPath } from "../../normal-form/text-origin.ts";

export interface CodexCall {
  readonly name: string;
  readonly args: string;
  readonly origin: TurnOrigin;
}

const SHELLS = /^(?:shell|shell_command|exec_command|local_shell|container\.exec|unified_exec)$/;
/** `bash -lc <command>`: only the command was asked for. */
const WRAPPER = /^(?:\/[\w./-]*\/)?(?:ba|z|da|)sh$/;
const MCP = /^mcp__/;
const OURS = /^mcp__(?:plugin_)?arcticmem(?:_arcticmem)?(?:__|$)/;
const WEB = /^web_(?:search|fetch)/;
const AGENTS = /^(?:spawn_agent|wait_agent|wait|send_input|send_message|resume_agent|close_agent|list_agents)$/;
const QUESTIONS = /^(?:request_user_input|ask_user_question)$/;
const MAX_PATCH_CHARACTERS = 1_600;

/** @param payload - A `function_call`, `custom_tool_call` or `local_shell_call`. */
export function readCall(payload: JsonObject, cwd: string | undefined): CodexCall {
  const own = textIn(payload, "name") ?? (textIn(payload, "type") === "local_shell_call" ? "local_shell" : "unknown");
  const namespace = textIn(payload, "namespace");
  const name = namespace === undefined || own.startsWith(namespace) ? own : `${namespace}__${own}`;
  const input = parseObject(textIn(payload, "arguments") ?? "") ?? objectIn(payload, "action") ?? {};
  if (SHELLS.test(name)) {
    const command = commandText(input) ?? textIn(payload, "arguments") ?? "";
    return { name, args: command, origin: commandOrigin(command, textIn(input, "workdir") ?? cwd) };
  }
  const text = textIn(payload, "input") ?? textIn(payload, "arguments");
  return { name, args: argumentsText(input, text), origin: originOf(name, input, cwd) };
}

/** The command of a shell, out of `cmd`, a text, or a list of words. */
export function commandText(input: JsonObject): string | undefined {
  const text = textIn(input, "cmd") ?? textIn(input, "command");
  if (text !== undefined) return text;
  const words = listIn(input, "command").filter((word) => typeof word === "string");
  const isWrapped = WRAPPER.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  return words.length === 0 ? undefined : (isWrapped ? words.slice(2) : words).join(" ");
}

function argumentsText(input: JsonObject, text: string | undefined): string {
  if (Object.keys(input).length > 0) return JSON.stringify(shortenArguments(input));
  if (text === undefined) return "{}";
  return text.length > MAX_PATCH_CHARACTERS ? shortText(text) : text;
}

function originOf(name: string, input: JsonObject, cwd: string | undefined): TurnOrigin {
  if (OURS.test(name)) return "injected";
  if (MCP.test(name) || WEB.test(name)) return "tool_external";
  if (AGENTS.test(name)) return "model";
  if (QUESTIONS.test(name)) return "human";
  const path = textIn(input, "path") ?? textIn(input, "file_path");
  return path !== undefined && isForeignPath(path, cwd) ? "tool_external" : "tool_local";
}
