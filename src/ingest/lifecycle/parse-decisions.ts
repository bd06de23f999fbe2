/**
 * Reads decisions out of what a model replied. Total: an item that is no decision is counted and left out, a handle that
 * is none stays as it is, so that the guards and not the parser say what becomes of it.
 */
import { isObject, type JsonObject } from "../../core/json/json-values.ts";
import type { Relation } from "../../core/lifecycle.ts";
import { redactPatterns } from "../../text/redact.ts";
import { listIn, readReply } from "../extract/repair-reply.ts";
import type { MergedText, Operation, Proposal, ProposedDecision, Verdict } from "./decision.ts";

/** A reply with a list of another length was not written for these facts. */
const MAX_ITEMS = 400;
const OPERATIONS: Readonly<Record<string, Operation>> = {
  ADD: "ADD",
  CREATE: "ADD",
  INSERT: "ADD",
  UPDATE: "UPDATE",
  MERGE: "UPDATE",
  DELETE: "DELETE",
  REPLACE: "DELETE",
  SUPERSEDE: "DELETE",
  NONE: "NONE",
  NOOP: "NONE",
  SKIP: "NONE",
};
const RELATIONS: Readonly<Record<string, Relation>> = {
  same: "same",
  refines: "refines",
  contradicts: "contradicts",
  outdates: "outdates",
  separate: "separate",
};
const VERDICTS: Readonly<Record<string, Verdict["stillTrue"]>> = {
  yes: "yes",
  true: "yes",
  no: "no",
  false: "no",
  cant_tell: "cant_tell",
};

/** @returns Undefined where the reply holds no list of decisions at all: then it is worth asking again. */
export function parseDecisions(reply: { readonly text: string; readonly truncated: boolean }): Proposal | undefined {
  const read = readReply(reply);
  if (read.value === undefined) return undefined;
  const decisions = listIn(read.value, "decisions", looksLikeDecision);
  if (decisions === undefined) return undefined;
  const verdicts = listIn(fieldsOf(read.value).verdicts, "verdicts", (item) => "still_true" in item) ?? [];
  const whole = read.class === "truncated" ? decisions.slice(0, -1) : decisions;
  const parsed = whole.slice(0, MAX_ITEMS).map(decisionOf);
  const judged = verdicts.slice(0, MAX_ITEMS).map(verdictOf);
  return {
    decisions: parsed.filter((decision) => decision !== undefined),
    verdicts: judged.filter((verdict) => verdict !== undefined),
    dropped: [...parsed, ...judged].filter((item) => item === undefined).length,
  };
}

/** What to tell a model whose reply could not be used. */
export function decisionProblems(reply: { readonly text: string; readonly truncated: boolean }): string[] {
  const read = readReply(reply);
  if (read.value === undefined) return [`the answer holds no JSON object (${read.class})`];
  const decisions = listIn(read.value, "decisions", looksLikeDecision);
  if (decisions === undefined) return ["decisions: the list is missing"];
  return decisions.flatMap((item, at) =>
    decisionOf(item) === undefined ? [`decisions.${at}: fact or op is missing`] : [],
  );
}

function decisionOf(value: unknown): ProposedDecision | undefined {
  const item = fieldsOf(value);
  const op = OPERATIONS[textOf(item.op ?? item.operation ?? item.action).toUpperCase()];
  const fact = handleOf(item.fact);
  if (op === undefined || fact === "") return undefined;
  return {
    fact,
    relation: RELATIONS[textOf(item.relation).toLowerCase()] ?? null,
    op,
    target: integerOf(item.target),
    merged: mergedOf(item.merged),
    quote: textOf(item.quote),
    reason: redactPatterns(textOf(item.reason)),
  };
}

function verdictOf(value: unknown): Verdict | undefined {
  const item = fieldsOf(value);
  const fact = handleOf(item.fact);
  const candidate = integerOf(item.candidate ?? item.target);
  const answer = String(item.still_true ?? "").toLowerCase();
  const stillTrue = VERDICTS[answer.replace(/\W+/g, "_")];
  return fact === "" || candidate === null || stillTrue === undefined ? undefined : { fact, candidate, stillTrue };
}

function mergedOf(value: unknown): MergedText | null {
  const item = fieldsOf(value);
  const whenToUse = Array.isArray(item.when_to_use) ? item.when_to_use.map(textOf).filter((text) => text !== "") : [];
  const merged: MergedText = {
    title: filledOrNull(item.title),
    content: filledOrNull(item.content),
    why: filledOrNull(item.why),
    howToApply: filledOrNull(item.how_to_apply),
    whenToUse: whenToUse.length === 0 ? null : whenToUse,
    whenNot: filledOrNull(item.when_not),
    appliesIf: filledOrNull(item.applies_if),
  };
  return merged.title === null && merged.content === null ? null : merged;
}

/** `A`, `a`, `Fact A`, `[A]`: the letter; anything else as it came. */
function handleOf(value: unknown): string {
  const text = textOf(value);
  return /^(?:fact\s*)?\W*([a-z])\W*$/i.exec(text)?.[1]?.toUpperCase() ?? text;
}

function integerOf(value: unknown): number | null {
  const number = typeof value === "string" && /^\s*#?\d{1,9}\s*$/.test(value) ? Number(value.replace("#", "")) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : null;
}

function filledOrNull(value: unknown): string | null {
  return textOf(value) || null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function looksLikeDecision(item: JsonObject): boolean {
  return "op" in item && "fact" in item;
}
