/** Whether what a tool of Claude Code brought came from the project or from outside. */
import { type JsonObject, textIn } from "../../../core/json/json-values.ts";
import type { TurnOrigin } from "../../../core/session.ts";
import { commandOrigin, isForeignPath } from "../../normal-form/text-origin.ts";

const WEB_TOOLS = /^(?:WebFetch|WebSearch|ReadMcpResource|ListMcpResources|ReadMcpResourceTool|ListMcpResourcesTool)$/;
const MCP_TOOL = /^mcp__/;
/** Our own tools, installed by hand or as a plugin: what they bring is our own memory. */
const OUR_TOOL = /^mcp__(?:plugin_)?arcticmem(?:_arcticmem)?__/;
const FILE_TOOLS = /^(?:Read|Grep|Glob|LS|NotebookRead)$/;
const AGENT_TOOLS = /^(?:Task|Agent|TaskOutput|AgentOutput)$/;
const QUESTION_TOOLS = /^AskUserQuestion$/;

export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly cwd: string | undefined;
}

/** Where a tool's result came from. A tool that is not known is local: it ran here. */
export function toolOrigin({ name, input, cwd }: ToolCall): TurnOrigin {
  if (OUR_TOOL.test(name)) return "injected";
  if (WEB_TOOLS.test(name) || MCP_TOOL.test(name)) return "tool_external";
  if (AGENT_TOOLS.test(name)) return "model";
  if (QUESTION_TOOLS.test(name)) return "human";
  if (FILE_TOOLS.test(name)) {
    const path = textIn(input, "file_path") ?? textIn(input, "path") ?? textIn(input, "notebook_path");
    return path !== undefined && isForeignPath(path, cwd) ? "tool_external" : "tool_local";
  }
  return isShell(name) ? commandOrigin(textIn(input, "command") ?? "", cwd) : "tool_local";
}

export function isShell(name: string): boolean {
  return name === "Bash" || name === "PowerShell";
}
