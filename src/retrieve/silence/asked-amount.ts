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

const COUNTS = `zero|no|none|${ONE_TO_TWELVE.join("|")}|dozen|\\w+teen|\\w+ty|hundred|thousand|once|twice|thrice|single|both|half|pair|couple|several|few|some|all|every|each|unlimited|fortnight|quarter|an? (?:second|minute|hour|day|week|month|year)|(?:hour|dai|night|week|month|quarter|year)ly`;

const AMOUNTS: readonly Amount[] = [
  {
    name: "a number",
    asked: /^\s*how many\b/i,
    held: new RegExp(`\\d|\\b(?:${COUNTS})\\b`, "i"),
  },
  {
    name: "a price",
    asked: /^\s*what (?:does|do)\b.*\bcost\s*\??\s*$/i,
    held: /\d|[€$£¥]|\b(?:free|gratis|nothing)\b/i,
  },
  {
    name: "a price",
    asked: /^\s*price (?:of|per|for)\b/i,
    held: /[€$£¥]|\b(?:euros?|dollars?|francs?|pounds?|crowns?|cents?|free|gratis|nothing|costs?|price[ds]?|pay|paid|fee)\b|\b(?!API|SLA|URL|SQL)[A-Z]{3}\b|zł|%/,
  },
  { name: "a year", asked: /^\s*(?:in |since )?(?:which|what) year\b/i, held: /\b(?:19|20)\d\d\b|'\d\d\b|\byears?\b/ },
  {
    name: "a number to call",
    asked: /^\s*what(?:'s| is) the (?:tele)?phone number\b/i,
    held: /(?<![\d-])(?!\d{4}-\d\d-\d\d)\+?\d[\d ()/-]{3,}\d/,
  },
  { name: "an address with @", asked: /^\s*what(?:'s| is) the e-?mail address\b/i, held: /@/ },
];

/** What the question asks for and the note does not hold; absent where it may answer. */
export function missingAmount(question: string, note: string): string | undefined {
  return AMOUNTS.find(({ asked, held }) => asked.test(question) && !held.test(note))?.name;
}
