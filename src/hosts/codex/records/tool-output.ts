/** What Codex writes of a tool's answer: a text, a JSON text with the exit code beside it, or a list of contents. */
import {
  isObject,
  type JsonObject,
  listIn,
  numberIn,
  objectIn,
  parseObject,
  textIn,
} from "../../../core/json/json-values.ts";
import { REFUSED, type ToolEnding } from "../../normal-form/record-steps.ts";

/** Stands before the output of a command; the text in between changes with versions. */
const COMMAND_HEAD =
  /^(?:Chunk ID: [^\n]*\n)?(?:(?:Wall time|Exit code|Duration): [^\n]*\n|Process (?:exited with code|running with session ID) [^\n]*\n|(?:Original token count|Total output lines): [^\n]*\n)+(?:Output:\n?)?/;
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d{1,5})$/m;
const STILL_RUNNING = /^Process running with session ID /m;
const REJECTED = /^(?:exec command |patch |command )?rejected by (?:the )?user\b|^(?:exec|tool) .{0,40}denied\b/i;
const FAILED =
  /^(?:aborted by user\b|failed in sandbox\b|execution error\b|apply_patch verification failed\b|unsupported call\b|failed to )/i;

/** @param output - `string`, `{content, success}`, or a list of contents. */
export function readToolOutput(output: unknown): ToolEnding {
  const raw = outputText(output);
  const inner = raw.startsWith("{") ? parseObject(raw) : undefined;
  const text = textIn(inner, "output");
  if (inner !== undefined && text !== undefined) {
    return judged(text, numberIn(objectIn(inner, "metadata"), "exit_code"), undefined);
  }
  return judged(raw, undefined, successOf(output));
}

/** @param stated - The exit code where it stands beside the text. */
function judged(raw: string, stated: number | undefined, success: boolean | undefined): ToolEnding {
  const head = COMMAND_HEAD.exec(raw)?.[0] ?? "";
  const told = EXIT_CODE.exec(head)?.[1];
  const exitCode = stated ?? (told === undefined ? undefined : Number(told));
  const text = raw.slice(head.length).replace(/\s+$/, "");
  if (REJECTED.test(text)) return REFUSED;
  if (exitCode !== undefined) return { text, status: exitCode === 0 ? "ok" : "error", exitCode };
  if (STILL_RUNNING.test(head)) return { text, status: "unknown" };
  return { text, status: success === false || FAILED.test(text) ? "error" : "ok" };
}

function successOf(output: unknown): boolean | undefined {
  return isObject(output) && typeof output.success === "boolean" ? output.success : undefined;
}

function outputText(output: unknown): string {
  if (typeof output === "string") return contentsIn(output) ?? output;
  if (Array.isArray(output)) return partsText(output);
  return textIn(output, "content") ?? partsText(listIn(output, "content"));
}

/** Answers of MCP tools are a list of contents, as JSON. */
function contentsIn(text: string): string | undefined {
  if (!text.startsWith("[{")) return undefined;
  const wrapped: JsonObject | undefined = parseObject(`{"content":${text}}`);
  const parts = listIn(wrapped, "content");
  return parts.length > 0 && parts.every((part) => textIn(part, "type") !== undefined) ? partsText(parts) : undefined;
}

function partsText(parts: readonly unknown[]): string {
  return parts
    .map((part) => textIn(part, "text") ?? (textIn(part, "type")?.includes("image") === true ? "[image]" : ""))
    .filter((text) => text !== "")
    .join("\n");
}
