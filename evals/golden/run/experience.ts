/**
 * F17: an agent follows what it is told was done before, so a bad experience is copied. What a session taught that did
 * not prove itself stays out of what the next agent is given unasked, until a person confirms it.
 */
import type { MemoryRecord } from "../../../src/internals.ts";
import type { EvalMemory } from "./open-case.ts";
import { linesAtStart } from "./served.ts";

export interface Experience {
  /** Titles of memories that nobody confirmed yet, what a rule took from the user's own words left out. */
  readonly unconfirmed: readonly string[];
  /** Of those, shown at the start of the next session. */
  readonly shown: readonly string[];
  /** Of those, shown once a person confirmed them. Without this nothing shown would be no merit. */
  readonly shownConfirmed: readonly string[];
}

/** Confirms memories: nothing else may be asked of this memory afterwards. */
export async function experienceOf(memory: EvalMemory, facts: readonly MemoryRecord[], now: Date): Promise<Experience> {
  const unconfirmed = facts.filter((fact) => fact.status === "provisional" && !isStatedByRule(fact));
  const before = await linesAtStart(memory, now);
  for (const { id } of unconfirmed) await memory.keep.confirm(id);
  const after = unconfirmed.length === 0 ? [] : await linesAtStart(memory, now);
  const shownIn = (lines: readonly string[]): string[] =>
    unconfirmed.flatMap(({ title }) => (lines.some((line) => line.includes(title)) ? [title] : []));
  return { unconfirmed: unconfirmed.map(({ title }) => title), shown: shownIn(before), shownConfirmed: shownIn(after) };
}

function isStatedByRule({ source, provenance }: MemoryRecord): boolean {
  return source === "user_stated" && provenance.every(({ extractor }) => extractor.startsWith("rules/"));
}
