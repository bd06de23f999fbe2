/**
 * The prompt that sets new facts beside the memories that exist. Two questions, because models overlook what a fact makes
 * untrue: what to do with each fact, and for each memory that it may contradict, whether it still holds.
 */
import type { MemoryRecord } from "../../core/memory-record.ts";
import { daysBetween } from "../../core/time/days.ts";
import type { IncomingFact } from "../lifecycle/decision.ts";
import { type Boundary, SENTINEL_LINE } from "./boundary.ts";
import { type Prompt, section } from "./extract-facts.ts";
import { strictObject } from "./fact-schema.ts";

/** Raised with every change of wording. */
export const CLASSIFY_LIFECYCLE_VERSION = 1;

export interface LifecyclePromptInput {
  readonly boundary: Boundary;
  readonly facts: readonly IncomingFact[];
  /** By number. */
  readonly candidates: ReadonlyMap<number, MemoryRecord>;
  readonly now: Date;
}

const OPERATIONS = [
  "ADD: the fact is new. Also whenever you are unsure.",
  "UPDATE: the memory makes the same claim and the fact states it better or adds to it. Write the merged text.",
  "DELETE: the fact shows that the memory is no longer true. The fact is stored in its place.",
  "NONE: the memory already says all of it.",
];
const RELATIONS = [
  "same: one claim in other words",
  "refines: the same claim, sharper or more complete",
  "contradicts: both can't be true",
  "outdates: the memory was true and the fact shows what holds now",
  "separate: another matter",
];
const RULES = [
  "Settle the relation first, then the operation that follows from it.",
  "`target` is the number of the memory, null for ADD. `fact` is the letter.",
  "`merged` is null unless the operation is UPDATE. It keeps every number, name, version, condition, negation and hedge of the memory, and says nothing more surely than either source.",
  "For DELETE quote the words of the new fact's evidence, and say in a sentence what changed.",
  "In `verdicts` answer for every memory that speaks of the same thing as a fact: is it still true, given the fact? yes, no, or cant_tell. Look for memories with another value for the same setting, tool, version, port, owner or rule: they are easily overlooked.",
  "Do not decide by age: when a thing happened is known to us.",
];

export function classifyLifecyclePrompt(input: LifecyclePromptInput): Prompt {
  const { boundary, facts, candidates } = input;
  const system = [
    SENTINEL_LINE,
    "You keep a store of memories consistent. Compare new facts (letters) with memories that exist (numbers) and decide about each fact.",
    boundary.rule,
    section("Operations", OPERATIONS),
    section("Relations", RELATIONS),
    section("Rules", RULES),
    "One decision for each fact.",
  ].join("\n\n");
  const prompt = [
    `New facts:\n${boundary.wrap(facts.map(factLines).join("\n\n"))}`,
    `Memories:\n${boundary.wrap([...candidates].map((entry) => memoryLines(entry, input.now)).join("\n\n"))}`,
  ].join("\n\n");
  return { system, prompt, schema: { name: "decisions", json: decisionSchema() } };
}

function factLines({ handle, fact }: IncomingFact): string {
  const quotes = fact.evidence.map(({ quote }) => `   evidence: ${oneLine(quote)}`);
  return [
    `${handle} [${fact.type}, ${fact.source}] ${oneLine(fact.title)}`,
    `   ${oneLine(fact.content)}`,
    `   why: ${oneLine(fact.why)}`,
    ...quotes,
  ].join("\n");
}

function memoryLines([number, memory]: readonly [number, MemoryRecord], now: Date): string {
  const days = daysBetween(memory.eventAt, now);
  const marks = [memory.type, memory.source, `${days} days old`, ...(memory.pinned ? ["pinned"] : [])].join(", ");
  return [
    `${number} [${marks}] ${oneLine(memory.title)}`,
    `   ${oneLine(memory.content)}`,
    `   why: ${oneLine(memory.why)}`,
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Strict-mode friendly: all keys required, null where there is nothing to say. */
function decisionSchema(): Readonly<Record<string, unknown>> {
  const text = { type: "string" };
  const textOrNull = { type: ["string", "null"] };
  const merged = strictObject({
    title: text,
    content: text,
    why: text,
    how_to_apply: text,
    when_to_use: { type: "array", items: text },
    when_not: textOrNull,
    applies_if: textOrNull,
  });
  const decision = strictObject({
    fact: text,
    relation: { type: "string", enum: ["same", "refines", "contradicts", "outdates", "separate"] },
    op: { type: "string", enum: ["ADD", "UPDATE", "DELETE", "NONE"] },
    target: { type: ["integer", "null"] },
    merged: { anyOf: [merged, { type: "null" }] },
    quote: text,
    reason: text,
  });
  const verdict = strictObject({
    fact: text,
    candidate: { type: "integer" },
    still_true: { type: "string", enum: ["yes", "no", "cant_tell"] },
  });
  return strictObject({
    decisions: { type: "array", items: decision },
    verdicts: { type: "array", items: verdict },
  });
}
