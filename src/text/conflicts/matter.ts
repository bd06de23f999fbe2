/** Whether two claims are about one matter: whatever narrows one side alone makes it another. */
import { queryTerms } from "../words.ts";
import { type Claim, properIn, wordsOf } from "./claim.ts";
import { areRivals, purposeOf } from "./rivals.ts";

const known = new Map<string, readonly string[]>();

/** A word as the rules hold it. Words that are set aside are few, and the same again and again. */
function folded(word: string): readonly string[] {
  const words = known.get(word) ?? queryTerms(word);
  if (known.size < 2_000) known.set(word, words);
  return words;
}

export function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}

/** Whether both are limited alike; a limit that is itself the choice (`docs in Markdown`, `build with Docker`) is none. */
export function sameLimits(file: Claim, memory: Claim): boolean {
  const ours = file.about.filter((word) => !memory.tokens.some((token) => areRivals(token, word)));
  return same(
    ours,
    memory.about.filter((word) => !file.tokens.some((token) => areRivals(token, word))),
  );
}

/** Clauses of sentences that are alike but for their subject: `at Frick, loading begins at 5; gate 2 is for vans`. */
export function areSiblings(file: Claim, memory: Claim): boolean {
  const [ours, theirs] = [file.leadWords, memory.leadWords];
  if (ours.size === 0 || theirs.size === 0) return false;
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  return shared > 0 && shared < ours.size && shared < theirs.size;
}

/** Whether two claims are about one matter, the words in which they differ set aside. */
export function sameMatter(
  file: Claim,
  memory: Claim,
  { apart, least }: { apart: readonly string[]; least: number },
): boolean {
  const set = new Set(apart.flatMap(folded));
  const ours = [...file.words].filter((word) => !set.has(word));
  const theirs = new Set([...memory.words].filter((word) => !set.has(word)));
  if (narrows(file, memory, set) || narrows(memory, file, set)) return false;
  const shared = ours.filter((word) => theirs.has(word)).length;
  const smaller = Math.min(ours.length, theirs.size);
  if (shared < least) return false;
  if (smaller === 1 && (turnsInto(file, memory, set) || turnsInto(memory, file, set))) return false;
  return shared === smaller || (shared >= 4 && shared / smaller >= 0.75);
}

/** Sentences with one of these tell of trouble with a tool, not of what it is used for. */
const TROUBLE = /\b(?:fail|break|broke|crash|bug|problem|wrong|slow|leak|publish|registry|mirror)/i;

/**
 * Whether two claims that name rivals say what a project uses for the rivals' one purpose: each names the purpose or
 * nothing but the tool, and neither limits it (`the importer's dependencies`, `dependencies of the importer`).
 */
export function samePurpose(file: Claim, memory: Claim, tools: readonly [string, string]): boolean {
  const purpose = new Set(purposeOf(...tools).flatMap(folded));
  if (purpose.size === 0 || TROUBLE.test(file.text) || TROUBLE.test(memory.text)) return false;
  const set = new Set([...purpose, ...tools.flatMap(folded)]);
  const left = (claim: Claim): string[] => [...claim.words].filter((word) => !set.has(word));
  const isOnIt = (claim: Claim): boolean =>
    left(claim).length === 0 || [...claim.words].some((word) => purpose.has(word));
  if (!isOnIt(file) || !isOnIt(memory) || isOfOther(file, memory) || isOfOther(memory, file)) return false;
  if (left(file).length > 0 && left(memory).length > 0) return false;
  const isLimited = (one: Claim, other: Claim): boolean =>
    [...wordsOf(properIn(one.text).join(" "))].some((name) => !other.words.has(name) && !set.has(name)) ||
    one.pairs.some(
      ([word, next]) => purpose.has(next) && !set.has(word) && one.words.has(word) && !other.words.has(word),
    );
  return !isLimited(file, memory) && !isLimited(memory, file);
}

/**
 * Whether one side is about a part, a kind or a namesake of what the other is about: `audit logs` are not all `logs`,
 * `backups of staging` not `staging`, `depot Thusis` not `depot Vevey`.
 */
function narrows(one: Claim, other: Claim, apart: ReadonlySet<string>): boolean {
  const isForeign = (word: string): boolean => one.words.has(word) && !other.words.has(word) && !apart.has(word);
  if (one.names.some(isForeign)) return true;
  return [...one.pairs, ...one.parts].some(([word, next]) => isForeign(word) && other.words.has(next));
}

/** The same for a matter of one word, which any noun after it may turn into another: `staging backups`. */
function turnsInto(one: Claim, other: Claim, apart: ReadonlySet<string>): boolean {
  const isForeign = (word: string): boolean => one.words.has(word) && !other.words.has(word) && !apart.has(word);
  return one.pairs.some(([word, next]) => other.words.has(word) && !apart.has(word) && isForeign(next));
}

/** `the time-out of uploads` against `the time-out`. */
export function isOfOther(one: Claim, other: Claim): boolean {
  return one.ofWords.some((word) => !other.words.has(word));
}
