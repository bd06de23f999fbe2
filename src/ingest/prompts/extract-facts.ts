/** The prompt that turns a session into facts. What is worth keeping comes from the profile; the form is the same for all. */
import type { Profile, ProfileType } from "../../core/profile.ts";
import { type Boundary, SENTINEL_LINE } from "./boundary.ts";
import { factSchema } from "./fact-schema.ts";

/** Raised with every change of wording: stored with each run, and part of cache keys. */
export const EXTRACT_FACTS_VERSION = 1;

export interface Prompt {
  readonly system: string;
  readonly prompt: string;
  readonly schema: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
}

export interface ExtractPromptInput {
  readonly profile: Profile;
  readonly boundary: Boundary;
  /** Rendered turns. */
  readonly transcript: string;
  /** Day on which the session took place, `YYYY-MM-DD`. */
  readonly sessionDate: string;
  /** Titles of memories that exist, most relevant first. */
  readonly knownTitles: readonly string[];
  /** Turns before this one have been extracted and are context only; 0 for a new session. */
  readonly fromTurn: number;
  /** Which part of a long session this is. */
  readonly part: { readonly number: number; readonly of: number };
}

/** More titles would cost more than a duplicate that the lifecycle step settles. */
const MAX_KNOWN_TITLES = 20;

export function extractFactsPrompt(input: ExtractPromptInput): Prompt {
  return {
    system: systemPrompt(input),
    prompt: userPrompt(input),
    schema: { name: "facts", json: factSchema(input.profile) },
  };
}

function systemPrompt({ profile, boundary }: ExtractPromptInput): string {
  const { types, limits, prompt } = profile;
  return [
    SENTINEL_LINE,
    prompt.role,
    "You write for a future agent that has no memory of this session. An empty list is a normal answer, and better than a weak fact.",
    boundary.rule,
    section("Keep a fact only if all of these hold", prompt.keepTest),
    `Types:\n${types.map(typeLines).join("\n")}`,
    section("Never write", prompt.never),
    section("Fields", fieldRules(limits.titleMax)),
    section("Evidence", EVIDENCE_RULES),
    `At most ${limits.maxFacts} facts, best first.`,
  ].join("\n\n");
}

function typeLines({ id, definition, keep, reject }: ProfileType): string {
  return `- ${id}: ${definition}\n  kept: ${keep}\n  not kept: ${reject}`;
}

function fieldRules(titleMax: number): string[] {
  return [
    `title: at most ${titleMax} characters; states the claim, not the topic.`,
    "content: one claim with its qualifiers. Names, numbers and versions exactly as in the evidence. Relative dates made absolute from the session's date.",
    "why: the cause, or who said so. how_to_apply: the action to take.",
    "when_to_use: one to three situations as the future agent will meet them, each naming a concrete symbol or task.",
    "when_not: where the advice would mislead, or null. applies_if: a version or platform condition, or null.",
    "polarity: do, avoid, or fact.",
    "symbols: identifiers, files, commands, error codes, tables that the fact is about, spelled as in the evidence.",
    "Keep hedges, negations, conditions and versions: a note is never stronger than its evidence.",
    "scope: user only for a preference that the user wants in all projects; else project.",
    "source: user_stated, user_confirmed, tool_verified or agent_inferred. confidence: 0 to 1.",
    "resolved_at: number of the turn in which the matter was resolved, or null. expires: a date on which it stops being true by its own words, or null.",
  ];
}

const EVIDENCE_RULES = [
  "evidence: one to three entries, each the number of a turn (12 for t12) and a quote of at most 160 characters, copied exactly from that turn, in its language.",
  "Lines marked summarised are not the words of the session: quote from other turns, or only what they plainly repeat, such as an error message.",
  "What the assistant only proposed, or claimed without a check, is no evidence.",
];

function userPrompt(input: ExtractPromptInput): string {
  const { boundary, transcript, sessionDate, knownTitles, fromTurn, part } = input;
  return [
    `The session took place on ${sessionDate}.`,
    ...(part.of > 1 ? [`This is part ${part.number} of ${part.of} of the session.`] : []),
    ...(fromTurn > 0
      ? [`Turns before t${fromTurn} are context only: cite at least one turn from t${fromTurn} on.`]
      : []),
    ...knownBlock(boundary, knownTitles),
    boundary.wrap(transcript),
    "List the facts worth keeping, or none.",
  ].join("\n\n");
}

function knownBlock(boundary: Boundary, titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const lines = titles.slice(0, MAX_KNOWN_TITLES).map((title) => `- ${title}`);
  return [`Already known; do not repeat:\n${boundary.wrap(lines.join("\n"))}`];
}

/** A heading with a list below it. */
export function section(head: string, lines: readonly string[]): string {
  return `${head}:\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
