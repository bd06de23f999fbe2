/**
 * Words a fact that a rule found. Rules copy; they don't understand. So the claim stays in the speaker's words, and what
 * a fact needs besides (why, how, when) comes from templates that promise no more than was seen.
 */
import type { Evidence, Fact, FactType, Polarity, SourceRank, Trust } from "../../../core/memory-record.ts";
import { cleanLine, cutAt } from "../../../text/clean.ts";
import { situationsFor, symbolsOf } from "../../../text/situations.ts";
import { LEXICONS } from "./lexicon.ts";

export type RuleId = "X1" | "X2" | "X3" | "X4" | "X5" | "X6" | "X7";

export interface RuleFact {
  readonly rule: RuleId;
  readonly fact: Fact;
}

const QUOTE_CHARACTERS = 160;
/** Shorter claims are quoted in a sentence, so that a reader knows whose words they are. */
const BARE_CLAIM_CHARACTERS = 40;
const MAX_CONTENT_CHARACTERS = 700;
/** A title cut before its reason still says something. */
const MIN_TITLE_CHARACTERS = 12;

export interface FactWords {
  readonly rule: RuleId;
  readonly type: FactType;
  readonly polarity: Polarity;
  readonly title: string;
  readonly content: string;
  readonly why: string;
  readonly howToApply: string;
  readonly confidence: number;
  readonly source: SourceRank;
  readonly trust: Trust;
  readonly evidence: readonly Evidence[];
  readonly resolvedAt: number | null;
  readonly everywhere: boolean;
  /** What the session was about. */
  readonly goal: string | null;
  /** Names that matter more than those in title and content. */
  readonly names?: readonly string[];
  /** A situation that was seen itself, an error for example. */
  readonly seen?: string;
}

export function wordFact(words: FactWords, titleMax: number): RuleFact {
  const { rule, goal, everywhere, names = [], seen, ...rest } = words;
  const text = `${words.title}\n${words.content}`;
  const symbols = [...new Set([...names, ...symbolsOf(text)])].slice(0, 8);
  return {
    rule,
    fact: {
      ...rest,
      title: cleanLine(words.title, titleMax),
      content: cutAt(words.content, MAX_CONTENT_CHARACTERS),
      whenToUse: situationsFor(text, symbols, { seen, goal: words.type === "preference" ? null : goal }),
      whenNot: null,
      appliesIf: null,
      symbols,
      scope: everywhere ? "user" : "project",
      expires: null,
    },
  };
}

/** Without "as I said before" and the like, so that a rule that is stated again is the same rule. */
export function saidAnew(sentence: string): string {
  let text = sentence;
  for (const { restated } of LEXICONS) text = text.replace(restated, "");
  return text.trim().replace(/^[\s,:;–—-]+/, "") || sentence.trim();
}

/** A sentence without what says nothing at its head, first letter large, no full stop: the claim as a line. */
export function claimLine(sentence: string): string {
  let line = saidAnew(sentence);
  for (const { interjections } of LEXICONS) line = line.replace(interjections, "");
  line = line
    .replace(/^(?:that\s+(?!(?:was|is|will|has|does|did|can|would|means|works?)\b)|[\s,.:;–—-]+)/i, "")
    .replace(/[\s,;:]*(?:\b(?:please|thanks|thank you|bitte|danke|ok(?:ay)?)\b[\s.!]*)?[.!…\s]*$/i, "");
  return upperFirst(line);
}

/** The claim without its reason, where enough of it is left, within the limit: cut where a clause ends, if need be. */
export function titleOf(claim: string, titleMax: number): string {
  const line = claimLine(claim);
  const reason = reasonAt(line);
  const short = reason === undefined || reason < MIN_TITLE_CHARACTERS ? line : line.slice(0, reason);
  return cleanLine(firstClauses(short, titleMax).replace(/[\s,;:(–—-]+$/u, ""), titleMax);
}

/** Ends of clauses, strongest first. */
const CLAUSE_ENDS: readonly RegExp[] = [/[:;]\s|\s[–—-]\s/g, /,\s(?=(?:so|and|but|which|that|while)\b)/g, /,\s/g];
/** Less of a claim than this says nothing. */
const MIN_CLAUSE_CHARACTERS = 20;

function firstClauses(line: string, titleMax: number): string {
  if (line.length <= titleMax) return line;
  for (const pattern of CLAUSE_ENDS) {
    const ends = Array.from(line.matchAll(pattern), ({ index }) => index);
    const last = ends.findLast((at) => at >= MIN_CLAUSE_CHARACTERS && at <= titleMax);
    if (last !== undefined) return line.slice(0, last);
  }
  return line;
}

/** A reason under the heading "why" needs no word that says that it is one. */
const BECAUSE = /^(?:because|since|as|weil|denn|parce qu(?:e |')|car|porque|ya que)\s*/i;
const CONSEQUENCE =
  /[,;]\s+so(?: that)?\s+(?<what>.*\b(?:must|should|shouldn't|has to|have to|needs? to|always|never|do not|don't|cannot|can't|use|run)\b.+)$/i;

/** What follows from a claim, where the sentence says so: the thing to do. */
export function consequenceOf(claim: string): string | undefined {
  const what = CONSEQUENCE.exec(claim)?.groups?.what?.replace(/[.!…\s]+$/, "");
  return what === undefined || what.length < 12 ? undefined : `${upperFirst(what)}.`;
}

/** The part of a sentence that gives a reason, as a sentence of its own. */
export function reasonOf(claim: string): string | undefined {
  const at = reasonAt(claim);
  if (at === undefined) return undefined;
  const reason = claim
    .slice(at)
    .replace(/^[\s,(–—-]+/u, "")
    .replace(BECAUSE, "")
    .replace(/[\s)]+$/, "");
  return reason.length < 12 ? undefined : `${upperFirst(reason.replace(/[.!…]+$/, ""))}.`;
}

function reasonAt(claim: string): number | undefined {
  const places = LEXICONS.map(({ reason }) => claim.search(reason)).filter((at) => at > 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** What was said, as content: a short claim as a quotation. */
export function contentOf(claims: readonly string[]): string {
  const text = claims
    .map((claim) => `${upperFirst(claim.replace(/[\s.…]+$/, ""))}${/[!?]$/.test(claim) ? "" : "."}`)
    .join(" ");
  return text.length < BARE_CLAIM_CHARACTERS ? `The user said: "${text}"` : text;
}

/** At most 160 characters of a text, from its start, cut at a word. */
export function quoteOf(text: string): string {
  const head = cutAt(text, QUOTE_CHARACTERS);
  if (head.length === text.length) return text;
  const space = head.lastIndexOf(" ");
  return space > QUOTE_CHARACTERS / 2 ? head.slice(0, space) : head;
}

function upperFirst(text: string): string {
  const [first = ""] = text;
  return /^[a-z]+(?:[A-Z_./-]|\d)/.test(text) ? text : first.toUpperCase() + text.slice(first.length);
}
