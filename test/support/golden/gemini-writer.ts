/** Golden sessions as Gemini CLI writes them: `format: jsonl`, or `format: json` for the older single document. */
import { createHash } from "node:crypto";
import { jsonAfterName } from "./claude-code-writer.ts";
import { halves, type Script, type Step } from "./notation.ts";
import type { Ticks } from "./ticks.ts";

type Json = Readonly<Record<string, unknown>>;

interface Call {
  readonly name: string;
  readonly args: Json;
  readonly output: Json;
  readonly status: string;
}

/** @returns The file's lines; one for the older form. */
export function writeGemini(script: Script, ticks: Ticks): Json[] {
  const { cwd = "/", format = "jsonl", hashOf = cwd } = script.head;
  const header = {
    sessionId: ticks.uuid(),
    projectHash: createHash("sha256").update(hashOf).digest("hex"),
    startTime: ticks.now(),
  };
  const lines: Json[] = [];
  let context = "";
  for (const step of script.steps) {
    if (step.kind === "wait") ticks.wait(Number(step.rest));
    else if (step.kind === "hook") context = `<hook_context>${step.body}</hook_context>\n\n`;
    else {
      const typed = step.kind === "user" ? { ...step, body: `${context}${step.body}` } : step;
      if (step.kind === "user") context = "";
      lines.push(...messagesOf(typed, ticks, cwd));
    }
  }
  const lastUpdated = ticks.now();
  if (format === "json") return [{ ...header, lastUpdated, messages: lastOfEach(lines) }];
  return [{ ...header, lastUpdated: header.startTime, kind: "main" }, ...lines, { $set: { lastUpdated } }];
}

function lastOfEach(lines: readonly Json[]): Json[] {
  return [...new Map(lines.filter((line) => "id" in line).map((line) => [line.id, line])).values()];
}

function messagesOf(step: Step, ticks: Ticks, cwd: string): Json[] {
  const { kind, rest, body } = step;
  const base = { id: ticks.uuid(), timestamp: ticks.now() };
  switch (kind) {
    case "user":
      return [{ ...base, type: "user", content: [{ text: body }] }];
    case "agent":
      return [geminiMessage(base, body, [])];
    case "think":
      return [
        {
          ...geminiMessage(base, "", []),
          thoughts: [{ subject: "Plan", description: body, timestamp: base.timestamp }],
        },
      ];
    case "interrupt":
      return [{ ...base, type: "info", content: "Request cancelled." }];
    case "error":
      return [{ ...base, type: "error", content: body }];
    case "compact":
      return [{ ...base, type: "info", content: `Chat history compressed: ${body}` }];
    case "shell":
      return [
        {
          ...base,
          type: "user",
          content: [
            {
              text: `I ran the following shell command:\n\`\`\`sh\n${rest}\n\`\`\`\n\nThis produced the following result:\n\`\`\`\n${body}\n\`\`\``,
            },
          ],
        },
      ];
    default:
      return callMessages(step, { base, ticks, cwd });
  }
}

function geminiMessage(base: Json, text: string, toolCalls: readonly Json[]): Json {
  return {
    ...base,
    type: "gemini",
    content: text,
    thoughts: [],
    tokens: { input: 9_120, output: 88, cached: 4_096, thoughts: 61, tool: 0, total: 9_269 },
    model: "gemini-3-pro-preview",
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function callMessages(step: Step, { base, ticks, cwd }: { base: Json; ticks: Ticks; cwd: string }): Json[] {
  const { name, args, output, status } = callOf(step, cwd);
  const id = `${name}-${ticks.hex(13)}`;
  const call = { id, name, args, timestamp: ticks.now() };
  const result = [{ functionResponse: { id, name, response: output } }];
  const done = geminiMessage(base, "", [
    { ...call, status, result, resultDisplay: String(output.output ?? output.error) },
  ]);
  const echo = { id: ticks.uuid(), timestamp: ticks.now(), type: "user", content: result };
  const refusal = step.kind === "deny" && step.body !== "" ? messagesOf({ ...step, kind: "user" }, ticks, cwd) : [];
  return [geminiMessage(base, "", [{ ...call, status: "executing" }]), done, echo, ...refusal];
}

function callOf({ kind, rest, body, exitCode }: Step, cwd: string): Call {
  const path = rest.startsWith("/") ? rest : `${cwd}/${rest}`;
  const [old, next] = halves(body);
  const status = "success";
  switch (kind) {
    case "edit":
      return {
        name: "replace",
        args: { file_path: path, instruction: "Change it.", old_string: old, new_string: next },
        output: { output: `Successfully modified file: ${path} (1 replacements).` },
        status,
      };
    case "write":
      return {
        name: "write_file",
        args: { file_path: path, content: body },
        output: { output: `Successfully created and wrote to new file: ${path}.` },
        status,
      };
    case "read":
      return { name: "read_file", args: { file_path: path }, output: { output: body }, status };
    case "search":
      return { name: "search_file_content", args: { pattern: rest }, output: { output: body }, status };
    case "fetch":
      return { name: "web_fetch", args: { prompt: `Read ${rest}` }, output: { output: body }, status };
    case "mcp":
      return {
        name: `mcp_${(rest.split(" ")[0] ?? "").replace(".", "_")}`,
        args: jsonAfterName(rest),
        output: { output: body },
        status,
      };
    case "deny":
      return {
        name: "run_shell_command",
        args: { command: rest },
        output: { error: "[Operation Cancelled] Reason: User denied execution." },
        status: "cancelled",
      };
    default: {
      const code = exitCode === 0 ? "" : `\nExit Code: ${exitCode}`;
      const output = { output: `Output: ${body === "" ? "(empty)" : body}${code}\nProcess Group PGID: 41${exitCode}7` };
      return { name: "run_shell_command", args: { command: rest, description: "Runs it." }, output, status };
    }
  }
}
