/**
 * Guards against taking two claims for one. Vectors and shingles do not see that `not`, `v3` for `v4` or `npm` for
 * `pnpm` turn a claim round: what decides a claim is collected here by rule and compared.
 */
import { isNamedThing, POLES } from "./lexicons/claim-words.ts";
import { ONE_TO_TWELVE } from "./lexicons/number-words.ts";
import { canonicalWords } from "./shingles.ts";
import { extractSymbols, normaliseSymbol } from "./symbols.ts";

/** Sorted, each once. */
export interface ClaimSets {
  readonly numbers: readonly string[];
  readonly versions: readonly string[];
  /** What is denied or forbidden, with the word that follows: `not>npm`, `instead>yarn`. */
  readonly negations: readonly string[];
  /** Order and direction, with the word that follows: `before>deploy`. */
  readonly relations: readonly string[];
  /** Symbols, tools, proper names. */
  readonly identifiers: readonly string[];
  /** Words that have an opposite: `enabled`, `first`, `async`. */
  readonly poles: readonly string[];
  readonly prohibitions: readonly string[];
}

const VERSION =
  /(?<![\w.])[v^~]?\d+\.\d+(?:\.\d+|\.x)*(?:-[\w.]+)?(?!\w)|\bv\d+\b|\b(?:version|node|python|java|go|release)\s+\d+\b/gi;
const NUMBER = /(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?:\s?%)?/g;
const NUMBER_WORDS: ReadonlySet<string> = new Set([
  ...ONE_TO_TWELVE,
  ..."zero twenty thirty sixty hundred thousand million once twice daily hourly weekly monthly yearly nightly".split(
    " ",
  ),
]);

const NEGATION =
  /^(?:not|no|never|none|nothing|without|neither|nor|except|unless|avoid|avoids|stop|stopped|forbidden|nicht|kein\w{0,2}|nie|niemals|ohne|ne|pas|jamais|sans|nunca|jamás|sin|não|nem|sem)$/;
const RELATION =
  /^(?:before|after|than|over|until|since|from|above|below|under|against|instead|rather|via|through|into|onto)$/;
const FILLER = /^(?:of|the|a|an|to|be|is|are|use|using|used|any|that|this|it|its|with|in|on|for|than|do|run)$/;

export const HEDGES =
  /\b(?:may|might|could|maybe|perhaps|probably|possibly|likely|usually|typically|normally|generally|often|sometimes|occasionally|mostly|seems?|seemingly|appears?|apparently|presumably|roughly|approximately|about|around|suspect(?:ed)?|tends? to|in most cases|not sure|unclear|vielleicht|wahrscheinlich|peut-être|probablement|quizás?|talvez)\b/gi;
export const CONDITIONS =
  /\b(?:if|when|whenever|while|unless|until|except|only|provided|as long as|in case|otherwise|depending on|during|outside|wenn|falls|nur|sauf|seulement|si|solo|sólo|apenas)\b/gi;
export const PROHIBITIONS =
  /\b(?:never|(?:must|do|does|should|can|may|shall) not|(?:mus|do|does|should|ca|sha)n't|cannot|avoid|forbidden|prohibited|not allowed|disallowed|no longer|refrain|stop using|nie|niemals|nicht|jamais|nunca)\b/gi;

/** Everything in a text that decides what it claims. */
export function claimSets(text: string): ClaimSets {
  const plain = spelledOut(text);
  const words = canonicalWords(plain);
  const versions = matchesIn(plain, VERSION).map((version) => version.replace(/^v(?=\d)|\s+/g, ""));
  return {
    numbers: sorted([...matchesIn(plain, NUMBER).map(plainNumber), ...words.filter((word) => NUMBER_WORDS.has(word))]),
    versions: sorted(versions),
    negations: sorted(withObject(words, NEGATION)),
    relations: sorted(withObject(words, RELATION)),
    identifiers: sorted([
      ...extractSymbols(plain).map(normaliseSymbol),
      ...words.filter(isNamedThing),
      ...names(plain),
    ]),
    poles: sorted(words.filter((word) => POLES.has(word))),
    prohibitions: sorted(matchesIn(plain, PROHIBITIONS)),
  };
}

/** The sets in which two duplicates must agree exactly. Hedges and conditions are weighed where texts are merged. */
const DECIDING = ["numbers", "versions", "negations", "relations", "identifiers", "poles", "prohibitions"] as const;

/**
 * Whether nothing that decides a claim differs between two texts. A difference that only looks like one gives false:
 * then a model is asked, and no memory is lost.
 */
export function sameClaimSets(a: string, b: string): boolean {
  const left = claimSets(a);
  const right = claimSets(b);
  return DECIDING.every((set) => left[set].join("\n") === right[set].join("\n"));
}

/** Contractions spelled out, so that `don't` and `do not` deny alike. */
function spelledOut(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\bcan(?:'t|not)\b/gi, "can not")
    .replace(/(?<=\w)n't\b/gi, " not");
}

/** Each word that matches, with the next word that carries meaning. */
function withObject(words: readonly string[], pattern: RegExp): string[] {
  return words.flatMap((word, at) => {
    if (!pattern.test(word)) return [];
    const object = words.slice(at + 1).find((next) => !FILLER.test(next)) ?? "";
    return [`${word}>${object}`];
  });
}

/** Capitalised words inside a sentence: people, products, teams. */
function names(text: string): string[] {
  return Array.from(text.matchAll(/(?<=[\p{Ll},] )\p{Lu}[\p{L}\p{N}]{2,}/gu), (match) => match[0].toLowerCase());
}

function plainNumber(number: string): string {
  return number.replace(/^\+|\s/g, "").replace(/,(?=\d{3}\b)/g, "");
}

/** What a pattern finds, lower case. */
export function matchesIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[0].toLowerCase());
}

function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}
