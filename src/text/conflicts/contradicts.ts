/**
 * Whether a memory says the contrary of a rules file, by rule and without a model. Precision comes first: two sentences
 * contradict only where they are about the same matter, in the same place, and differ in a value, a number or a `not`.
 * Whatever is limited, conditional, past or doubtful on one side is left alone.
 */
import { queryTerms } from "../words.ts";
import { type Claim, fileClaims, memoryClaims, NOT_ANYWHERE, SPAN_END, type StatedMemory, wordsOf } from "./claim.ts";
import { type Measure, type VersionClaim, versionsClash } from "./measures.ts";
import { areOpposites, areRivals, isChoice } from "./rivals.ts";
import type { SlotValue } from "./slots.ts";

export interface Contradiction {
  readonly kind: "value" | "number" | "negation" | "opposite" | "place";
  /** What the file says: a value, or the sentence where no value tells the difference. */
  readonly file: string;
  readonly memory: string;
  /** Line of the file's sentence within the text, from 1. */
  readonly line: number;
}

type Difference = Pick<Contradiction, "kind" | "file" | "memory">;

const RULES: readonly ((file: Claim, memory: Claim) => Difference | undefined)[] = [
  otherVersion,
  otherSlot,
  otherChoice,
  otherNumber,
  otherNegation,
  opposite,
  otherPlace,
];

/**
 * The first contradiction between a text of a rules file and a memory.
 *
 * @param fileText - Markdown; headings above a passage may stand before it.
 */
export function contradicts(fileText: string, memory: StatedMemory): Contradiction | undefined {
  return contradictionAmong(fileClaims(fileText), memoryClaims(memory));
}

/** The same for texts whose claims were read before. */
export function contradictionAmong(file: readonly Claim[], memory: readonly Claim[]): Contradiction | undefined {
  for (const theirs of file) {
    for (const claim of memory) {
      const found = difference(theirs, claim);
      if (found !== undefined && !memory.some((other) => agrees(other, found))) return { ...found, line: theirs.line };
    }
  }
  return undefined;
}

function difference(file: Claim, memory: Claim): Difference | undefined {
  if (!same(file.about, memory.about)) return undefined;
  for (const rule of RULES) {
    const isAboutPlaces = rule === otherPlace;
    if (!isAboutPlaces && !same(file.places, memory.places)) continue;
    const found = rule(file, memory);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A memory that also names what the file says (`moved from npm to pnpm`) contradicts nothing. */
function agrees(memory: Claim, { kind, file: value }: Difference): boolean {
  return (
    (kind === "value" || kind === "number") &&
    hasWord(memory.affirmed, kind === "number" ? value.replace(/^.* /, "") : value)
  );
}

function hasWord(text: string, value: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  return at >= 0 && !/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + value.length] ?? "");
}

/** A sentence with one of these backs a prohibition, or tells what happens to those who break it. */
const WARNS =
  /\b(?:fail|break|broke|error|crash|caus|wrong|bug|problem|reject|block|bad|danger|los[et]|corrupt|slow|leak|flak|warn|prevent|against|refus|instead|only|forbid|forbidden|prohibit|banned)/i;
function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}

/** Whether two claims are about one matter, the words in which they differ set aside. */
function sameMatter(
  file: Claim,
  memory: Claim,
  { apart, least }: { apart: readonly string[]; least: number },
): boolean {
  const set = new Set(apart.flatMap((word) => queryTerms(word)));
  const ours = [...file.words].filter((word) => !set.has(word));
  const theirs = new Set([...memory.words].filter((word) => !set.has(word)));
  if (narrows(file, memory, set) || narrows(memory, file, set)) return false;
  const shared = ours.filter((word) => theirs.has(word)).length;
  const smaller = Math.min(ours.length, theirs.size);
  if (shared < least) return false;
  if (smaller === 1 && (turnsInto(file, memory, set) || turnsInto(memory, file, set))) return false;
  return shared === smaller || (shared >= 4 && shared / smaller >= 0.75);
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

function otherVersion(file: Claim, memory: Claim): Difference | undefined {
  for (const mine of file.versions) {
    const theirs = memory.versions.find((version) => versionsClash(mine, version));
    if (theirs === undefined || memory.versions.filter(({ of }) => of === mine.of).length > 1) continue;
    return { kind: "number", file: versionText(mine), memory: versionText(theirs) };
  }
  return undefined;
}

const versionText = ({ of, parts, isLeast }: VersionClaim): string => `${of} ${isLeast ? "≥ " : ""}${parts.join(".")}`;

function otherSlot(file: Claim, memory: Claim): Difference | undefined {
  for (const mine of file.slots) {
    const theirs = memory.slots.find(({ relation, subject }) => relation === mine.relation && subject === mine.subject);
    if (theirs === undefined || !clash(mine, theirs)) continue;
    const apart = [mine.value, theirs.value];
    if (ONE_FOR_EACH.has(mine.relation) && !sameMatter(file, memory, { apart, least: 0 })) continue;
    return {
      kind: mine.relation === "port" ? "number" : "value",
      file: mine.value,
      memory: theirs.value,
    };
  }
  return undefined;
}

/** Slots of which a project may have one for each of its matters. */
const ONE_FOR_EACH: ReadonlySet<string> = new Set([
  "database",
  "deploy-target",
  "test-command",
  "test-runner",
  "branch",
]);

function clash({ relation, value: a }: SlotValue, { value: b }: SlotValue): boolean {
  if (a === b) return false;
  if (relation === "test-command") return a.split(" ")[0] !== b.split(" ")[0];
  return !isChoice(a) || !isChoice(b) || areRivals(a, b);
}

function otherChoice(file: Claim, memory: Claim): Difference | undefined {
  for (const mine of file.choices) {
    const theirs = memory.choices.find((choice) => areRivals(choice, mine));
    if (theirs === undefined || memory.tokens.includes(mine) || file.tokens.includes(theirs)) continue;
    if (!sameMatter(file, memory, { apart: [mine, theirs], least: 1 })) continue;
    if (isDenied(file) || isDenied(memory)) continue;
    return { kind: "value", file: mine, memory: theirs };
  }
  return undefined;
}

const isDenied = ({ affirmed }: Claim): boolean => NOT_ANYWHERE.test(affirmed);

function otherNumber(file: Claim, memory: Claim): Difference | undefined {
  if (isDenied(file) !== isDenied(memory)) return undefined;
  for (const mine of file.measures) {
    const theirs = onlyLike(mine, memory.measures);
    if (theirs === undefined || onlyLike(mine, file.measures) === undefined || theirs.value === mine.value) continue;
    if (memory.measures.some(({ value }) => value === mine.value)) continue;
    if (!sameMatter(file, memory, { apart: PHYSICAL.test(mine.of) ? [...BOUNDS, mine.of] : BOUNDS, least: 1 }))
      continue;
    if (!isOfOther(file, memory) && !isOfOther(memory, file)) {
      return { kind: "number", file: mine.value, memory: theirs.value };
    }
  }
  return undefined;
}

/** The measure of the same thing, where there is exactly one and it bounds from the same side. */
function onlyLike({ of, bound }: Measure, measures: readonly Measure[]): Measure | undefined {
  const [first, ...others] = measures.filter((measure) => measure.of === of);
  if (first === undefined || others.length > 0) return undefined;
  return first.bound === bound || first.bound === "none" || bound === "none" ? first : undefined;
}

/** `the time-out of uploads` against `the time-out`. */
function isOfOther(one: Claim, other: Claim): boolean {
  const named = /\b(?:of|for)\s+(?:the\s+|our\s+|all\s+)?(\p{L}+)/iu.exec(one.text.replace(SPAN_END, ""))?.[1] ?? "";
  return [...wordsOf(named)].some((word) => !other.words.has(word));
}

/** Units that anything may have; what else is counted is the matter itself. */
const PHYSICAL =
  /^(?:|%|(?:milli)?second|minut|minute|hour|day|week|month|year|byt|byte|kilobyt|megabyt|gigabyt|charact|line|time|row|pixel|px|degree|meter|kilometer)$/;

/** How a number is set against what it limits differs from writer to writer. */
const BOUNDS = "max maximum min minimum limit limited most least more than up under below over cap capped".split(" ");

function otherNegation(file: Claim, memory: Claim): Difference | undefined {
  const denier = file.denied === undefined ? memory : file;
  const other = denier === file ? memory : file;
  if (denier.denied === undefined || other.denied !== undefined) return undefined;
  if (NOT_ANYWHERE.test(other.text) || WARNS.test(other.text)) return undefined;
  if (
    other.pairs.some(
      ([word, after]) => denier.denied?.has(word) === true && other.words.has(after) && !denier.words.has(after),
    )
  ) {
    return undefined;
  }
  const denied = [...denier.denied];
  const extra = [...other.words].filter((word) => !denier.words.has(word)).length;
  const isTelling = denied.length > 1 || other.words.size === 1;
  if (!isTelling || extra > 3 || !denied.every((word) => other.words.has(word))) return undefined;
  return { kind: "negation", file: file.text, memory: memory.text };
}

function opposite(file: Claim, memory: Claim): Difference | undefined {
  if (isDenied(file) || isDenied(memory)) return undefined;
  for (const mine of file.tokens) {
    const theirs = memory.tokens.find((token) => areOpposites(token, mine));
    if (theirs === undefined || memory.tokens.includes(mine) || file.tokens.includes(theirs)) continue;
    if (!sameMatter(file, memory, { apart: [mine, theirs], least: 2 })) continue;
    return { kind: "opposite", file: file.text, memory: memory.text };
  }
  return undefined;
}

const LIVES =
  /^(?<what>.*?)\b(?:lives?|goe?s?|belongs?|(?:is|are) (?:stored|kept|placed|put|located|written)|(?:is|are)|stored|kept)\s+(?:in|under|into|to|at)\s+(?:the\s+)?`?(?<place>@?[\w.-]+\/[\w./-]*)/i;

function otherPlace(file: Claim, memory: Claim): Difference | undefined {
  const [mine, theirs] = [LIVES.exec(file.affirmed)?.groups, LIVES.exec(memory.affirmed)?.groups];
  if (mine?.place === undefined || theirs?.place === undefined || isDenied(file) || isDenied(memory)) return undefined;
  const [a, b] = [mine.place.replace(/\/+$/, ""), theirs.place.replace(/\/+$/, "")];
  const isWithin = `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
  const [ours, other] = [[...wordsOf(mine.what ?? "")], [...wordsOf(theirs.what ?? "")]];
  if (isWithin || ours.length === 0 || !same(ours, other)) return undefined;
  return { kind: "place", file: a, memory: b };
}
