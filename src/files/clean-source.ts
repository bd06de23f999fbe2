/**
 * A file's text as it may be kept: without secrets, without what its writer marked `<private>`, without blocks of our
 * own that an agent pasted. Every other line stays at its number, so that a piece found by search can be opened.
 */
import { splitLines } from "./chunk-markdown.ts";

/** Replaces secrets. A secret of several lines may become a placeholder of one. */
export type Redact = (text: string) => string | Promise<string>;

/** Spans that are closed, and not in backticks: there somebody writes about the tag. */
const TAKEN_OUT = /(?<!`)<(private|arcticmem-[a-z]+)\b[^<>]{0,200}>[\s\S]*?<\/\1\s*>/gi;
/** How far below a placeholder the text may go on: no key is longer. */
const MAX_SECRET_LINES = 200;

/** @returns As many lines as `text` has, `\n` between them. */
export async function cleanSource(text: string, redact: Redact): Promise<string> {
  const open = splitLines(text.replace(TAKEN_OUT, (span) => span.replace(/[^\r\n]+/g, "")));
  const redacted = splitLines(await redact(open.join("\n")));
  return (redacted.length === open.length ? redacted : realign(open, redacted)).join("\n");
}

/**
 * Puts the lines that a placeholder swallowed back as blank ones. A line that changed holds a placeholder; where the
 * next line stands in the original tells how many lines it replaced.
 */
function realign(original: readonly string[], redacted: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [at, line] of redacted.entries()) {
    lines.push(line);
    if (line === original[lines.length - 1]) continue;
    const next = redacted[at + 1];
    const end = next === undefined ? original.length : original.indexOf(next, lines.length);
    const swallowed = end - lines.length;
    if (swallowed > 0 && (next === undefined || swallowed < MAX_SECRET_LINES)) {
      lines.push(...Array<string>(swallowed).fill(""));
    }
  }
  return Array.from(original, (_, at) => lines[at] ?? "");
}
