/**
 * Reads what a person said about the work: acceptance, correction, giving up. Only their own words count: code fences,
 * inline code, block quotes and quotations are taken out first, and a denied or conditional cue is none.
 */
import type { CueLexicon } from "./cues/cue-lexicon.ts";
import { DE } from "./cues/de.ts";
import { EN } from "./cues/en.ts";
import { ES } from "./cues/es.ts";
import { FR } from "./cues/fr.ts";
import { PT } from "./cues/pt.ts";

export interface HumanCues {
  readonly accepts: boolean;
  readonly corrects: boolean;
  readonly resigns: boolean;
  /** Asks that changes be thrown away. */
  readonly reverts: boolean;
  readonly everywhere: boolean;
}

const LEXICONS: readonly CueLexicon[] = [EN, DE, FR, ES, PT];
/** A denial further away belongs to something else. */
const WORDS_BEFORE = 4;
const WORDS_AFTER = 2;
/** Cues stand in what a person writes first and last; a pasted log of many pages is not searched for them. */
const MAX_CHARACTERS = 6_000;

type CompiledLexicon = Readonly<Record<keyof CueLexicon, RegExp>>;

const COMPILED: readonly CompiledLexicon[] = LEXICONS.map(
  (lexicon) =>
    Object.fromEntries(Object.entries(lexicon).map(([kind, phrases]) => [kind, compile(phrases)])) as CompiledLexicon,
);

function compile(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${phrases.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** What a human turn says. A denied acceptance ("does not look good") is a correction. */
export function readCues(text: string): HumanCues {
  const own = ownWords(text);
  const says = (kind: keyof CueLexicon) => COMPILED.some((lexicon) => stands(own, lexicon, kind));
  const acceptances = COMPILED.map((lexicon) => acceptancesIn(own, lexicon));
  const corrects = says("correction") || acceptances.some(({ denied }) => denied);
  const accepts = !corrects && acceptances.some(({ granted }) => granted);
  return {
    accepts,
    corrects: corrects || (!accepts && says("objection")),
    resigns: says("resignation"),
    reverts: says("revert"),
    everywhere: says("everywhere"),
  };
}

/** Whether an assistant says that it could not finish. */
export function admitsFailure(text: string): boolean {
  const own = ownWords(text);
  return COMPILED.some(({ admission }) => matches(own, admission).length > 0);
}

/** Whether an assistant says that it is done. */
export function claimsDone(text: string): boolean {
  const own = ownWords(text);
  return COMPILED.some((lexicon) => stands(own, lexicon, "completion"));
}

/** Whether a cue is there that is neither denied nor a condition. */
function stands(text: string, lexicon: CompiledLexicon, kind: keyof CueLexicon): boolean {
  const { negation, condition } = lexicon;
  return matches(text, lexicon[kind]).some(
    ({ before }) => !near(before, negation, WORDS_BEFORE) && !near(before, condition, WORDS_BEFORE),
  );
}

function acceptancesIn(
  text: string,
  { acceptance, negation, condition }: CompiledLexicon,
): { readonly granted: boolean; readonly denied: boolean } {
  const found = matches(text, acceptance).filter(
    (match) => !isQuestion(match) && !near(match.before, condition, WORDS_BEFORE),
  );
  const denied = found.filter((match) => isDenied(match, negation));
  return { granted: found.length > denied.length, denied: denied.length > 0 };
}

interface CueMatch {
  /** Rest of the clause before it, of the sentence after it. */
  readonly before: string;
  readonly after: string;
}

/** Clauses and sentences are not longer: what lies beyond is not looked at, so that a paste full of cues stays cheap. */
const AROUND_CHARACTERS = 500;

function matches(text: string, pattern: RegExp): CueMatch[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const end = match.index + match[0].length;
    const before = text.slice(Math.max(0, match.index - AROUND_CHARACTERS), match.index);
    const after = text.slice(end, end + AROUND_CHARACTERS);
    return { before: before.slice(lastClauseBreak(before)), after: after.slice(0, firstSentenceBreak(after)) };
  });
}

/** "No, that is wrong" denies nothing of what follows its comma. */
const CLAUSE_BREAK = /[.!?;:,\n](?=\s|$)/g;
const SENTENCE_BREAK = /[.!?;\n](?=\s|$)/;

function lastClauseBreak(text: string): number {
  let end = 0;
  for (const match of text.matchAll(CLAUSE_BREAK)) end = match.index + 1;
  return end;
}

function firstSentenceBreak(text: string): number {
  const at = text.search(SENTENCE_BREAK);
  return at === -1 ? text.length : at + 1;
}

function isQuestion({ after }: CueMatch): boolean {
  return after.trimEnd().endsWith("?");
}

/** "Works here, but not on staging." */
const BUT = /^(?:\s*\S+){0,2}?[\s,–—-]+(?:but|though|aber|mais|pero|mas)\s+/;

function isDenied({ before, after }: CueMatch, negation: RegExp): boolean {
  const next = firstWords(after.replace(BUT, ""), WORDS_AFTER);
  return near(before, negation, WORDS_BEFORE) || near(next, negation, WORDS_AFTER);
}

function near(text: string, pattern: RegExp, words: number): boolean {
  const window = text.trim().split(/\s+/).slice(-words).join(" ");
  return window.search(pattern) !== -1;
}

function firstWords(text: string, count: number): string {
  return text.trim().split(/\s+/).slice(0, count).join(" ");
}

/** The person's own prose, lower case, apostrophes straightened. */
function ownWords(text: string): string {
  const prose = text
    .toLowerCase()
    .replace(/[‘’′]/g, "'")
    .replace(/```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g, "\n")
    .replace(/`[^`\n]*`/g, " … ")
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/[“„«"][^”“»"\n]{1,300}[”“»"]/g, " … ")
    .replace(/^(?: {4}|\t).*$/gm, "");
  if (prose.length <= MAX_CHARACTERS) return prose;
  return `${prose.slice(0, MAX_CHARACTERS / 2)}\n${prose.slice(-MAX_CHARACTERS / 2)}`;
}
