/**
 * A text as single statements that can be held against each other: what is code, history, a guess or an example states
 * nothing and is left out.
 */
import { canonical } from "./canonical.ts";

/** Who and where a statement is about, where it says so: two statements about different ones never contradict. */
export interface Statement {
  /** In the words that the rules compare. */
  readonly text: string;
  /** As it was written. */
  readonly shown: string;
  /** Clauses before it in its sentence, which say what it is about. */
  readonly lead: string;
  /** Line in the text, from 1. */
  readonly line: number;
  /** Words that narrow what it is about, its heading's included, folded and sorted. */
  readonly about: readonly string[];
  /** Paths that it names. */
  readonly places: readonly string[];
}

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const STARTS_BLOCK = /^\s*(?:[-*+]|\d+[.)])\s+|^\s*\||^\s*>/;
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}`"“])/u;

/** Says how it was, might be or is elsewhere, not how it is. */
const STATES_NOTHING =
  /(?<!\b(?:is|are|get|be) )\bused to\b|\b(?:previously|formerly|historically|originally|in the past|back then|at the time|until recently|deprecated|e\.g\.|for example|for instance|such as|maybe|perhaps|might|could|consider|considering|considered|proposal|proposed|todo|tbd|evaluat\w+|experiment\w*|planned|planning to|someday|wondering|whether|tried|we discussed|mostly|(?<!\bat )most (?:of|[a-z]+s)|(?:should )?aims? (?:for|at)|failed(?=\s*(?:$|[.,;:]|(?:with|to|on|in|because|when|after|since|for|at)\b))|broke|crashed|took|(?:was|were) (?:removed|dropped|replaced|upgraded|migrated|converted|moved|switched)|came from|fell|rose|grew|dropped|drops|ended|ends|missing|measured|yesterday|this week|the last|upgrad\w+ from)\b|\?\s*$/i;
/** Holds only where a condition does. */
const CONDITIONAL =
  /\b(?:unless|except|if|in case|only when|as a fallback|fall back|alternatively|either|optionally|^optional|temporarily|for now|until|while|instead when)\b/i;

/** Environments, parts, languages and parties that a statement may be limited to. */
const NARROWING =
  /\b(?:production|prod|staging|development|dev|locally|local|ci|preview|frontend|front[- ]end|backend|back[- ]end|mobile|ios|android|desktop|windows|macos|linux|docker|docs?|documentation|python|typescript|javascript|ruby|rust|golang|java|kotlin|swift|sql|css|markdown|shell|bash|html|notebooks?|integration|e2e|end-to-end|smoke|browser|api|admin|worker|proxy|gateway|storybook|metrics|debugger|upstream|vendor(?:ed)?|third[- ]party|customer'?s?|client'?s|legacy|samples?|examples?|demo|fork|template|reads|writes|internal|external|outside|inside|containers?|host|images?|website|site|plugins?|extension|playground|sandbox|benchmarks?|monitoring|partners?|qa|uat|mirror|hotfix(?:es)?)\b/gi;
/** A path of two parts or more, a package of a workspace. */
const PLACE = /(?<![\w/:.])@?[\w.-]+\/[\w./*-]*[\w*]/g;
const SAME: Readonly<Record<string, string>> = {
  prod: "production",
  dev: "development",
  local: "development",
  locally: "development",
  "front-end": "frontend",
  "front end": "frontend",
  "back-end": "backend",
  "back end": "backend",
  doc: "docs",
  documentation: "docs",
  hotfixes: "hotfix",
  "end-to-end": "e2e",
};
/** Headings name topics; only these limit what stands below them. */
const NARROWING_HEADING =
  /\b(?:frontend|front[- ]end|backend|back[- ]end|mobile|ios|android|python|ruby|rust|golang|java|kotlin|swift|production|staging|legacy|examples?|upstream|third[- ]party|docs|windows|macos|linux)\b/gi;

/** @returns In order; a statement that says nothing firm is left out. */
export function statementsOf(text: string): Statement[] {
  return blocksOf(text).flatMap(({ body, line, heading }) => {
    const limits = matches(heading, NARROWING_HEADING);
    return body
      .split(SENTENCE_END)
      .flatMap(clausesOf)
      .map(({ shown, lead }) => ({ shown, lead, text: canonical(shown) }))
      .filter(({ text: said }) => /\p{L}{2}/u.test(said) && !STATES_NOTHING.test(said) && !CONDITIONAL.test(said))
      .map((clause) => ({
        ...clause,
        line,
        about: aboutOf(clause.text, limits),
        places: matches(clause.text, PLACE),
      }));
  });
}

function clausesOf(sentence: string): Pick<Statement, "shown" | "lead">[] {
  const clauses = sentence
    .replace(/\*\*|__/g, "")
    .split(/;\s+/)
    .map((clause) => clause.trim());
  return clauses.map((shown, at) => ({ shown, lead: clauses.slice(0, at).join(" ") }));
}

interface Block {
  readonly body: string;
  readonly line: number;
  readonly heading: string;
}

/** List items, table rows and paragraphs, each on one line. */
function blocksOf(text: string): Block[] {
  const blocks: { body: string; line: number; heading: string }[] = [];
  const state = { isCode: false, isOpen: false, heading: "" };
  for (const [at, line] of text
    .replace(/<!--[\s\S]*?-->/g, keepLines)
    .split("\n")
    .entries()) {
    if (FENCE.test(line)) state.isCode = !state.isCode;
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined && !state.isCode) state.heading = heading;
    if (state.isCode || FENCE.test(line) || heading !== undefined || line.trim() === "") {
      state.isOpen = false;
      continue;
    }
    const last = blocks.at(-1);
    const body = line
      .replace(STARTS_BLOCK, "")
      .replace(/\s*\|\s*/g, " ")
      .trim();
    if (state.isOpen && last !== undefined && !STARTS_BLOCK.test(line)) last.body += ` ${body}`;
    else blocks.push({ body, line: at + 1, heading: state.heading });
    state.isOpen = true;
  }
  return blocks;
}

const keepLines = (comment: string): string => comment.replace(/[^\n]/g, "");

function aboutOf(sentence: string, limits: readonly string[]): string[] {
  return [...new Set([...limits, ...matches(sentence.replace(PLACE, " "), NARROWING)])].sort();
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([found]) => SAME[found.toLowerCase()] ?? found.toLowerCase());
}
