/**
 * Queries in other languages than English. The index takes English endings off; other languages inflect and compound in
 * ways of their own, so a word of such a query stands for all words that begin alike.
 */
import { isAscii } from "../../text/ascii.ts";

/** German, French, Spanish, Portuguese, Italian, Dutch: words that most sentences hold and English does not have. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  `der das dem den und ist sind nicht wie wer wo wann wird werden ein eine einen einem einer mit auf von zu zur zum bei nach
  welche welcher welches wir le les une des du et est sont que qui quoi quand comment pour avec dans sur quel quelle nous el
  los las una qué cómo cuándo dónde por para con del al se cuál os um uma quais quando onde com dos das na qual il lo gli di
  che per dove come het een van niet wat hoe waar wanneer`.split(/\s+/),
);
const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  "the of to is are we how what which when where who why does do for with on in and that this it by".split(" "),
);
/** Letters beyond English, in ranges: patterns by property take milliseconds to compile. */
const FOREIGN_LETTERS = /[\u00c0-\u024f\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

const LEAST_STEM = 4;
const ENDING = 3;
const LONG_WORD = 6;

export function isForeign(text: string): boolean {
  if (FOREIGN_LETTERS.test(text)) return true;
  const words = text.toLowerCase().split(isAscii(text) ? /[^a-z]+/ : /[^\p{L}]+/u);
  const count = (known: ReadonlySet<string>): number => words.filter((word) => known.has(word)).length;
  return count(FOREIGN_WORDS) > count(ENGLISH_WORDS);
}

/** What a word of a foreign text shares with its other forms; undefined for a short one, and for a name with a digit. */
export function sharedBeginning(word: string): string | undefined {
  const letters = [...word];
  if (letters.length < LONG_WORD || !isOfLetters(word)) return undefined;
  return letters.slice(0, Math.max(LEAST_STEM, letters.length - ENDING)).join("");
}

function isOfLetters(word: string): boolean {
  return /^[A-Za-z]+$/.test(word) || (!isAscii(word) && /^\p{L}[\p{L}\p{M}]*$/u.test(word));
}
