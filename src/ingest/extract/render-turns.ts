/**
 * Turns as lines that a model reads and cites: `[t12 human] …`. The role stands in every line, so that what a user said
 * can't be taken for what the agent said, however the transcript is cut.
 */
import type { Turn } from "../../core/session.ts";
import { cleanLine } from "../../text/clean.ts";
import { neutraliseHeads } from "../prompts/boundary.ts";

const TOOL_NAME_CHARACTERS = 60;

/** One turn with its head. What a person wrote stands there unchanged; in all else, forged heads lose their bracket. */
export function renderTurn(turn: Turn): string {
  const text = turn.kind === "human" ? turn.text : neutraliseHeads(bodyOf(turn));
  return `[t${turn.index} ${headOf(turn)}] ${text}`;
}

export function renderTurns(turns: readonly Turn[]): string {
  return turns.map(renderTurn).join("\n");
}

/** Everything that a turn says: its text, and what a tool was called with. */
export function bodyOf(turn: Turn): string {
  const args = turn.kind === "tool_call" ? (turn.tool?.args ?? "") : "";
  return args === "" || turn.text.includes(args) ? turn.text : `${args}\n${turn.text}`.trimEnd();
}

function headOf(turn: Turn): string {
  const parts = [roleOf(turn)];
  if (turn.kind === "tool_result") parts.push(statusOf(turn));
  if (turn.origin === "tool_external" || turn.trust === 1) parts.push("external");
  if (turn.failedSpan === true) parts.push("part of a failed attempt");
  if (turn.repeats !== undefined && turn.repeats > 0) parts.push(`and ${turn.repeats} times more`);
  return parts.filter((part) => part !== "").join(", ");
}

function roleOf({ kind, tool }: Turn): string {
  const name = cleanLine((tool?.name ?? "").replace(/[[\]]/g, ""), TOOL_NAME_CHARACTERS);
  switch (kind) {
    case "human":
    case "assistant":
    case "event":
      return kind;
    case "tool_call":
      return `call ${name}`.trim();
    case "tool_result":
      return `result ${name}`.trim();
    default:
      return kind satisfies never;
  }
}

function statusOf({ tool }: Turn): string {
  const status = tool?.status ?? "unknown";
  const code = tool?.exitCode;
  if (status === "error" && code !== undefined) return `error ${code}`;
  return status === "unknown" ? "" : status;
}
