/**
 * Notes of one kind say the same of one thing after the other: `overbooking limit in radiology is 2`, `… in psychiatry is
 * 5`. A question about a third is as near to all of them, and none of them answers it.
 */
import { ONE_TO_TWELVE } from "../../text/lexicons/number-words.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { queryTerms } from "../../text/words.ts";

/** The thing that a title tells of, and what the other title has in that place. */
export interface Slot {
  readonly ours: string;
  readonly theirs: string;
  /** What both titles have before and after it, as words. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A longer difference is another statement. */
const MAX_WORDS = 3;
/** Share of the longer title that both have, beside numbers. */
const ONE_FRAME = 0.5;
const COPULA = /\s(?:is|are)\s/;
const WORD = /[^\s,.;:()[\]"'`]+/g;
const NUMBER_WORDS: ReadonlySet<string> = new Set([
  ...ONE_TO_TWELVE,
  ..."zero fifteen twenty thirty forty fifty sixty ninety hundred once twice".split(" "),
]);

/** The one place in which two titles differ, values apart; absent where they say different things. */
export function slotOf(title: string, other: string): Slot | undefined {
  const [ours, theirs] = [subjectOf(title, other), subjectOf(other, title)].map(wordsOf);
  if (ours === undefined || theirs === undefined) return undefined;
  const whole = slotIn(ours, theirs);
  // Who does it may be the value: `Anna reviews changes of the [billing] module`, `Bo reviews …`.
  return whole ?? (ours[0] === theirs[0] ? undefined : slotIn(ours.slice(1), theirs.slice(1)));
}

function slotIn(ours: readonly string[], theirs: readonly string[]): Slot | undefined {
  const shorter = Math.min(ours.length, theirs.length);
  let before = 0;
  while (before < shorter && ours[before] === theirs[before]) before++;
  let after = 0;
  while (after < shorter - before && ours.at(-1 - after) === theirs.at(-1 - after)) after++;
  const [ourPart, theirPart] = [ours, theirs].map((words) => words.slice(before, words.length - after));
  if (ourPart === undefined || theirPart === undefined) return undefined;
  const longest = Math.max(ourPart.length, theirPart.length);
  if (Math.min(ourPart.length, theirPart.length) === 0 || longest > MAX_WORDS) return undefined;
  if ((before + after) / Math.max(ours.length, theirs.length) < ONE_FRAME) return undefined;
  const frame = { before: ours.slice(0, before), after: ours.slice(ours.length - after) };
  return { ours: ourPart.join(" "), theirs: theirPart.join(" "), ...frame };
}

/**
 * Whether a question has a word where the titles have theirs: `… does the dome at Saltreach have?` beside `The dome at
 * [Lowenbruck] has 10 projectors`. A telling word beside it has to be the same, or two that are not telling.
 */
export function standsInSlot(question: string, word: string, { before, after }: Slot): boolean {
  const words = wordsOf(question).map((one) => one.replace(/[?!]+$/, ""));
  const place = words.indexOf(word.toLowerCase());
  if (place < 0) return false;
  const [previous = "", earlier = ""] = [words[place - 1], words[place - 2]];
  const next = words[place + 1] ?? "";
  const isBehind = isSame(previous, before.at(-1)) && (tells(previous) || isSame(earlier, before.at(-2)));
  return isBehind || (tells(next) && isSame(next, after[0]));
}

function tells(word: string): boolean {
  return word.length > 3 && !isStopWord(word);
}

function isSame(word: string, other: string | undefined): boolean {
  return word !== "" && other !== undefined && (word === other || queryTerms(word)[0] === queryTerms(other)[0]);
}

/** What stands before `is`, where both say what something is: behind it is a value. */
function subjectOf(title: string, other: string): string {
  return COPULA.test(other) ? (title.split(COPULA)[0] ?? title) : title;
}

function wordsOf(title: string): string[] {
  const words = title.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !/\d/.test(word) && !NUMBER_WORDS.has(word));
}
