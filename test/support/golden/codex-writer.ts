/** Golden sessions as Codex writes them: `format: new` without `user_message` events, `format: events` with both streams. */
import { jsonAfterName } from "./claude-code-writer.ts";
import { halves, type Script, type Step } from "./notation.ts";
import type { Ticks } from "./ticks.ts";

type Json = Readonly<Record<string, unknown>>;

interface Writer {
  readonly lines: Json[];
  readonly cwd: string;
  readonly ticks: Ticks;
  readonly isNew: boolean;
  item(payload: Json): void;
  event(payload: Json): void;
}

export function writeCodex(script: Script, ticks: Ticks): Json[] {
  const { cwd = "/", branch = "main", format = "new" } = script.head;
  const lines: Json[] = [];
  const isNew = format === "new";
  const push = (type: string, payload: Json): void => {
    const ordinal = isNew ? { ordinal: lines.length } : {};
    lines.push({ timestamp: ticks.now(), ...ordinal, type, payload });
  };
  const id = ticks.uuid();
  const meta = {
    id,
    ...(isNew ? { session_id: id } : {}),
    timestamp: ticks.now(),
    cwd,
    originator: "codex_cli_rs",
    cli_version: isNew ? "0.171.0" : "0.46.0",
    source: "cli",
    model_provider: "openai",
    git: { commit_hash: ticks.hex(40), branch },
  };
  push("session_meta", meta);
  push("turn_context", {
    cwd,
    approval_policy: "on-request",
    sandbox_policy: { mode: "workspace-write" },
    model: "gpt-5.5-codex",
  });
  const writer: Writer = {
    lines,
    cwd,
    ticks,
    isNew,
    item: (payload) => push("response_item", payload),
    event: (payload) => push("event_msg", payload),
  };
  injected(
    writer,
    `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>`,
    "environments.environment_context",
  );
  for (const step of script.steps) {
    if (step.kind === "fork") {
      const replayed = lines.slice(1);
      push("session_meta", { ...meta, id: ticks.uuid(), forked_from_id: id });
      for (const line of replayed) lines.push({ ...line, timestamp: ticks.now() });
    } else if (step.kind === "compact") {
      push("compacted", { message: step.body, replacement_history: null });
    } else if (step.kind === "wait") ticks.wait(Number(step.rest));
    else writeStep(step, writer);
  }
  return lines;
}

function injected({ item, isNew }: Writer, text: string, kind: string): void {
  item({
    type: "message",
    role: kind.startsWith("hooks.") ? "developer" : "user",
    content: [{ type: "input_text", text }],
    ...(isNew ? { internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] } } : {}),
  });
}

function writeStep(step: Step, writer: Writer): void {
  const { kind, rest, body } = step;
  const { item, event, isNew, ticks, cwd } = writer;
  switch (kind) {
    case "user":
    case "queued":
      injected(writer, body, "user.text");
      if (isNew)
        event({
          type: "item_completed",
          item: { type: "UserMessage", id: ticks.hex(8), content: [{ type: "text", text: body }] },
        });
      else event({ type: "user_message", message: body, kind: "plain" });
      return;
    case "agent":
      event({ type: "agent_message", message: body });
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: body }] });
      return;
    case "think":
      item({
        type: "reasoning",
        summary: [{ type: "summary_text", text: body }],
        encrypted_content: ticks.hex(60),
      });
      return;
    case "hook":
      injected(writer, body, "hooks.additional_context");
      return;
    case "instructions":
      injected(
        writer,
        `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${body}\n</INSTRUCTIONS>`,
        "agents_md.instructions",
      );
      return;
    case "interrupt":
      injected(
        writer,
        "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
        "session.turn_aborted",
      );
      event({ type: "turn_aborted", reason: "interrupted" });
      return;
    case "error":
      event({ type: "error", message: body });
      return;
    case "shell":
      injected(
        writer,
        `<user_shell_command>\n<command>\n${rest}\n</command>\n<result>\nExit code: 0\nDuration: 0.0310 seconds\nOutput:\n${body}\n</result>\n</user_shell_command>`,
        "session.user_shell_command",
      );
      return;
    default:
      writeCall(step, writer);
      return;
  }
}

function writeCall(step: Step, writer: Writer): void {
  const { kind, rest, body, exitCode } = step;
  const { item, ticks, cwd } = writer;
  const callId = `call_${ticks.hex(24)}`;
  if (kind === "edit" || kind === "write") {
    writePatch(step, callId, writer);
    return;
  }
  if (kind === "mcp") {
    const name = `mcp__${(rest.split(" ")[0] ?? "").replace(".", "__")}`;
    item({ type: "function_call", name, arguments: JSON.stringify(jsonAfterName(rest)), call_id: callId });
    item({
      type: "function_call_output",
      call_id: callId,
      output: JSON.stringify([{ type: "text", text: body }]),
    });
    return;
  }
  const command = commandOf(kind, rest);
  if (writer.isNew) {
    item({
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: command, workdir: cwd }),
      call_id: callId,
    });
  } else {
    const args = { command: ["bash", "-lc", command], workdir: cwd, timeout_ms: 120_000 };
    item({ type: "function_call", name: "shell", arguments: JSON.stringify(args), call_id: callId });
  }
  if (kind === "deny") {
    item({ type: "function_call_output", call_id: callId, output: "exec command rejected by user" });
    if (body !== "") writeStep({ ...step, kind: "user", rest: "" }, writer);
    return;
  }
  writeOutput(writer, { callId, command, body, exitCode });
}

interface Output {
  readonly callId: string;
  readonly command: string;
  readonly body: string;
  readonly exitCode: number;
}

function writeOutput({ item, event, isNew, ticks }: Writer, { callId, command, body, exitCode }: Output): void {
  if (isNew) {
    const head = `Chunk ID: ${ticks.hex(6)}\nWall time: 0.4120 seconds\nProcess exited with code ${exitCode}`;
    const output = `${head}\nOriginal token count: ${Math.ceil(body.length / 4)}\nOutput:\n${body}\n`;
    item({ type: "function_call_output", call_id: callId, output });
    return;
  }
  event({
    type: "exec_command_end",
    call_id: callId,
    command: ["bash", "-lc", command],
    exit_code: exitCode,
    aggregated_output: body,
  });
  const output = JSON.stringify({ output: `${body}\n`, metadata: { exit_code: exitCode, duration_seconds: 0.4 } });
  item({ type: "function_call_output", call_id: callId, output });
}

function writePatch({ kind, rest, body }: Step, callId: string, { item }: Writer): void {
  const [old, next] = halves(body);
  const mark = (sign: string, text: string): string =>
    text
      .split("\n")
      .map((line) => `${sign}${line}`)
      .join("\n");
  const change =
    kind === "write"
      ? `*** Add File: ${rest}\n${mark("+", body)}`
      : `*** Update File: ${rest}\n@@\n${mark("-", old)}\n${mark("+", next)}`;
  item({
    type: "custom_tool_call",
    status: "completed",
    call_id: callId,
    name: "apply_patch",
    input: `*** Begin Patch\n${change}\n*** End Patch`,
  });
  const output = `Success. Updated the following files:\n${kind === "write" ? "A" : "M"} ${rest}\n`;
  item({
    type: "custom_tool_call_output",
    call_id: callId,
    output: JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0 } }),
  });
}

function commandOf(kind: Step["kind"], rest: string): string {
  if (kind === "read") return `sed -n '1,200p' ${rest}`;
  if (kind === "search") return `rg -n '${rest}'`;
  if (kind === "fetch") return `curl -sL ${rest}`;
  return rest;
}
