/**
 * Words for the full-text indexes. Writing and querying fold texts by the same rules, so that a word is found however
 * it was spelled: identifiers stand as their parts and as a whole, English endings are taken off, accents too, and
 * scripts that put no spaces between words stand as overlapping pairs of characters.
 */
import { isAscii } from "./ascii.ts";
import { splitIdentifier } from "./symbols.ts";

/** A longer word is a key or a digest: its beginning tells it apart. */
const MAX_WORD_CHARACTERS = 64;
/** An identifier of more parts is a sentence joined by hyphens; its whole would match nothing. */
const MAX_IDENTIFIER_PARTS = 6;

/** No identifier of several parts, and short enough to stand as it is. */
const PLAIN_RUN = /^[A-Z]?[a-z0-9]{1,63}$/;
const ASCII_RUN = /[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*/g;
/** Where a part of an identifier ends: before a capital after a small letter or digit, before the last of several capitals. */
const ASCII_PART_END = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+/;
const APOSTROPHES = /(?<=[A-Za-z\u00c0-\u024f])['\u2019](?=[A-Za-z\u00c0-\u024f])/g;
const ACCENTS = /[\u0300-\u036f]/g;

/** Patterns over all of Unicode take milliseconds to compile: only a process that meets such a text pays for them. */
interface UnicodePatterns {
  readonly run: RegExp;
  /** Runs of one kind of script within a run. */
  readonly segment: RegExp;
  readonly unspaced: RegExp;
}

const UNSPACED_SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"];
let compiled: UnicodePatterns | undefined;

function unicodePatterns(): UnicodePatterns {
  const scripts = UNSPACED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join("");
  compiled ??= {
    run: /[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/gu,
    segment: new RegExp(`[${scripts}]+|[^${scripts}]+`, "gu"),
    unspaced: new RegExp(`^[${scripts}]`, "u"),
  };
  return compiled;
}

/** English words that questions and notes share whatever they are about. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be been before being both but by can could did do does doing
  dont down during each few for from further had has have having he her here hers him his how i if in into is isnt it
  its just let me more most my no nor not now of off on once only or other our out over own please same she should so
  some such than that the their them then there these they this those through to too under until up us very was we were
  what whats when where which while who whom why will with would you your`.split(/\s+/),
);

/** @returns The words of a text, folded, separated by spaces: what goes into a full-text column. */
export function indexTokens(text: string): string {
  return wordsOf(text, true).join(" ");
}

export interface QueryTermOptions {
  /** Leaves out words that every text shares, unless nothing else is there. For short texts; on long ones it costs. */
  readonly dropFunctionWords?: boolean;
}

/** @returns The words of a question as the index holds them, each once, in order. */
export function queryTerms(text: string, options: QueryTermOptions = {}): string[] {
  const telling = options.dropFunctionWords === true ? wordsOf(withoutFunctionWords(text), false) : [];
  return [...new Set(telling.length > 0 ? telling : wordsOf(text, false))];
}

/** Whether a word stands for all pairs that begin with it: one character of an unspaced script. */
export function isSingleCharacter(word: string): boolean {
  return word.length <= 2 && !isAscii(word) && [...word].length === 1 && unicodePatterns().unspaced.test(word);
}

function withoutFunctionWords(text: string): string {
  return text
    .replace(APOSTROPHES, "")
    .replace(/(?<![A-Za-z0-9_-])[A-Za-z]+(?![A-Za-z0-9_-])/g, (word) =>
      FUNCTION_WORDS.has(word.toLowerCase()) ? " " : word,
    );
}

function wordsOf(text: string, forIndex: boolean): string[] {
  const plain = text.replace(APOSTROPHES, "");
  if (isAscii(plain)) {
    const words: string[] = [];
    for (const run of plain.match(ASCII_RUN) ?? []) {
      if (PLAIN_RUN.test(run)) words.push(stem(run.toLowerCase()));
      else words.push(...identifierWords(run, run.split(ASCII_PART_END)));
    }
    return words;
  }
  const { run, segment, unspaced } = unicodePatterns();
  return (plain.normalize("NFKC").match(run) ?? []).flatMap((part) =>
    (part.match(segment) ?? []).flatMap((piece) =>
      unspaced.test(piece) ? characterPairs(piece, forIndex) : identifierWords(piece, splitIdentifier(piece)),
    ),
  );
}

/** The last character stands alone as well in the index, so that a question of one character finds it by its beginning. */
function characterPairs(segment: string, forIndex: boolean): string[] {
  const characters = [...segment];
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  const last = characters.at(-1) ?? "";
  return forIndex || pairs.length === 0 ? [...pairs, last] : pairs;
}

function identifierWords(segment: string, split: readonly string[]): string[] {
  const parts = [...new Set(split.map((part) => fold(part.toLowerCase())))].filter((part) => part !== "");
  if (parts.length < 2 || parts.length > MAX_IDENTIFIER_PARTS) return parts;
  return [...parts, fold(segment.replace(/[_-]/g, "").toLowerCase())];
}

function fold(word: string): string {
  const folded = /^[a-z0-9]*$/.test(word) ? word : word.normalize("NFD").replace(ACCENTS, "").normalize("NFC");
  return stem(folded.length > MAX_WORD_CHARACTERS ? [...folded].slice(0, MAX_WORD_CHARACTERS).join("") : folded);
}

/** Endings with what they leave behind and how many letters must stay; the first that fits is taken. */
const ENDINGS: readonly (readonly [ending: RegExp, left: string, atLeast: number])[] = [
  [/sses$/, "ss", 2],
  [/ies$/, "y", 2],
  [/(?<![su])s$/, "", 3],
  [/(?:ations?|ating|ated|ates?)$/, "", 4],
  [/(?<=[ts])ions?$/, "", 4],
  [/(?:ingly|edly)$/, "", 4],
  [/(?<=[aeiouy].*)(?:ing|ed)$/, "", 3],
  [/ments?$/, "", 4],
  [/ness$/, "", 4],
  [/ly$/, "", 4],
  [/(?:er|or)$/, "", 4],
  [/(?<=[^aeiou])e$/, "", 4],
];

/** Takes English endings off until none is left: doing it twice changes nothing. */
function stem(word: string): string {
  let current = word;
  while (/^[a-z]{4,}$/.test(current)) {
    const shorter = withoutEnding(current);
    if (shorter === current) break;
    current = shorter;
  }
  return current;
}

function withoutEnding(word: string): string {
  for (const [ending, left, atLeast] of ENDINGS) {
    if (!ending.test(word)) continue;
    const rest = word.replace(ending, left);
    if (rest.length >= atLeast) return rest.replace(/([bdfgklmnprt])\1$/, "$1");
  }
  return word;
}
