/** R11: a situation that has nothing to do with its fact would bring the fact up at the wrong time. */
import type { Fact } from "../../../core/memory-record.ts";
import { canonicalWords } from "../../../text/shingles.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import { extractSymbols, normaliseSymbol } from "../../../text/symbols.ts";
import { claimOf } from "./fact-rule.ts";

export const TRIGGER_RULE = "R11";
const SYMBOLS_IN_TRIGGER = 3;

export interface TriggerVerdict {
  readonly fact: Fact;
  /** The remaining situation was made by rule from title and symbols. */
  readonly made: boolean;
  readonly dropped: readonly string[];
}

/** @param cosines - One for each phrase of `whenToUse`, in order. */
export function checkTriggers(fact: Fact, cosines: readonly number[], threshold: number): TriggerVerdict {
  const dropped = fact.whenToUse.filter((when, at) => (cosines[at] ?? 1) < threshold && !sharesWords(when, fact));
  if (dropped.length === 0) return { fact, made: false, dropped };
  const kept = fact.whenToUse.filter((when) => !dropped.includes(when));
  if (kept.length > 0) return { fact: { ...fact, whenToUse: kept }, made: false, dropped };
  return { fact: { ...fact, whenToUse: [madeTrigger(fact)] }, made: true, dropped };
}

function madeTrigger({ title, symbols }: Fact): string {
  const named = symbols.slice(0, SYMBOLS_IN_TRIGGER).join(", ");
  return named === "" ? `when this matters: ${title}` : `when working with ${named}: ${title}`;
}

/** A shared symbol or telling word makes a phrase belong, whatever its vector says. */
function sharesWords(when: string, fact: Fact): boolean {
  const own = new Set([...fact.symbols.map(normaliseSymbol), ...tellingWords(claimOf(fact))]);
  return [...extractSymbols(when).map(normaliseSymbol), ...tellingWords(when)].some((word) => own.has(word));
}

function tellingWords(text: string): string[] {
  return canonicalWords(text).filter((word) => word.length > 3 && !isStopWord(word));
}
