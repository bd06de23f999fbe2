/** User records: what a person typed, what the harness wrote in a person's place, and results of tools. */
import { dateIn, isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import {
  callStep,
  humanStep,
  interruptedStep,
  type RecordContext,
  type RecordStep,
  resultStep,
  taskStep,
  toolUse,
  turnStep,
} from "../../normal-form/record-steps.ts";
import { isMachinePrompt, userText } from "./record-texts.ts";
import { readToolResult } from "./tool-results.ts";

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;
const SHELL_INPUT = /<bash-input>([\s\S]*?)<\/bash-input>/;
const SHELL_OUTPUT = /<bash-(?:stdout|stderr)>([\s\S]*?)<\/bash-(?:stdout|stderr)>/g;

export function readUserRecord(record: JsonObject, context: RecordContext): RecordStep[] {
  const results = listIn(objectIn(record, "message"), "content")
    .filter(isObject)
    .filter((block) => block.type === "tool_result")
    .flatMap((block) => readResult(block, record, context));
  const text = userText(record);
  return text.trim() === "" ? results : [...results, ...readText(record, text, context)];
}

function readText(record: JsonObject, text: string, { isAgent }: RecordContext): RecordStep[] {
  const at = dateIn(record, "timestamp");
  if (record.isMeta === true) {
    return [
      { kind: "injected", text },
      { kind: "ignored", type: "user/meta" },
    ];
  }
  if (record.isCompactSummary === true) return [turnStep({ kind: "event", text, origin: "model", at })];
  if (INTERRUPTED.test(text.trim())) return [interruptedStep(at)];
  if (isAgent) return [taskStep(text, at)];
  if (isMachinePrompt(record, text)) return [turnStep({ kind: "event", text, origin: "tool_local", at })];
  return [...readShell(text, at), humanStep(text, at)];
}

/** Commands that the user ran from the prompt (`! git reset --hard`): they tell what the user thought of the work. */
function readShell(text: string, at: Date | undefined): RecordStep[] {
  const args = SHELL_INPUT.exec(text)?.[1]?.trim() ?? "";
  const output = Array.from(text.matchAll(SHELL_OUTPUT), (match) => match[1] ?? "");
  const told = output.join("\n").trim();
  return [
    ...(args === "" ? [] : [callStep({ tool: { name: "Bash" }, args, origin: "human", at })]),
    ...(output.length === 0
      ? []
      : [resultStep({ tool: { name: "Bash", status: "unknown" }, text: told, origin: "tool_local", at })]),
  ];
}

function readResult(block: JsonObject, record: JsonObject, { calls }: RecordContext): RecordStep[] {
  const at = dateIn(record, "timestamp");
  const call = calls.get(textIn(block, "tool_use_id") ?? "");
  const { callId, refusal, ...ending } = readToolResult(block, record, call?.name);
  const tool = toolUse(call?.name ?? "unknown", callId, ending);
  const result = resultStep({ tool, text: ending.text, origin: call?.origin ?? "tool_local", at });
  return refusal === undefined ? [result] : [result, humanStep(refusal, at)];
}
