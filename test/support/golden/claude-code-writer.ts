/** Golden sessions as Claude Code writes them. */
import { claudeResult, type Tool } from "./claude-code-results.ts";
import { halves, type Script, type Step } from "./notation.ts";
import type { Ticks } from "./ticks.ts";

type Json = Readonly<Record<string, unknown>>;

export interface ClaudeAgent {
  readonly id: string;
  readonly sessionId: string;
}

/** @param agent - Given for a sub-agent's own transcript. */
export function writeClaudeCode(script: Script, ticks: Ticks, agent?: ClaudeAgent): Json[] {
  const { cwd = "/", branch = "main", host = "claude-code", ...head } = script.head;
  const session = agent?.sessionId ?? ticks.uuid();
  const lines: Json[] = [];
  let parent: string | null = null;
  let message = "";
  let prompt = ticks.uuid();
  const common = {
    isSidechain: agent !== undefined,
    userType: "external",
    entrypoint: "cli",
    cwd,
    sessionId: session,
    version: head.version ?? "2.1.332",
    gitBranch: branch,
    ...(agent === undefined ? {} : { agentId: agent.id }),
  };
  const push = (type: string, record: Json): string => {
    const uuid = ticks.uuid();
    lines.push({ parentUuid: parent, ...common, type, uuid, timestamp: ticks.now(), ...record });
    parent = uuid;
    return uuid;
  };
  const user = (content: unknown, more: Json = {}): void => {
    message = "";
    push("user", { promptId: prompt, message: { role: "user", content }, ...more });
  };
  const block = (content: Json): string => {
    if (message === "") message = `msg_01${ticks.hex(22)}`;
    return push("assistant", {
      message: {
        id: message,
        type: "message",
        role: "assistant",
        model: head.model ?? "claude-sonnet-4-6",
        content: [content],
        stop_reason: content.type === "tool_use" ? "tool_use" : "end_turn",
        stop_sequence: null,
        usage: {
          input_tokens: 6,
          cache_creation_input_tokens: 640,
          cache_read_input_tokens: 21_870,
          output_tokens: 131,
        },
      },
      requestId: `req_01${ticks.hex(22)}`,
    });
  };
  const call = (tool: Tool, answer: { text: string; failed?: boolean }): void => {
    const id = `toolu_01${ticks.hex(22)}`;
    const asked = block({ type: "tool_use", id, name: tool.name, input: tool.input });
    const { content, structured } = claudeResult(tool, answer);
    user([{ tool_use_id: id, type: "tool_result", content, ...(answer.failed === true ? { is_error: true } : {}) }], {
      toolUseResult: structured,
      sourceToolAssistantUUID: asked,
    });
  };
  const writer = { lines, push, user, block, call, session, cwd, ticks, wait: ticks.wait };
  if (agent === undefined) {
    lines.push({ type: "permission-mode", permissionMode: "default", sessionId: session });
    push("attachment", { attachment: { type: "environment", content: "Platform: linux" } });
  }
  for (const step of script.steps) {
    if (step.kind === "user") prompt = ticks.uuid();
    writeStep(step, writer, agent !== undefined);
  }
  if (agent === undefined) lines.push({ type: "last-prompt", lastPrompt: "", leafUuid: parent, sessionId: session });
  return lines;
}

interface Writer {
  readonly lines: Json[];
  readonly session: string;
  readonly cwd: string;
  readonly ticks: Ticks;
  push(type: string, record: Json): string;
  user(content: unknown, more?: Json): void;
  block(content: Json): string;
  call(tool: Tool, answer: { text: string; failed?: boolean }): void;
  wait(minutes: number): void;
}

function writeStep(step: Step, writer: Writer, isAgent: boolean): void {
  const { kind, rest, body } = step;
  const tool = toolOf(step, writer.cwd);
  if (tool !== undefined) writeCall(step, tool, writer);
  else if (kind === "user") writer.user(body, isAgent ? {} : { permissionMode: "default", promptSource: "user" });
  else if (kind === "agent") writer.block({ type: "text", text: body });
  else if (kind === "think")
    writer.block({ type: "thinking", thinking: body, signature: `EqQB${writer.ticks.hex(40)}` });
  else if (kind === "wait") writer.wait(Number(rest));
  else writeSide(step, writer);
}

function writeSide({ kind, rest, body }: Step, { lines, push, user, block, session, ticks }: Writer): void {
  if (kind === "interrupt") user([{ type: "text", text: "[Request interrupted by user]" }]);
  else if (kind === "error") block({ type: "text", text: body });
  else if (kind === "compact") {
    push("system", { subtype: "compact_boundary", level: "info", isMeta: false, content: "Conversation compacted" });
    user(`This session is being continued from a previous conversation that ran out of context.\n\n${body}`, {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
  } else if (kind === "shell") {
    user(`<bash-input>${rest}</bash-input>`);
    user(`<bash-stdout>${body}</bash-stdout><bash-stderr></bash-stderr>`);
  } else if (kind === "hook") {
    push("attachment", {
      attachment: {
        type: "hook_additional_context",
        content: [body],
        hookName: "SessionStart",
        hookEvent: "SessionStart",
      },
    });
  } else if (kind === "instructions") {
    user(`<system-reminder>\nContents of CLAUDE.md (project instructions):\n\n${body}\n</system-reminder>`, {
      isMeta: true,
    });
  } else if (kind === "queued") {
    lines.push({
      type: "queue-operation",
      operation: "enqueue",
      timestamp: ticks.now(),
      sessionId: session,
      content: body,
    });
    lines.push({
      type: "queue-operation",
      operation: "remove",
      timestamp: ticks.now(),
      sessionId: session,
      content: body,
    });
    push("attachment", {
      attachment: { type: "queued_command", prompt: body, commandMode: "prompt", origin: { kind: "human" } },
    });
  }
}

function writeCall(step: Step, tool: Tool, { call }: Writer): void {
  if (step.kind === "deny") {
    const reason = step.body === "" ? "" : ` To tell you how to proceed, the user said:\n${step.body}`;
    call(tool, {
      text:
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
        `new_string was NOT written to the file).${reason === "" ? " STOP what you are doing and wait for the user to tell you how to proceed." : reason}`,
      failed: true,
    });
    return;
  }
  const text = step.kind === "task" ? halves(step.body)[1] : step.body;
  call(tool, step.exitCode === 0 ? { text } : { text: `Exit code ${step.exitCode}\n${text}`, failed: true });
}

function toolOf({ kind, rest, body }: Step, cwd: string): Tool | undefined {
  const path = rest.startsWith("/") || rest.startsWith("~") ? rest : `${cwd}/${rest}`;
  const [first, second] = halves(body);
  switch (kind) {
    case "run":
    case "deny":
      return { name: "Bash", input: { command: rest, description: `Run ${rest.split(/\s/)[0] ?? ""}` } };
    case "read":
      return { name: "Read", input: { file_path: path } };
    case "edit":
      return { name: "Edit", input: { file_path: path, old_string: first, new_string: second } };
    case "write":
      return { name: "Write", input: { file_path: path, content: body } };
    case "search":
      return { name: "Grep", input: { pattern: rest, output_mode: "content" } };
    case "fetch":
      return { name: "WebFetch", input: { url: rest, prompt: "What does the page say?" } };
    case "mcp":
      return { name: `mcp__${(rest.split(" ")[0] ?? "").replace(".", "__")}`, input: jsonAfterName(rest) };
    case "task":
      return { name: "Task", input: { description: rest, prompt: first, subagent_type: "Explore" } };
    default:
      return undefined;
  }
}

/** `server.tool {json}`. */
export function jsonAfterName(rest: string): Json {
  const at = rest.indexOf("{");
  return at === -1 ? {} : (JSON.parse(rest.slice(at)) as Json);
}
