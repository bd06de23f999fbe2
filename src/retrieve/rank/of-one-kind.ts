/**
 * Notes of one kind say the same of one thing after the other: `overbooking limit in radiology is 2`, `… in psychiatry is
 * 5`. A question about a third is as near to all of them, and none of them answers it.
 */
/** The thing that a title tells of, and what the other title has in that place. */
export interface Slot {
  readonly ours: string;
  readonly theirs: string;
}

/** A longer difference is another statement. */
const MAX_WORDS = 3;
/** Share of the longer title that both have, beside numbers. */
const ONE_FRAME = 0.5;
const WORD = /[^\s,.;:()[\]"'`]+/g;
const NUMBER_WORDS: ReadonlySet<string> = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred once
  twice`.split(/\s+/),
);

/** The one place in which two titles differ, values apart; absent where they say different things. */
export function slotOf(title: string, other: string): Slot | undefined {
  const [ours, theirs] = [wordsOf(title), wordsOf(other)];
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
  return { ours: ourPart.join(" "), theirs: theirPart.join(" ") };
}

function wordsOf(title: string): string[] {
  const words = title.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !/\d/.test(word) && !NUMBER_WORDS.has(word));
}
