/**
 * Lineage trust within one session. A line that came from outside does not become ours because a local tool printed it
 * again or the assistant repeated it: lines are remembered by hash, and who repeats one inherits its trust.
 */
import type { Trust } from "../../core/memory-record.ts";

/** Shorter lines (`}`, `return x;`, headings) occur everywhere. */
const MIN_LINE_CHARACTERS = 40;

export interface Lineage {
  /** Remembers the lines of a text whose trust is below that of local tools. */
  remember(text: string, trust: Trust): void;
  /** The least trust of any line in the text that is known from such a source; 3 where there is none. */
  trustOf(text: string): Trust;
  /** Share of the text's characters that stands in remembered lines, 0 … 1. */
  repeatedShare(text: string): number;
}

export function createLineage(): Lineage {
  const known = new Map<number, Trust>();
  const trustOfLine = (line: string): Trust => known.get(hashLine(line)) ?? 3;
  return {
    remember(text, trust) {
      for (const line of longLines(text)) {
        const key = hashLine(line);
        known.set(key, leastTrust(trust, known.get(key) ?? 3));
      }
    },
    trustOf: (text) =>
      known.size === 0 ? 3 : longLines(text).reduce<Trust>((least, line) => leastTrust(least, trustOfLine(line)), 3),
    repeatedShare(text) {
      if (known.size === 0) return 0;
      const repeated = longLines(text).filter((line) => trustOfLine(line) < 3);
      const total = text.replace(/\s+/g, " ").trim().length;
      return total === 0 ? 0 : Math.min(1, repeated.reduce((sum, line) => sum + line.length, 0) / total);
    },
  };
}

export function leastTrust(a: Trust, b: Trust): Trust {
  return a < b ? a : b;
}

/** Lines with white space folded and quotation, numbering and comment marks taken off, forty characters and longer. */
function longLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^[\s>|#*+/:\d.-]+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line.length >= MIN_LINE_CHARACTERS);
}

/** 53 bits of a multiplicative hash: enough that a session's lines do not collide; a collision only lowers trust. */
function hashLine(line: string): number {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}
