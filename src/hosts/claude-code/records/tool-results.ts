/** Reads one `tool_result` block: its text, how the call ended, and what the user said when refusing it. */
import { given } from "../../../core/given.ts";
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import type { ToolStatus } from "../../../core/session.ts";
import { REFUSED, type ToolEnding } from "../../normal-form/record-steps.ts";
import { isShell } from "./tool-origin.ts";

export interface ToolResult extends ToolEnding {
  readonly callId: string | undefined;
  /** What the user gave as the reason for a refusal: typed by a person. */
  readonly refusal?: string;
}

const REFUSAL =
  /^(?:Error: )?The user (?:doesn't|does not) want to (?:proceed with this tool use|take this action right now)/;
const REFUSAL_REASON =
  /(?:To tell you how to proceed, the user said:|The user provided the following reason for the rejection:)\s*([\s\S]+)$/;
/** Follows the user's words in a canned refusal. */
const REFUSAL_NOTE = /\n+Note: The user's next message[\s\S]*$/;
const BLOCKED =
  /^(?:Error: )?(?:<tool_use_error>)?(?:Permission to use \S+(?: with [\s\S]{0,400}?)? has been denied|This (?:command|Bash command|tool) [\s\S]{0,80}requires approval|Claude requested permissions to|\w+(?::\w+)? hook (?:error|blocked|denied)|User rejected|\[Request interrupted by user)/;
const EXIT_CODE = /^(?:Error: )?(?:Exit code|Command failed with exit code)[ :]+(\d{1,3})\b/;
const DENIALS = /deny|denied|reject/i;

/**
 * @param block - The `tool_result` block.
 * @param record - The record that holds it, with Claude Code's own `toolUseResult` beside the message.
 * @param toolName - Undefined where the call was not seen.
 */
export function readToolResult(block: JsonObject, record: JsonObject, toolName: string | undefined): ToolResult {
  const text = resultText(block, record);
  const refusal = REFUSAL_REASON.exec(text)?.[1]?.replace(REFUSAL_NOTE, "").trim();
  const status = statusOf(block, record, text);
  const exitCode = exitCodeOf(text, status, toolName);
  return {
    callId: textIn(block, "tool_use_id"),
    text: status === "denied" && REFUSAL.test(text) ? REFUSED.text : text,
    status,
    ...given({ exitCode }),
    ...(status === "denied" && refusal !== undefined && refusal !== "" ? { refusal } : {}),
  };
}

function statusOf(block: JsonObject, record: JsonObject, text: string): ToolStatus {
  const decision = textIn(record, "permissionDecision") ?? textIn(objectIn(record, "permissionDecision"), "behavior");
  if (decision !== undefined && DENIALS.test(decision)) return "denied";
  if (REFUSAL.test(text)) return "denied";
  const failed = block.is_error === true || text.startsWith("<tool_use_error>");
  if (failed && BLOCKED.test(text)) return "denied";
  if (failed || objectIn(record, "toolUseResult")?.interrupted === true) return "error";
  return "ok";
}

function exitCodeOf(text: string, status: ToolStatus, toolName: string | undefined): number | undefined {
  if (!isShell(toolName ?? "")) return undefined;
  const stated = EXIT_CODE.exec(text)?.[1];
  if (stated !== undefined) return Number(stated);
  return status === "ok" ? 0 : undefined;
}

function resultText(block: JsonObject, record: JsonObject): string {
  const content = block.content;
  const text = typeof content === "string" ? content : blocksText(listIn(block, "content"));
  if (text.trim() !== "") return text;
  const structured = objectIn(record, "toolUseResult");
  const streams = [textIn(structured, "stdout"), textIn(structured, "stderr")];
  return streams.filter((stream) => stream !== undefined && stream.trim() !== "").join("\n");
}

/** The text of content blocks, with a mark for each picture or document. */
export function blocksText(blocks: readonly unknown[]): string {
  return blocks
    .filter(isObject)
    .map((block) => {
      const type = textIn(block, "type");
      if (type === "text") return textIn(block, "text") ?? "";
      return type === "image" || type === "document" ? mediaMark(block, type) : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

function mediaMark(block: JsonObject, type: string): string {
  const source = objectIn(block, "source");
  const bytes = Math.floor(((textIn(source, "data") ?? "").length * 3) / 4);
  const size = bytes > 0 ? `, ${bytes} bytes` : "";
  return `[${type} ${textIn(source, "media_type") ?? textIn(source, "type") ?? "file"}${size}]`;
}
