/**
 * A span shortened by rule: what its reader needs first, in the order of the span. It is what the model is given to
 * summarise, and, cut to its allocation, what stands in for a summary that failed.
 */
import type { Turn } from "../../../core/session.ts";
import { cleanLine, cutAt } from "../../../text/clean.ts";
import { errorSignatures } from "../../../text/error-signature.ts";
import { renderTurn } from "../render-turns.ts";
import type { Span } from "./spans.ts";

/** What a call may read of one span. */
export const DIGEST_CHARACTERS = 24_000;
const COMMAND_CHARACTERS = 160;
const MAX_COMMANDS = 40;
/** Share of the space that the first and last words of the assistant may take. */
const WORDS_SHARE = 0.5;
const HEAD_SHARE = 0.6;

/** At most `limit` characters; the span itself where it fits. Deterministic. */
export function digestSpan(span: Span, limit: number, isVerification: (turn: Turn) => boolean): string {
  if (span.text.length <= limit) return span.text;
  const sections = [
    ...assistantWords(span, Math.floor(limit * WORDS_SHARE)),
    ...labelled("errors", signaturesOf(span)),
    ...verificationLines(span, isVerification),
    ...labelled("commands", commandsOf(span)),
  ];
  const body = fill(sections, limit);
  const rest = limit - body.length - 1;
  return rest < 200 ? body : `${body}\n${headAndTail(span.text, rest)}`;
}

function assistantWords({ turns }: Span, limit: number): string[] {
  const words = turns.filter(({ kind, text }) => kind === "assistant" && text.trim() !== "");
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return [];
  const firstParagraph = line(first, paragraphsOf(first.text)[0] ?? "", first === last ? limit : limit / 2);
  const lastParagraph = line(last, paragraphsOf(last.text).at(-1) ?? "", limit / 2);
  return firstParagraph === lastParagraph ? [firstParagraph] : [firstParagraph, lastParagraph];
}

function line(turn: Turn, text: string, limit: number): string {
  return shorten(renderTurn({ ...turn, text }), Math.floor(limit));
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
}

function signaturesOf({ turns }: Span): string[] {
  const signatures = turns.filter(({ kind }) => kind === "tool_result").flatMap(({ text }) => errorSignatures(text));
  return [...new Set(signatures)].slice(0, 12);
}

function verificationLines({ turns }: Span, isVerification: (turn: Turn) => boolean): string[] {
  const calls = new Set(turns.filter(isVerification).map(({ tool }) => tool?.callId));
  const results = turns.filter(
    ({ kind, tool }) => kind === "tool_result" && tool?.callId !== undefined && calls.has(tool.callId),
  );
  return results.map((turn) => renderTurn({ ...turn, text: lastLines(turn.text) }));
}

/** Runners put their verdict last. */
function lastLines(text: string): string {
  const lines = text.split("\n").filter((candidate) => candidate.trim() !== "");
  return shorten(lines.slice(-4).join("\n"), 400);
}

function commandsOf({ turns }: Span): string[] {
  const commands = turns
    .filter(({ kind }) => kind === "tool_call")
    .map(({ tool, text }) => cleanLine(`${tool?.name ?? ""} ${tool?.args ?? text}`, COMMAND_CHARACTERS));
  return [...new Set(commands)].slice(0, MAX_COMMANDS);
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${label}: ${lines.join(" | ")}`];
}

/** Section after section, the last one cut. */
function fill(sections: readonly string[], limit: number): string {
  let text = "";
  for (const section of sections) {
    const separator = text === "" ? "" : "\n";
    const room = limit - text.length - separator.length;
    if (room < 40) break;
    text += separator + shorten(section, room);
  }
  return text;
}

function headAndTail(text: string, limit: number): string {
  const mark = "\n[…]\n";
  const room = limit - mark.length;
  const head = cutAt(text, Math.floor(room * HEAD_SHARE));
  return head + mark + text.slice(text.length - (room - head.length));
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutAt(text, Math.max(0, limit - 1))}…`;
}
