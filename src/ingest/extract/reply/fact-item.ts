/**
 * One item of an extraction reply: strict about what is said, lenient about its form. Each item stands alone: a broken
 * one is counted and does not take its neighbours with it.
 */
import { z } from "zod";
import { isObject } from "../../../core/json/json-values.ts";
import { FACT_TYPES, POLARITIES, SOURCE_RANKS } from "../../../core/memory-record.ts";
import { cleanLine, cleanText } from "../../../text/clean.ts";
import type { FactCandidate } from "../fact-candidate.ts";
import { isMetaTalk } from "./meta-talk.ts";

/** Longer than any field that could pass the length filter: such a text is not a field, and is refused at once. */
const MAX_FIELD_CHARACTERS = 4_000;
const MAX_WHEN = 3;
const MAX_SYMBOLS = 16;
const MAX_EVIDENCE = 6;
const DEFAULT_CONFIDENCE = 0.5;

const TYPE_ALIASES: Readonly<Record<string, string>> = {
  lessons: "lesson",
  learning: "lesson",
  insight: "lesson",
  gotcha: "lesson",
  pitfall: "lesson",
  contexts: "context",
  project: "context",
  constraint: "context",
  decision: "context",
  preferences: "preference",
  pref: "preference",
  convention: "preference",
  pointers: "pointer",
  reference: "pointer",
  link: "pointer",
};
const POLARITY_ALIASES: Readonly<Record<string, string>> = {
  dont: "avoid",
  "don't": "avoid",
  never: "avoid",
  always: "do",
};
const SOURCE_ALIASES: Readonly<Record<string, string>> = {
  user: "user_stated",
  tool: "tool_verified",
  agent: "agent_inferred",
  assistant: "agent_inferred",
};

const NOTHING_WORDS = /^(?:null|none|n\/a|-|undefined|)$/i;

/** A single string of a list, or the list. */
const strings = (most: number) =>
  z
    .union([z.array(z.unknown()), z.string(), z.null()])
    .transform((value) => (value === null ? [] : [value].flat()))
    .transform((items) => items.filter((item) => typeof item === "string").map((item) => cleanLine(item)))
    .transform((items) => [...new Set(items)].filter((item) => !NOTHING_WORDS.test(item)).slice(0, most));

const field = z
  .string()
  .max(MAX_FIELD_CHARACTERS, "is no field but a text")
  .transform((text) => cleanText(text).trim())
  .refine((text) => !isMetaTalk(text), "speaks about the task");

const required = field.refine((text) => text !== "", "is empty");
const line = required.transform((text) => cleanLine(text));
const optional = z
  .union([field, z.null()])
  .transform((text) => (text === null || NOTHING_WORDS.test(text) ? null : text));

function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  aliases: Readonly<Record<string, string>>,
) {
  return z
    .string()
    .transform((text) =>
      text
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, "_"),
    )
    .transform((text) => aliases[text] ?? text)
    .pipe(z.enum(values));
}

const turnNumber = z
  .union([z.number(), z.string().regex(/^\s*t?\d{1,7}\s*$/i, "is no turn")])
  .transform((turn) => (typeof turn === "number" ? turn : Number(turn.replace(/[^\d]/g, ""))))
  .pipe(z.int().min(0).max(9_999_999));

const confidence = z
  .union([
    z.number(),
    z.string().transform((text) => Number.parseFloat(text) / (text.includes("%") ? 100 : 1)),
    z.null(),
  ])
  .transform((value) => (value === null || Number.isNaN(value) ? DEFAULT_CONFIDENCE : value))
  .transform((value) => Math.min(1, Math.max(0, value > 1 && value <= 100 ? value / 100 : value)));

const expires = z.unknown().transform((value) => {
  if (typeof value !== "string" || !/^\d{4}-\d\d(?:-\d\d)?/.test(value)) return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
});

const evidence = z.looseObject({
  turn: turnNumber,
  quote: z
    .string()
    .transform((text) => cleanText(text).trim())
    .refine((text) => text !== "", "is empty"),
});

const Item = z
  .looseObject({
    type: oneOf(FACT_TYPES, TYPE_ALIASES),
    polarity: z.union([oneOf(POLARITIES, POLARITY_ALIASES), z.null()]).transform((value) => value ?? "fact"),
    title: line,
    content: required,
    why: required,
    how_to_apply: required,
    when_to_use: strings(MAX_WHEN),
    when_not: optional,
    applies_if: optional,
    symbols: strings(MAX_SYMBOLS),
    scope: z.unknown().transform((value) => (value === "user" ? ("user" as const) : ("project" as const))),
    source: oneOf(SOURCE_RANKS, SOURCE_ALIASES).catch("agent_inferred"),
    confidence,
    resolved_at: z.union([turnNumber, z.null()]).catch(null),
    expires,
    evidence: z
      .union([z.array(z.unknown()), evidence.transform((one) => [one])])
      .transform((items) => items.slice(0, MAX_EVIDENCE))
      .transform((items) => items.flatMap((item) => evidence.safeParse(item).data ?? []))
      .refine((items) => items.length > 0, "holds no turn with a quote"),
  })
  .transform(
    (item): FactCandidate => ({
      type: item.type,
      polarity: item.polarity,
      title: item.title,
      content: item.content,
      why: item.why,
      howToApply: item.how_to_apply,
      whenToUse: item.when_to_use.filter((when) => !isMetaTalk(when)),
      whenNot: item.when_not,
      appliesIf: item.applies_if,
      symbols: item.symbols,
      scope: item.scope,
      source: item.source,
      confidence: item.confidence,
      resolvedAt: item.resolved_at ?? null,
      expires: item.expires,
      evidence: item.evidence.map(({ turn, quote }) => ({ turn, quote })),
    }),
  );

export interface ReadItems {
  readonly valid: readonly FactCandidate[];
  /** One line for each item that is not: path and problem. */
  readonly problems: readonly string[];
  readonly invalid: number;
}

/** Total: reads any list, item by item. */
export function readFactItems(items: readonly unknown[]): ReadItems {
  const valid: FactCandidate[] = [];
  const problems: string[] = [];
  for (const [at, item] of items.entries()) {
    const parsed = Item.safeParse(withAbsentKeys(item));
    if (parsed.success) valid.push(parsed.data);
    else {
      const told = parsed.error.issues.slice(0, 4);
      problems.push(...told.map(({ path, message }) => `facts[${at}].${path.join(".") || "item"}: ${message}`));
    }
  }
  return { valid, problems, invalid: items.length - valid.length };
}

/** Keys that may be missing where a schema could not be enforced. */
const ABSENT = {
  polarity: null,
  when_to_use: [],
  when_not: null,
  applies_if: null,
  symbols: [],
  scope: "project",
  source: "agent_inferred",
  confidence: null,
  resolved_at: null,
  expires: null,
};

function withAbsentKeys(item: unknown): unknown {
  return isObject(item) ? { ...ABSENT, ...item } : item;
}

/** Whether an object is a fact itself rather than a wrapper around some. */
export function looksLikeFact(candidate: Readonly<Record<string, unknown>>): boolean {
  return "content" in candidate && ("title" in candidate || "type" in candidate);
}
