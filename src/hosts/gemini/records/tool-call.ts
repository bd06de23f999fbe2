/** A tool call of Gemini CLI: where what it brings comes from, how it ended, what it said. */
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import type { ToolStatus, TurnOrigin } from "../../../core/session.ts";
import { REFUSED, type ToolEnding } from "../../normal-form/record-steps.ts";
import { commandOrigin, isForeignPath } from "../../normal-form/text-origin.ts";

export const SHELL = "run_shell_command";
const MCP = /^mcp_|__/;
const OURS = /^(?:mcp_)?arcticmem_/;
const WEB = /^(?:web_fetch|google_web_search|google_search)$/;
const FILES = /^(?:read_file|read_many_files|list_directory|glob|search_file_content|grep_search)$/;
const AGENTS = /^(?:codebase_investigator|delegate_to_agent|invoke_agent|activate_skill|save_memory|write_todos)$/;
const QUESTIONS = /^ask_user$/;
const DENIED = /User denied|denied by (?:policy|user)|User did not allow/i;

/** The frame around a command's output; which lines it has changes with versions. */
const FRAME_HEAD = /^(?:Command: [^\n]*\n)?(?:Directory: [^\n]*\n)?(?:(?:Output|Stdout): )?/;
const FRAME_TAIL =
  /(?:\n(?:Stderr: \(empty\)|Error: \(none\)|Exit Code: -?\d+|Signal: [^\n]*|Background PIDs: [^\n]*|Process Group PGID: [^\n]*))+\s*$/;
const EXIT_CODE = /^Exit Code: (-?\d{1,5})$/m;

/** Where a tool's result came from. A tool that is not known is local: it ran here. */
export function toolOrigin(call: JsonObject, cwd: string | undefined): TurnOrigin {
  const name = textIn(call, "name") ?? "";
  const shown = textIn(call, "displayName") ?? "";
  const args = objectIn(call, "args") ?? {};
  if (OURS.test(name) || /\(arcticmem MCP Server\)/.test(shown)) return "injected";
  if (WEB.test(name) || MCP.test(name) || /MCP Server\)$/.test(shown)) return "tool_external";
  if (AGENTS.test(name)) return "model";
  if (QUESTIONS.test(name)) return "human";
  if (name === SHELL) return commandOrigin(textIn(args, "command") ?? "", textIn(args, "directory") ?? cwd);
  if (!FILES.test(name)) return "tool_local";
  return filePaths(args).some((path) => isForeignPath(path, cwd)) ? "tool_external" : "tool_local";
}

function filePaths(args: JsonObject): string[] {
  const single = ["file_path", "absolute_path", "path", "dir_path"].map((key) => textIn(args, key));
  return [...single, ...listIn(args, "paths"), ...listIn(args, "include")].filter((path) => typeof path === "string");
}

/** @param responses - The parts that answered the call. */
export function readEnding(name: string, status: string | undefined, responses: readonly unknown[]): ToolEnding {
  const failure = responseTexts(responses, "error");
  const said = [...responseTexts(responses, "output"), ...failure].join("\n");
  if (DENIED.test(failure.join("\n"))) return REFUSED;
  if (name === SHELL) return readCommand(said, status, failure.length > 0);
  return { text: said, status: failure.length > 0 ? "error" : statusOf(status) };
}

function readCommand(said: string, status: string | undefined, failed: boolean): ToolEnding {
  const told = EXIT_CODE.exec(FRAME_TAIL.exec(said)?.[0] ?? "")?.[1];
  const text = said
    .replace(FRAME_TAIL, "")
    .replace(FRAME_HEAD, "")
    .replace(/^\(empty\)$/, "");
  if (told !== undefined && told !== "0") return { text, status: "error", exitCode: Number(told) };
  if (failed) return { text, status: "error" };
  const ending = statusOf(status);
  return ending === "ok" ? { text, status: ending, exitCode: 0 } : { text, status: ending };
}

function statusOf(status: string | undefined): ToolStatus {
  if (status === "success") return "ok";
  return status === "error" || status === "cancelled" ? "error" : "unknown";
}

function responseTexts(responses: readonly unknown[], key: "output" | "error"): string[] {
  return responses.filter(isObject).flatMap((part) => {
    const response = objectIn(objectIn(part, "functionResponse"), "response");
    const text =
      textIn(response, key) ?? (key === "output" ? (textIn(part, "text") ?? textIn(response, "content")) : undefined);
    return text === undefined ? [] : [text];
  });
}
