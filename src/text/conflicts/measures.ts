/** Numbers of a statement with what they count, so that only like is held against like. */
import { queryTerms } from "../words.ts";

export interface Measure {
  readonly value: string;
  /** What is counted, or the unit: `approv`, `second`; empty for a bare number such as a port. */
  readonly of: string;
  readonly bound: "upper" | "lower" | "none";
}

const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const WORD_FOR_NUMBER = new RegExp(`\\b(${NUMBER_WORDS.join("|")})(?=[ -]\\p{Ll}{3})(?! of\\b)`, "giu");
const MEASURE = /(?<![\w.$/-])(v?\d+(?:[.,]\d+)*)(?:\s?(%)|[\s-]?(\p{L}{1,20}))?(?![\w/])/gu;
const UNITS: Readonly<Record<string, string>> = {
  s: "second",
  sec: "second",
  secs: "second",
  ms: "millisecond",
  m: "minute",
  min: "minute",
  mins: "minute",
  h: "hour",
  hr: "hour",
  hrs: "hour",
  d: "day",
  chars: "character",
  kb: "kilobyte",
  mb: "megabyte",
  gb: "gigabyte",
};
const NO_UNIT =
  /^(?:and|or|to|for|in|on|by|of|is|are|at|as|per|when|with|from|the|a|only|not|if|before|after|because|so|here|instead|since|then|\w+ly)$/i;
const REASON = /,?\s+\b(?:because|since|as)\b.*$/i;
const UPPER = /\b(?:max(?:imum)?|at most|up to|no more than|limit(?:ed)?|under|below|less than|within|cap(?:ped)?)\b/i;
const LOWER = /\b(?:min(?:imum)?|at least|no (?:less|fewer) than|more than|over|above)\b/i;

export interface VersionClaim {
  readonly of: string;
  readonly parts: readonly number[];
  /** Anything newer will do. */
  readonly isLeast: boolean;
}

const VERSION =
  /\b(?<of>node(?:\.js)?|python|java|go|ruby|php|rust|typescript|postgres(?:ql)?|mysql|redis|react|vue|angular|django|rails|spring(?: boot)?|kubernetes|terraform|pnpm|npm|yarn|gradle|kotlin|swift|\.net)\s+(?:version\s+)?(?:is\s+|at\s+|to\s+)?(?<least>>=|≥|\^|at least\s|minimum\s|from\s)?\s*v?(?<number>\d+(?:\.\d+){0,2})\b(?<open>\s*(?:\+|(?:or|and) (?:later|newer|above|higher|up)))?/gi;
const IN_FORCE =
  /\b(?:uses?|using|runs?|require[sd]?|needs?|pin(?:ned)?|targets?|locked|stays?|must|only|support(?:s|ed)?|minimum|builds?|built|version|standard|at least|language level)\b|>=|≥/i;

/** Versions of languages and platforms that a statement says are in use. */
export function versionsOf(statement: string): VersionClaim[] {
  if (!IN_FORCE.test(statement)) return [];
  return Array.from(statement.matchAll(VERSION), ({ groups = {} }) => ({
    of: (groups.of ?? "").toLowerCase().replace(/\.js$|(?<=^postgres)ql$/, ""),
    parts: (groups.number ?? "").split(".").map(Number),
    isLeast: groups.least !== undefined || groups.open !== undefined,
  }));
}

/** Whether no version satisfies both claims. `20` leaves open which 20. */
export function versionsClash(one: VersionClaim, other: VersionClaim): boolean {
  if (one.of !== other.of || (one.isLeast && other.isLeast)) return false;
  const [least, exact] = other.isLeast ? [other, one] : [one, other];
  const known = Math.min(least.parts.length, exact.parts.length);
  const at = least.parts.slice(0, known).findIndex((part, position) => part !== exact.parts[position]);
  if (at < 0) return false;
  return !least.isLeast || (exact.parts[at] ?? 0) < (least.parts[at] ?? 0);
}

/** A text with its small number words as digits. */
export function inDigits(text: string): string {
  return text.replace(WORD_FOR_NUMBER, (word) => String(NUMBER_WORDS.indexOf(word.toLowerCase()) + 1));
}

export function measuresOf(statement: string): Measure[] {
  const text = inDigits(statement).replace(REASON, "");
  const bound = UPPER.test(text) ? "upper" : LOWER.test(text) ? "lower" : "none";
  return Array.from(text.matchAll(MEASURE), ({ 1: number = "", 2: percent, 3: word }) => {
    const unit = percent ?? (word !== undefined && !NO_UNIT.test(word) ? word.toLowerCase() : undefined);
    const named = unit === undefined ? "" : (UNITS[unit] ?? unit);
    return { value: number.replace(/^v|,(?=\d{3}\b)/g, ""), of: queryTerms(named)[0] ?? named, bound };
  });
}
