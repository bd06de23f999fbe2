/** Rules on a fact's form: too short or long, a mere location, pasted output. */
import { canonicalText } from "../../../text/shingles.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import type { FactRule } from "./fact-rule.ts";

const TITLE_MIN = 8;
const CONTENT_MIN = 25;
const CONTENT_MAX = 700;
/** A content cut to less says something else. */
const CUT_MIN = 120;
const CONTENT_WORDS = 5;
const NON_PROSE_SHARE = 0.4;

/** Content that is too long is cut at the end of a sentence, or not at all. */
export const lengthRule: FactRule = {
  id: "R1",
  apply(fact, { profile }) {
    const { title, why, howToApply, whenToUse } = fact;
    if (title.length < TITLE_MIN || title.length > profile.limits.titleMax)
      return `title of ${title.length} characters`;
    const content = fact.content.length > CONTENT_MAX ? cutAtSentence(fact.content) : fact.content;
    if (content === undefined) return `content of ${fact.content.length} characters without a sentence to cut at`;
    if (content.length < CONTENT_MIN) return `content of ${content.length} characters`;
    if (whenToUse.length === 0) return "no situation in which to use it";
    const whens = Object.fromEntries(whenToUse.map((when, at) => [`situation ${at + 1}`, when]));
    const empty = emptyField({ why, howToApply, ...whens }, content);
    return empty ?? (content === fact.content ? fact : { ...fact, content });
  },
};

function emptyField(fields: Readonly<Record<string, string>>, content: string): string | undefined {
  const body = canonicalText(content);
  for (const [name, text] of Object.entries(fields)) {
    const folded = canonicalText(text);
    if (folded === "") return `${name} is empty`;
    if (folded === body) return `${name} repeats the content`;
  }
  return undefined;
}

function cutAtSentence(content: string): string | undefined {
  const head = content.slice(0, CONTENT_MAX);
  const ends = Array.from(head.matchAll(/[.!?。！？](?=\s|$)/gu), (match) => match.index + 1);
  const end = ends.at(-1);
  return end === undefined || end < CUT_MIN ? undefined : head.slice(0, end);
}

const PATH = /(?:~|\.{1,2}|[\w@.-]+)?(?:[/\\][\w@.()[\]*-]+)+[/\\]?|\b[\w-]+\.[a-z]{1,5}\b/gi;
const LINE_NUMBER = /\b(?:lines?|l|:)\s*\d+(?:\s*[-–]\s*\d+)?/gi;
const LOCATION =
  /^[^.;]{2,100}\b(?:is|are|lives?|can be found)\s+(?:defined|located|implemented|stored|declared|found|placed|kept|handled)?\s*(?:in|at|under|inside)\s+[`'"]?[\w@.~-]*[/\\.][\w@./\\-]+[`'"]?(?:\s*(?:,|at|on|:)?\s*lines?\s*\d+(?:[-–]\d+)?)?\.?$/i;

/** Where something is in the code can be looked up; addresses outside it are what pointers are for. */
export const pathOnlyRule: FactRule = {
  id: "R2",
  apply(fact) {
    if (/https?:\/\//.test(fact.content)) return fact;
    if (LOCATION.test(fact.content.trim())) return "says only where something is";
    const rest = fact.content.replace(PATH, " ").replace(LINE_NUMBER, " ");
    const words = (rest.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => isContentWord(word));
    return rest !== fact.content && words.length < CONTENT_WORDS ? "mainly a location" : fact;
  },
};

function isContentWord(word: string): boolean {
  return (word.length > 2 || /[^\p{ASCII}]/u.test(word)) && !isStopWord(word.toLowerCase());
}

const STACK_TRACE = /^\s*at \S.*(?::\d+){1,2}\)?\s*$|^\s*File ".*", line \d+/m;
const DIFF = /^(?:@@ .* @@|[+-]{3} \S|diff --git )/m;
const TEST_SUMMARY =
  /\b(?:tests?|test files|suites?|specs?):?\s+\d+ (?:passed|failed)|^\s*\d+ (?:passing|failing|passed|failed)\b|=+ \d+ (?:passed|failed).* in [\d.]+s/im;
const PROSE = /[\p{L}\p{N}\p{M}\s.,;:'"’()_-]/gu;

export const outputRule: FactRule = {
  id: "R3",
  apply(fact) {
    const { content } = fact;
    if (STACK_TRACE.test(content)) return "a stack trace";
    if (DIFF.test(content)) return "a diff";
    if (TEST_SUMMARY.test(content)) return "a test summary";
    const prose = content.match(PROSE)?.length ?? 0;
    return 1 - prose / content.length > NON_PROSE_SHARE ? "mostly output, hardly prose" : fact;
  },
};
