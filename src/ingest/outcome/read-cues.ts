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
  readonly everywhere: boolean;
}

const LEXICONS: readonly CueLexicon[] = [EN, DE, FR, ES, PT];
/** A denial further away belongs to something else. */
const WORDS_BEFORE = 4;
const WORDS_AFTER = 2;
/** Cues stand in what a person writes first and last; a pasted log of many pages is not searched for them. */
const MAX_CHARACTERS = 6_000;

type CueKind = "acceptance" | "correction" | "objection" | "resignation" | "admission" | "everywhere";

interface CompiledLexicon {
  readonly patterns: Readonly<Record<CueKind, RegExp>>;
  readonly negation: RegExp;
  readonly condition: RegExp;
}

const COMPILED: readonly CompiledLexicon[] = LEXICONS.map((lexicon) => ({
  patterns: {
    acceptance: compile(lexicon.acceptance),
    correction: compile(lexicon.correction),
    objection: compile(lexicon.objection),
    resignation: compile(lexicon.resignation),
    admission: compile(lexicon.admission),
    everywhere: compile(lexicon.everywhere),
  },
  negation: compile(lexicon.negation),
  condition: compile(lexicon.condition),
}));

function compile(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${phrases.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** What a human turn says. A denied acceptance ("does not look good") is a correction. */
export function readCues(text: string): HumanCues {
  const own = ownWords(text);
  const found = COMPILED.map((lexicon) => cuesOf(own, lexicon));
  const any = (kind: keyof FoundCues) => found.some((cues) => cues[kind]);
  const corrects = any("correction") || any("deniedAcceptance");
  const accepts = any("acceptance") && !corrects;
  return {
    accepts,
    corrects: corrects || (any("objection") && !accepts),
    resigns: any("resignation"),
    everywhere: any("everywhere"),
  };
}

/** Whether an assistant says that it could not finish. */
export function admitsFailure(text: string): boolean {
  const own = ownWords(text);
  return COMPILED.some(({ patterns }) => matches(own, patterns.admission).length > 0);
}

interface FoundCues {
  readonly acceptance: boolean;
  readonly deniedAcceptance: boolean;
  readonly correction: boolean;
  readonly objection: boolean;
  readonly resignation: boolean;
  readonly everywhere: boolean;
}

function cuesOf(text: string, { patterns, negation, condition }: CompiledLexicon): FoundCues {
  const acceptances = matches(text, patterns.acceptance).filter(
    (match) => !isQuestion(match) && !near(match.before, condition, WORDS_BEFORE),
  );
  const denied = acceptances.filter((match) => isDenied(match, negation));
  const standing = (kind: CueKind) =>
    matches(text, patterns[kind]).some(
      (match) => !near(match.before, negation, WORDS_BEFORE) && !near(match.before, condition, WORDS_BEFORE),
    );
  return {
    acceptance: acceptances.length > denied.length,
    deniedAcceptance: denied.length > 0,
    correction: standing("correction"),
    objection: standing("objection"),
    resignation: standing("resignation"),
    everywhere: standing("everywhere"),
  };
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

function isDenied({ before, after }: CueMatch, negation: RegExp): boolean {
  return near(before, negation, WORDS_BEFORE) || near(firstWords(after, WORDS_AFTER), negation, WORDS_AFTER);
}

function near(text: string, pattern: RegExp, words: number): boolean {
  const window = text.trim().split(/\s+/).slice(-words).join(" ");
  return window.search(pattern) !== -1;
}

function firstWords(text: string, count: number): string {
  return text.trim().split(/\s+/).slice(0, count).join(" ");
}

/** The person's own prose, lower case, apostrophes straightened. */
export function ownWords(text: string): string {
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
