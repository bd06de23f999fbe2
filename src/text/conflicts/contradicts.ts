/**
 * Whether a memory says the contrary of a rules file, by rule and without a model. Precision comes first: two sentences
 * contradict only where they are about the same matter, in the same place, and differ in a value, a number or a `not`.
 * Whatever is limited, conditional, past or doubtful on one side is left alone.
 */
import { queryTerms } from "../words.ts";
import {
  type Claim,
  fileClaims,
  memoryClaims,
  NOT_ANYWHERE,
  pairsOf,
  properIn,
  type StatedMemory,
  wordsOf,
} from "./claim.ts";
import { frameOf } from "./frames.ts";
import { areSiblings, isOfOther, same, sameLimits, sameMatter, samePurpose } from "./matter.ts";
import {
  amountsClash,
  areAlike,
  COUNTS,
  isSameAmount,
  type Measure,
  measuresOf,
  REASON,
  unitWords,
  type VersionClaim,
  versionsClash,
} from "./measures.ts";
import { areOpposites, areRivals, isChoice } from "./rivals.ts";
import type { SlotValue } from "./slots.ts";

/** A claim is compared with many others: what is read of it is read once. */
function once<T>(read: (claim: Claim) => T): (claim: Claim) => T {
  const known = new WeakMap<Claim, { readonly value: T }>();
  return (claim) => {
    const found = known.get(claim) ?? { value: read(claim) };
    known.set(claim, found);
    return found.value;
  };
}

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
  otherName,
  otherValue,
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
  if (!canMeet(file, memory) || areSiblings(file, memory) || !sameLimits(file, memory)) return undefined;
  if ((indents(file) || indents(memory)) && !same(foreign(file), foreign(memory))) return undefined;
  for (const rule of RULES) {
    const isAboutPlaces = rule === otherPlace;
    if (!isAboutPlaces && !same(file.places, memory.places)) continue;
    const found = rule(file, memory);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What no rule needs to look at: most pairs share neither a word nor a kind of value. */
function canMeet(file: Claim, memory: Claim): boolean {
  for (const word of memory.words) if (file.words.has(word)) return true;
  return (
    (file.choices.length > 0 && memory.choices.length > 0) ||
    (file.slots.length > 0 && memory.slots.length > 0) ||
    (file.versions.length > 0 && memory.versions.length > 0)
  );
}

/** A memory that also names what the file says (`moved from npm to pnpm`) contradicts nothing. */
function agrees(memory: Claim, { kind, file: value }: Difference): boolean {
  if (kind === "value") return hasWord(memory.affirmed, value);
  if (kind !== "number") return false;
  const says = measuresOf(value);
  const isSaid = memory.measures.some((measure) => says.some((said) => isSameAmount(said, measure)));
  return isSaid || hasWord(memory.affirmed, /\d[\d.]*/.exec(value)?.[0] ?? value);
}

function hasWord(text: string, value: string): boolean {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  return at >= 0 && !/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + value.length] ?? "");
}

/** A sentence with one of these backs a prohibition, or tells what happens to those who break it. */
const WARNS =
  /\b(?:fail|break|broke|error|crash|caus|wrong|bug|problem|reject|block|bad|danger|los[et]|corrupt|slow|leak|flak|warn|prevent|against|refus|instead|only|forbid|forbidden|prohibit|banned)/i;

function otherVersion(file: Claim, memory: Claim): Difference | undefined {
  if (file.versions.length === 0 || memory.versions.length === 0) return undefined;
  if (isOfAnother(file, memory) || isOfAnother(memory, file)) return undefined;
  for (const mine of file.versions) {
    const theirs = memory.versions.find((version) => versionsClash(mine, version));
    if (theirs === undefined || memory.versions.filter(({ of }) => of === mine.of).length > 1) continue;
    return { kind: "number", file: versionText(mine), memory: versionText(theirs) };
  }
  return undefined;
}

/** `Gradle runs on Java 17` tells nothing of what Java the code is written for. */
function isOfAnother(one: Claim, other: Claim): boolean {
  const own = wordsOf(one.versions.map(({ of }) => of).join(" "));
  return [...wordsOf(properIn(one.text).join(" "))].some((name) => !own.has(name) && !other.words.has(name));
}

const versionText = ({ of, parts, isLeast }: VersionClaim): string => `${of} ${isLeast ? "≥ " : ""}${parts.join(".")}`;

function otherSlot(file: Claim, memory: Claim): Difference | undefined {
  for (const mine of file.slots) {
    const theirs = memory.slots.find(({ relation, subject }) => relation === mine.relation && subject === mine.subject);
    if (theirs === undefined || !clash(mine, theirs) || file.isDenied !== memory.isDenied) continue;
    const apart = [mine.value, theirs.value];
    if (ONE_FOR_EACH.has(mine.relation) && !sameMatter(file, memory, { apart, least: 0 })) continue;
    if (mine.relation === "package-manager" && !isOneTool(file, memory, [mine.value, theirs.value])) continue;
    return {
      kind: mine.relation === "port" ? "number" : "value",
      file: mine.value,
      memory: theirs.value,
    };
  }
  return undefined;
}

const foreign = once(({ words }) => [...words].filter((word) => !INDENTED.has(word)));
const indents = once(({ text }) => INDENTS.test(text));

const isOneTool = (file: Claim, memory: Claim, tools: readonly [string, string]): boolean =>
  samePurpose(file, memory, tools) || sameMatter(file, memory, { apart: tools, least: 1 });

/** Slots of which a project may have one for each of its matters. */
const ONE_FOR_EACH: ReadonlySet<string> = new Set([
  "database",
  "deploy-target",
  "test-command",
  "test-runner",
  "branch",
  "branch-point",
]);
const INDENTS = /\bindent.*\b(?:spaces?|tabs)\b|\b(?:spaces?|tabs)\b.*\bindent/i;
/** What is indented: a rule for continuation lines is none for all. */
const INDENTED = wordsOf("indent indentation space tab file code source style size width level 2 4 8");

function clash({ relation, value: a }: SlotValue, { value: b }: SlotValue): boolean {
  if (a === b) return false;
  if (relation === "test-command") return a.split(" ")[0] !== b.split(" ")[0];
  return !isChoice(a) || !isChoice(b) || areRivals(a, b);
}

function otherChoice(file: Claim, memory: Claim): Difference | undefined {
  for (const mine of file.choices) {
    const theirs = memory.choices.find((choice) => areRivals(choice, mine));
    if (theirs === undefined || memory.tokens.includes(mine) || file.tokens.includes(theirs)) continue;
    if (file.isDenied || memory.isDenied || isOff(file) !== isOff(memory)) continue;
    const apart = [...file.choices, ...memory.choices].filter((word) => hasRival(word, file) || hasRival(word, memory));
    const isOne = samePurpose(file, memory, [mine, theirs]) || sameMatter(file, memory, { apart, least: 1 });
    if (!isOne) continue;
    return { kind: "value", file: mine, memory: theirs };
  }
  return undefined;
}

const OFF = /\b(?:disabled|forbidden|prohibited|banned|closed|cancelled|skipped)\b/i;
const isOff = once(({ text }) => OFF.test(text));
const hasRival = (word: string, { choices }: Claim): boolean => choices.some((choice) => areRivals(choice, word));

function otherNumber(file: Claim, memory: Claim): Difference | undefined {
  if (file.isDenied !== memory.isDenied) return undefined;
  for (const mine of file.measures) {
    const theirs = onlyLike(mine, memory.measures);
    if (theirs === undefined || onlyLike(mine, file.measures) === undefined || !amountsClash(mine, theirs)) continue;
    if (
      !sameMatter(file, memory, {
        apart: [...BOUNDS, ...COUNTS, ...unitWords(mine.of), ...unitWords(theirs.of)],
        least: 1,
      })
    )
      continue;
    if (isOfOther(file, memory) || isOfOther(memory, file)) continue;
    return { kind: "number", file: mine.shown, memory: theirs.shown };
  }
  return undefined;
}

/** The measure of the same thing, where there is exactly one. */
function onlyLike(one: Measure, measures: readonly Measure[]): Measure | undefined {
  const [first, ...others] = measures.filter((measure) => areAlike(one, measure));
  return others.length > 0 ? undefined : first;
}

/** How a number is set against what it limits differs from writer to writer. */
const BOUNDS =
  "max maximum min minimum limit limited most least more than up under below over above cap capped fewer less small smaller short shorter low lower large larger long longer high higher exceed exceeds".split(
    " ",
  );

const ARTICLES = /\b(?:the|an?|our|your|all|any|each|every)\s+/gi;

function otherNegation(file: Claim, memory: Claim): Difference | undefined {
  const denier = file.denied === undefined ? memory : file;
  const other = denier === file ? memory : file;
  if (denier.denied === undefined || other.denied !== undefined) return undefined;
  if (NOT_ANYWHERE.test(other.text) || WARNS.test(other.text)) return undefined;
  const denied = [...denier.denied];
  if (denied.length === 0 || !denied.every((word) => other.allowed.has(word))) return undefined;
  const said = other.text.replace(REASON, "");
  const words = wordsOf(said);
  const isForeign = (word: string): boolean => words.has(word) && !denier.words.has(word);
  const isOther = pairsOf(said.replace(ARTICLES, "")).some(
    ([word, next]) => (denier.denied?.has(word) && isForeign(next)) || (isForeign(word) && denier.denied?.has(next)),
  );
  if (isOther || other.names.some(isForeign)) return undefined;
  const extra = [...other.words].filter((word) => !denier.words.has(word)).length;
  const isTelling = denied.length > 1 || (denied.length === 1 && other.words.size === 1);
  if (!isTelling || extra > 3 || !denied.every((word) => words.has(word))) return undefined;
  return { kind: "negation", file: file.shown, memory: memory.shown };
}

function opposite(file: Claim, memory: Claim): Difference | undefined {
  if (file.isDenied || memory.isDenied) return undefined;
  for (const mine of file.tokens) {
    const theirs = memory.tokens.find((token) => areOpposites(token, mine));
    if (theirs === undefined || memory.tokens.includes(mine) || file.tokens.includes(theirs)) continue;
    if (!sameMatter(file, memory, { apart: [mine, theirs], least: isOrder(mine) ? 2 : 1 })) continue;
    return { kind: "opposite", file: file.shown, memory: memory.shown };
  }
  return undefined;
}

/** Much may stand before and after the same thing. */
const isOrder = (word: string): boolean => /^(?:before|after|first|last|top|bottom)$/.test(word);

const PLACE =
  /(?<place>@?[\w.-]+\/[\w./*-]*|[\w-]*\.?[\w-]+\.(?:ya?ml|json5?|toml|ini|env|md|cfg|conf|txt)\b|(?:next to|beside|alongside)\b)/
    .source;
const LIVES = new RegExp(
  `^(?<what>.*?)\\b(?:lives?|sits?|goe?s?|own|belongs?|(?:is|are) (?:stored|kept|placed|put|located|written|read)|(?:is|are)|stored|kept)\\s+(?:(?:in|under|into|to|at|from)\\s+)?(?:the\\s+)?\`?${PLACE}`,
  "i",
);
/** `Put new migrations into prisma/migrations`. */
const PUT = new RegExp(
  `^(?:put|place|keep|store|save|add|write)s?\\s+(?<what>.*?)\\s+(?:in|under|into|to|at)\\s+(?:the\\s+)?\`?${PLACE}`,
  "i",
);
const placed = once(({ affirmed }) => (PUT.exec(affirmed) ?? LIVES.exec(affirmed))?.groups);

function otherPlace(file: Claim, memory: Claim): Difference | undefined {
  const [mine, theirs] = [placed(file), placed(memory)];
  if (mine?.place === undefined || theirs?.place === undefined || file.isDenied || memory.isDenied) return undefined;
  const [a, b] = [mine.place.replace(/[/.]+$/, ""), theirs.place.replace(/[/.]+$/, "")];
  const isWithin = `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
  const [ours, other] = [[...wordsOf(mine.what ?? "")], [...wordsOf(theirs.what ?? "")]];
  if (isWithin || ours.length === 0 || !same(ours, other)) return undefined;
  return { kind: "place", file: a, memory: b };
}

const frame = once(({ affirmed }) => frameOf(affirmed));

function otherValue(file: Claim, memory: Claim): Difference | undefined {
  const [mine, theirs] = [frame(file), frame(memory)];
  if (mine === undefined || theirs === undefined || file.isDenied || memory.isDenied) return undefined;
  const [ours, other] = [[...wordsOf(mine.what)], [...wordsOf(theirs.what)]];
  const values = [mine, theirs].map(({ value }) => queryTerms(value).join(" "));
  const isOther = !values[0]?.includes(values[1] ?? "") && !values[1]?.includes(values[0] ?? "");
  if (ours.length === 0 || !same(ours, other) || !isOther) return undefined;
  return { kind: "value", file: mine.value, memory: theirs.value };
}

/** Handles, channels, and people or teams where a sentence says who is to be asked or owns something. */
const NAMES = [
  /@[\w-]+/g,
  /#[a-z][\w-]*/g,
  /(?<=\b(?:[Aa]sk|[Cc]ontact|by|own|owns|own(?: the)?(?: \p{Ll}+){1,3}:)(?: team)? )\p{Lu}\p{Ll}+(?![\w.])|(?<=\b[Tt]eam )\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+(?= (?:own|grants|reviews)\b)/gu,
];

const named = once(({ affirmed }) => NAMES.map((shape) => [...new Set(affirmed.match(shape) ?? [])]));

/** Two sentences that say the same of two names. */
function otherName(file: Claim, memory: Claim): Difference | undefined {
  if (file.isDenied || memory.isDenied || verbBeforeBy(file) !== verbBeforeBy(memory)) return undefined;
  for (const at of NAMES.keys()) {
    const [ours, theirs] = [named(file)[at], named(memory)[at]];
    const [mine, other] = [ours?.[0], theirs?.[0]];
    if (mine === undefined || other === undefined || mine === other || ours?.length !== 1 || theirs?.length !== 1)
      continue;
    const apart = wordsOf(`${mine} ${other} team ask`);
    const [left, right] = [file, memory].map(({ words }) => [...words].filter((word) => !apart.has(word)));
    const isAlike = left !== undefined && right !== undefined && left.length > 0 && same(left, right);
    if (isAlike && !isOfOther(file, memory)) return { kind: "value", file: mine, memory: other };
  }
  return undefined;
}

const verbBeforeBy = once(({ affirmed }) => /(\w+ed|done|written) by\b/.exec(affirmed)?.[1] ?? "");
