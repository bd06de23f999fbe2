/**
 * Dates in goals and commits: "what we changed yesterday", "broken since March". A small grammar of English; what it reads
 * says which memories are nearer in time, and excludes none. Days are those of UTC.
 */
import { DAY_MS, startOfDay } from "../../core/time/days.ts";

/** From inclusive, to exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface ReadAt {
  /** When the text was written: "yesterday" is the day before. */
  readonly at: Date;
  /** Where it is known; "since the last release" says nothing without it. */
  readonly lastRelease?: Date | null | undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const NUMBERS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
const RELEASE = "(?:the )?(?:last|latest|previous) release";
/** A deploy is dated by the day; what was learned of it came around it. */
const RELEASE_DAYS = 3;

/** Whether reading it takes the date of the last release. */
export function mentionsRelease(text: string): boolean {
  return new RegExp(`\\b${RELEASE}\\b`, "i").test(text);
}

/** One reading of a phrase; undefined where its words say no date. */
type Reading = (words: readonly string[], context: ReadAt) => Period | undefined;

const MONTH_NAME =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const WEEKDAY_NAME = "(mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?";
const COUNT = "(\\d{1,3}|an?|one|two|three|four|five|six)";
const UNIT = "(day|week|month|quarter|year)s?";

const PHRASES: readonly (readonly [string, Reading])[] = [
  ["today|this morning", (_, { at }) => days(at, 0, 1)],
  ["(?:the )?day before yesterday", (_, { at }) => days(at, -2, 1)],
  ["(?<!before )yesterday|last night", (_, { at }) => days(at, -1, 1)],
  [`${COUNT} ${UNIT} ago`, ([count, unit], { at }) => ago(at, count, unit)],
  [`(?:the )?(?:last|past) ${COUNT} ${UNIT}`, ([count, unit], { at }) => recent(at, count, unit)],
  [`(this|last) ${UNIT}`, ([which, unit = ""], { at }) => calendar(at, unit, which === "last" ? 1 : 0)],
  [`(?:last|on) ${WEEKDAY_NAME}`, ([day = ""], { at }) => lastWeekday(at, day)],
  ["(\\d{4})-(\\d\\d)-(\\d\\d)", ([year, month, day]) => dated(year, month, day)],
  [`(?:in |last |since )${MONTH_NAME}(?: (\\d{4}))?`, ([month, year], { at }) => monthOf(at, month, year)],
  [RELEASE, (_, { lastRelease }) => (lastRelease ? days(lastRelease, 0, RELEASE_DAYS) : undefined)],
];
const READERS = PHRASES.map(([phrase, read]) => ({
  pattern: new RegExp(`\\b(since )?(?:${phrase})\\b`, "gi"),
  read,
}));

/** The periods that a text names, none for most texts. "Since" reaches until the text was written. */
export function readPeriods(text: string, context: ReadAt): Period[] {
  return READERS.flatMap(({ pattern, read }) =>
    [...text.matchAll(pattern)].flatMap(([whole, , ...words]) => {
      const period = read(
        words.map((word) => word?.toLowerCase() ?? ""),
        context,
      );
      if (period === undefined || Number.isNaN(period.from.getTime())) return [];
      const until = new Date(Math.max(period.to.getTime(), context.at.getTime()));
      return [/^since\b/i.test(whole) ? { from: period.from, to: until } : period];
    }),
  );
}

export function fallsInto(at: Date, periods: readonly Period[]): boolean {
  return periods.some(({ from, to }) => at >= from && at < to);
}

function days(at: Date, offset: number, count: number): Period {
  const from = startOfDay(at).getTime() + offset * DAY_MS;
  return { from: new Date(from), to: new Date(from + count * DAY_MS) };
}

function daysIn(count = "", unit = ""): number {
  return (NUMBERS[count] ?? Number(count)) * (UNIT_DAYS[unit] ?? Number.NaN);
}

/** Three weeks ago: a week, three weeks back. */
function ago(at: Date, count: string | undefined, unit: string | undefined): Period {
  const length = daysIn("1", unit);
  const back = daysIn(count, unit);
  return days(at, -back - Math.floor(length / 2), Math.max(1, length));
}

function recent(at: Date, count: string | undefined, unit: string | undefined): Period {
  const back = daysIn(count, unit);
  return days(at, -back, back + 1);
}

/** A whole week (from Monday), month, quarter or year of the calendar, this many back. */
function calendar(at: Date, unit: string, back: number): Period | undefined {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  switch (unit) {
    case "day":
      return days(at, -back, 1);
    case "week":
      return days(at, -((at.getUTCDay() + 6) % 7) - 7 * back, 7);
    case "month":
      return months(year, month - back, 1);
    case "quarter":
      return months(year, month - (month % 3) - 3 * back, 3);
    case "year":
      return months(year - back, 0, 12);
    default:
      return undefined;
  }
}

function months(year: number, month: number, count: number): Period {
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + count, 1)) };
}

function lastWeekday(at: Date, name: string): Period | undefined {
  const day = WEEKDAYS.indexOf(name.slice(0, 3));
  const back = (at.getUTCDay() - day + 7) % 7 || 7;
  return day === -1 ? undefined : days(at, -back, 1);
}

function dated(year: string | undefined, month: string | undefined, day: string | undefined): Period {
  return days(new Date(`${year}-${month}-${day}T00:00:00Z`), 0, 1);
}

/** The last month of that name that has begun. */
function monthOf(at: Date, name: string | undefined, year: string | undefined): Period | undefined {
  const month = MONTHS.indexOf((name ?? "").slice(0, 3));
  if (month === -1) return undefined;
  const latest = at.getUTCFullYear() - (month > at.getUTCMonth() ? 1 : 0);
  return months(year ? Number(year) : latest, month, 1);
}
