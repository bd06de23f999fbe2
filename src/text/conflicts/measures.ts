/** Numbers of a statement with what they count, so that only like is held against like. */
import { ONE_TO_TWELVE } from "../lexicons/number-words.ts";
import { queryTerms } from "../words.ts";

/** Words with which a thing is counted or measured; they may be said or left out. */
export const COUNTS = "rate length size number count value amount lifetime".split(" ");

export interface Measure {
  /** In seconds or bytes where the unit is one of time or size. */
  readonly amount: number;
  /** As it was written, with its unit. */
  readonly shown: string;
  readonly unit: string;
  /** What is counted, or the unit: `approv`, `second`; empty for a bare number such as a port. */
  readonly of: string;
  readonly bound: "upper" | "lower" | "none";
}

const TENS: Readonly<Record<string, string>> = { fifteen: "15", twenty: "20", thirty: "30", forty: "40", fifty: "50" };
const MORE: Readonly<Record<string, string>> = { sixty: "60", ninety: "90", hundred: "100", thousand: "1000" };
const DIGITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ONE_TO_TWELVE.map((word, at) => [word, String(at + 1)])),
  ...TENS,
  ...MORE,
};
const WORD_FOR_NUMBER = new RegExp(
  `\\b(?:an? (?=hundred|thousand))?(${Object.keys(DIGITS).join("|")})(?=[ -]\\p{Ll}{3})(?! of\\b)`,
  "giu",
);
const MEASURE = /(?<![\w.$/-])(v?\d+(?:[.,]\d+)*)(?:\s?(%)|[\s-]?(\p{L}{1,20}))?(?![\w/])/gu;

const SECONDS: Readonly<Record<string, number>> = {
  millisecond: 0.001,
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
  month: 2_592_000,
  year: 31_536_000,
};
const BYTES: Readonly<Record<string, number>> = { byte: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 };
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
  kib: "kb",
  mib: "mb",
  gib: "gb",
  tib: "tb",
  kilobyte: "kb",
  megabyte: "mb",
  gigabyte: "gb",
};
/** A month is no exact time, and a gigabyte is 1,000 or 1,024 megabytes: so much may two amounts of different units differ. */
const SAME_WITHIN = 0.035;
const NO_UNIT =
  /^(?:and|or|to|for|in|on|by|of|is|are|at|as|per|when|with|from|the|a|only|not|if|before|after|because|so|here|instead|since|then|\w+ly)$/i;
export const REASON = /,?\s+\b(?:because|since|as)\b.*$/i;
const UPPER =
  /\b(?:max(?:imum)?|at most|up to|limit(?:ed)?|under|below|(?:less|smaller|shorter|lower) than|within|cap(?:ped)?|or (?:fewer|less))\b|<=|≤/i;
const LOWER = /\b(?:min(?:imum)?|at least|(?:more|larger|longer|higher) than|over|above|exceeds?|or more)\b|>=|≥/i;

export interface VersionClaim {
  readonly of: string;
  readonly parts: readonly number[];
  /** Anything newer will do. */
  readonly isLeast: boolean;
}

const VERSION =
  /\b(?<of>node(?:\.js)?|deno|bun|python|java|jdk|go|ruby|php|rust|typescript|postgres(?:ql)?|mysql|mariadb|mongodb|redis|sqlite|elasticsearch|opensearch|kafka|react|vue|angular|svelte|next\.js|django|rails|laravel|spring(?: boot)?|kubernetes|terraform|helm|ansible|pnpm|npm|yarn|gradle|maven|kotlin|scala|swift|flutter|electron|tailwind|eslint|\.net|ubuntu|debian|alpine|ios|android|xcode|http|c\+\+|api(?=\s+(?:version|v\d)))(?:[\s/]+|(?=:)|(?<=\+)(?=\d))(?:version\s*)?(?:(?:must |has to )?(?:is|stays?|be|remains?|pinned|locked)\s+)?(?:at\s+|to\s+|on\s+|:\s*)?(?<least>>=|≥|\^|~|at least\s|minimum\s|from\s)?\s*v?(?<number>\d{1,3}(?:\.\d+){0,2})\b(?!\d)(?<open>\s*(?:\+|(?:or|and) (?:later|newer|above|higher|up)))?(?!\s*(?:%|ms\b|(?:second|minute|hour|day|time|instance|node|replica|worker|server|call|request|job)s?\b))/gi;
const LEAST = /\b(?:minimum|min|oldest|at least)\b/i;
const IN_FORCE =
  /\b(?:uses?|using|runs?|require[sd]?|needs?|ha(?:s|ve) to|pin(?:ned)?|targets?|locked|stays?|must|only|support(?:s|ed)?|minimum|builds?|built|compiled?|version|standard|at least|language level|written for|install)\b|>=|≥/i;
/** A statement as short as that is a rule, not a story. */
const FEW_WORDS = 7;
const TROUBLE =
  /\b(?:bugs?|crash\w*|segfaults?|leaks?|broken|breaks|fails?|slow|wrong|errors?|works|checked|tested|tried|verified)\b/i;

const TRIED = /\b(?:checked|tested|verified)\b/i;

/** Versions of languages and platforms that a statement says are in use. */
export function versionsOf(statement: string): VersionClaim[] {
  const isShort = statement.split(/\s+/).length <= FEW_WORDS && !TROUBLE.test(statement);
  if (!isShort && (!IN_FORCE.test(statement) || TRIED.test(statement))) return [];
  return Array.from(statement.matchAll(VERSION), ({ groups = {}, index }) => ({
    of: (groups.of ?? "").toLowerCase().replace(/\.js$|(?<=^postgres)ql$/, ""),
    parts: (groups.number ?? "").split(".").map(Number),
    isLeast:
      (groups.least !== undefined && groups.least !== "~") ||
      groups.open !== undefined ||
      LEAST.test(statement.slice(0, index)),
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
  return text.replace(WORD_FOR_NUMBER, (_, word: string) => DIGITS[word.toLowerCase()] ?? word);
}

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = `(?<month>${MONTHS.join("|")})`;

/** Hours and days as one number and a unit of their own: `9:30` is 570 `oclock`, the 15th of December 1215 `calendarday`. */
function timesAsNumbers(text: string): string {
  const day = (month: number, date: string): string => `${month * 100 + Number(date)} calendarday`;
  const named = (month: string): number => MONTHS.indexOf(month.toLowerCase()) + 1;
  return text
    .replace(/\b\d{4}-(\d\d)-(\d\d)\b/g, (_, month: string, date: string) => day(Number(month), date))
    .replace(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b`, "gi"), (_, date: string, month: string) =>
      day(named(month), date),
    )
    .replace(new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)`, "gi"), (_, month: string, date: string) =>
      day(named(month), date),
    )
    .replace(
      /\b(\d{1,2}):(\d\d)\b(?!:)/g,
      (_, hour: string, minute: string) => `${Number(hour) * 60 + Number(minute)} oclock`,
    )
    .replace(/\b(\d{1,2}) ?(am|pm)\b/gi, (_, hour: string, half: string) => {
      return `${((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0)) * 60} oclock`;
    });
}

export function measuresOf(statement: string): Measure[] {
  const text = timesAsNumbers(
    inDigits(statement)
      .replace(REASON, "")
      .replace(VERSION, " ")
      .replace(/\bhalf an hour\b/gi, "30 minutes")
      .replace(/\ban? (?=(?:second|minute|hour|day|week|fortnight|month|year)\b)/gi, "1 "),
  );
  const bound = UPPER.test(text) ? "upper" : LOWER.test(text) ? "lower" : "none";
  return Array.from(text.matchAll(MEASURE), ({ 0: shown, 1: number = "", 2: percent, 3: word, index }) => {
    const isEach = /\bevery\s*$/.test(text.slice(0, index));
    const unit = percent ?? (word !== undefined && !NO_UNIT.test(word) ? word.toLowerCase() : undefined);
    const { of, ...counted } = inBaseUnit(number, unit);
    return { ...counted, of: isEach ? `every ${of}` : of, shown: unit === undefined ? number : shownAs(shown), bound };
  });
}

/** Hours and days as people write them. */
function shownAs(measure: string): string {
  return measure
    .replace(/^(\d+) oclock$/, (_, minutes: string) => {
      return `${Math.floor(Number(minutes) / 60)}:${String(Number(minutes) % 60).padStart(2, "0")}`;
    })
    .replace(/^(\d+) calendarday$/, (_, day: string) => {
      return `${Number(day) % 100} ${MONTHS[Math.floor(Number(day) / 100) - 1] ?? ""}`;
    });
}

function inBaseUnit(number: string, unit: string | undefined): Pick<Measure, "amount" | "unit" | "of"> {
  const count = Number(number.replace(/^v|,(?=\d{3}\b)/g, "").replace(",", "."));
  if (unit === undefined) return { amount: count, unit: "", of: "" };
  const plain = UNITS[unit] ?? unit;
  const single = UNITS[plain.replace(/s$/, "")] ?? plain.replace(/s$/, "");
  for (const [base, factors] of BASES) {
    const factor = factors[single];
    if (factor !== undefined) return { amount: count * factor, unit: single, of: base };
  }
  return { amount: count, unit: single, of: queryTerms(plain)[0] ?? plain };
}

const BASES = [
  ["second", SECONDS],
  ["byte", BYTES],
] as const;

/** Whether two numbers of one thing can't both be right. */
export function amountsClash(one: Measure, other: Measure): boolean {
  if (!areAlike(one, other) || isSameAmount(one, other)) return false;
  if (one.bound === other.bound) return true;
  const [limit, plain] = one.bound === "none" ? [other, one] : [one, other];
  if (plain.bound !== "none") return false;
  return limit.bound === "upper" ? plain.amount > limit.amount : plain.amount < limit.amount;
}

/** A bare number may leave out that it counts characters. */
export function areAlike(one: Measure, other: Measure): boolean {
  return one.of === other.of || (one.of === "" && isCount(other)) || (other.of === "" && isCount(one));
}

const isCount = ({ of }: Measure): boolean => /^(?:charact|line|row|item|pixel)$/.test(of);

export function isSameAmount(one: Measure, other: Measure): boolean {
  if (!areAlike(one, other)) return false;
  const difference = Math.abs(one.amount - other.amount);
  return difference <= (one.unit === other.unit ? 0 : Math.max(one.amount, other.amount) * SAME_WITHIN);
}

/** Words that may stand for the unit of an amount: they tell nothing of what is counted. */
export function unitWords(of: string): readonly string[] {
  if (of.endsWith("second")) return [...Object.keys(SECONDS), ...Object.keys(UNITS)];
  if (of === "calendarday") return MONTHS;
  if (of === "byte") return [...Object.keys(BYTES), ...Object.keys(UNITS)];
  return PHYSICAL.test(of) ? [of] : [];
}

/** Units that anything may have; what else is counted is the matter itself. */
const PHYSICAL = /^(?:|%|charact|line|time|row|pixel|px|degree|meter|kilometer|oclock|calendarday)$/;
