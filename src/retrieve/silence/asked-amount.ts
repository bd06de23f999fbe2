/**
 * Some questions say what kind of amount or address would answer them. A note without one is about their subject and no
 * answer. English, and only forms that leave no doubt.
 */
import { ONE_TO_TWELVE } from "../../text/lexicons/number-words.ts";

interface Amount {
  /** As it is told to the agent. */
  readonly name: string;
  /** Questions that ask for it. */
  readonly asked: RegExp;
  /** Notes that may hold one: rather too many than too few. */
  readonly held: RegExp;
}

const COUNTS = `zero|no|none|${ONE_TO_TWELVE.join("|")}|dozen|twenty|thirty|hundred|once|twice|single|both|half|unlimited`;

const AMOUNTS: readonly Amount[] = [
  {
    name: "a number",
    asked: /^\s*how many\b/i,
    held: new RegExp(String.raw`\d|\b(?:${COUNTS})\b`, "i"),
  },
  {
    name: "a price",
    asked:
      /^\s*how much (?:does|do|is|are|did)\b.*\b(?:cost|pay|charge[ds]?)\b|^\s*what (?:does|do)\b.*\bcost\b|^\s*price (?:of|per|for)\b/i,
    held: /[€$£¥]|\b(?:euros?|dollars?|francs?|pounds?|cents?|kr|eur|usd|gbp|chf|free|nothing|costs?|price[ds]?|pay|paid|fee)\b|%/i,
  },
  { name: "a year", asked: /\b(?:which|what) year\b/i, held: /\b(?:19|20)\d\d\b/ },
  {
    name: "a number to call",
    asked: /\b(?:tele)?phone number\b/i,
    held: /(?<![\d-])(?!\d{4}-\d\d-\d\d)\+?\d[\d ()/-]{5,}\d/,
  },
  { name: "an address with @", asked: /\be-?mail address\b/i, held: /@/ },
];

/** What the question asks for and the note does not hold; absent where it may answer. */
export function missingAmount(question: string, note: string): string | undefined {
  return AMOUNTS.find(({ asked, held }) => asked.test(question) && !held.test(note))?.name;
}
