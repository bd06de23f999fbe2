/**
 * Looks, independently of the pipeline, whether a stored memory stands on its session: its quotes occur in the raw
 * transcript, and so does every number and every name with code's spelling.
 */
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { Session } from "../../src/core/session.ts";

export interface GroundingCheck {
  /** Letters and digits of all turns. */
  readonly folded: string;
  readonly raw: string;
}

export function prepareCheck(session: Session): GroundingCheck {
  const raw = session.turns
    .map(({ text, tool, at }) => [tool?.name ?? "", tool?.args ?? "", text, at?.toISOString() ?? ""].join("\n"))
    .join("\n")
    .toLowerCase();
  return { folded: fold(raw), raw };
}

/** @returns What of the memory the session does not bear out; empty where all is well. */
export function ungroundedParts(memory: MemoryRecord, check: GroundingCheck): string[] {
  const quotes = memory.provenance.filter(({ kind }) => kind === "session").map(({ quote }) => quote ?? "");
  const found = quotes.filter((quote) => holdsQuote(check, quote));
  const problems = found.length === 0 ? [`no quote stands in the session: ${JSON.stringify(quotes)}`] : [];
  for (const name of namesIn(`${memory.title}\n${memory.content}`)) {
    if (!check.raw.includes(name.toLowerCase()) && !check.folded.includes(fold(name))) {
      problems.push(`${name} is not in the session`);
    }
  }
  return problems;
}

/** Near quotes count: nine in ten of its five-letter pieces occur. Placeholders of secrets stand for anything. */
function holdsQuote({ folded }: GroundingCheck, quote: string): boolean {
  const parts = quote.split(/\[REDACTED:[^\]]*\]|…/).map(fold);
  return parts.every((part) => {
    if (folded.includes(part)) return true;
    const pieces = Array.from({ length: Math.max(0, part.length - 4) }, (_, at) => part.slice(at, at + 5));
    return pieces.length > 0 && pieces.filter((piece) => folded.includes(piece)).length >= pieces.length * 0.9;
  });
}

/** Numbers, and words spelt as only code spells them. */
function namesIn(text: string): string[] {
  const names =
    text.match(/\b\d+(?:\.\d+)*\b|\b[a-z]+(?:_[a-z\d]+)+\b|\b[a-z]+[A-Z][A-Za-z]+\b|(?<=`)[^`\n]+(?=`)/g) ?? [];
  return [...new Set(names)];
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
