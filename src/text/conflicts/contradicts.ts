/**
 * Whether a memory says the contrary of a rules file, by rule and without a model. Precision comes first: two sentences
 * contradict only where they are about the same matter, in the same place, and differ in a value, a number or a `not`.
 * Whatever is limited, conditional, past or doubtful on one side is left alone.
 */
import type { FactType, Polarity } from "../../core/memory-record.ts";
import { queryTerms } from "../words.ts";
import { inDigits, type Measure, measuresOf, type VersionClaim, versionsClash, versionsOf } from "./measures.ts";
import { areOpposites, areRivals, isChoice } from "./rivals.ts";
import { type SlotValue, slotsOf, withoutDenied } from "./slots.ts";
import { type Statement, statementsOf } from "./statements.ts";

export interface Contradiction {
  readonly kind: "value" | "number" | "negation" | "opposite" | "place";
  /** What the file says: a value, or the sentence where no value tells the difference. */
  readonly file: string;
  readonly memory: string;
  /** Line of the file's sentence within the text, from 1. */
  readonly line: number;
}

export interface StatedMemory {
  readonly type: FactType;
  readonly title: string;
  readonly content: string;
  readonly polarity?: Polarity;
}

type Difference = Pick<Contradiction, "kind" | "file" | "memory">;

/** A statement with what the rules read of it, read once. */
interface Claim extends Statement {
  readonly affirmed: string;
  readonly words: ReadonlySet<string>;
  /** Words that stand side by side. */
  readonly pairs: readonly (readonly [before: string, word: string])[];
  /** Words of what it forbids or denies; none where it affirms. */
  readonly denied: ReadonlySet<string> | undefined;
  readonly slots: readonly SlotValue[];
  readonly choices: readonly string[];
  readonly tokens: readonly string[];
  readonly measures: readonly Measure[];
  readonly versions: readonly VersionClaim[];
}

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
  const said = statementsOf(`${memory.title}\n\n${memory.content}`).map((statement) => claimOf(statement));
  if (said.length === 0) return undefined;
  const stated = memory.polarity === "avoid" ? said.map(forbidden) : said;
  for (const statement of statementsOf(fileText)) {
    const file = claimOf(statement);
    for (const claim of stated) {
      const found = difference(file, claim);
      if (found !== undefined && !stated.some((other) => agrees(other, found))) {
        return { ...found, line: file.line };
      }
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

/** Words of instructions that are about nothing in particular. */
const GENERIC = new Set(
  queryTerms(
    "use uses using used run runs running set sets keep make sure need needs always must please ever directly straight project repo repository codebase code team everything everywhere anything now currently today new prefer preferred instead rather value standard rule convention policy write written go goes put require required allowed ok fine work works want wants user expect expected strictly exactly all any each every here this via through configured get our we together also both again alone listen listens listening server reach serve port live located listen listens listening server reach serve port lives live set region located",
  ),
);
const DENIES =
  /\b(?:never|(?:do|does|must|should|may|shall|can|will|is|are|needs?) not|(?:do|does|must|should|ca|wo|is|are)n['’]t|cannot|avoid|no longer|stop|refrain from|(?<=^|[*_] ?)no)\s+(?<span>[^,;:.()–—]+)/i;
const FORBIDS =
  /^(?<span>.*?)\s+(?:is|are)\s+(?:forbidden|prohibited|banned|disallowed|not (?:allowed|permitted|used)|off[- ]limits)\b/i;
const SPAN_END = /\b(?:because|since|as|so|unless|except|when|if|instead|but|even)\b.*$/i;
const NOT_ANYWHERE = /\b(?:not|never|no|without|avoid|cannot|\w+n['’]t)\b/i;
/** A sentence with one of these backs a prohibition, or tells what happens to those who break it. */
const WARNS =
  /\b(?:fail|break|broke|error|crash|caus|wrong|bug|problem|reject|block|bad|danger|los[et]|corrupt|slow|leak|flak|warn|prevent|against|refus|instead|only|forbid|forbidden|prohibit|banned)/i;
/** Running another package manager's scripts is using it; publishing with it is not. */
const PACKAGE_COMMAND =
  /(?:\brun\s+|`)(?<value>npm|pnpm|yarn|bun)\s+(?:i|install|ci|add|run|test|build|start|dev|exec)\b/i;

function claimOf(statement: Statement): Claim {
  const affirmed = withoutDenied(statement.text);
  const tokens = tokensOf(affirmed);
  const slots = slotsOf({ title: affirmed, content: "", polarity: "do" }).filter(
    ({ relation }) => relation !== "version",
  );
  const command = PACKAGE_COMMAND.exec(affirmed)?.groups?.value?.toLowerCase();
  const isNamed = command === undefined || slots.some(({ relation }) => relation === "package-manager");
  return {
    ...statement,
    affirmed,
    tokens,
    words: wordsOf(statement.text),
    pairs: pairsOf(statement.text),
    denied: deniedWords(statement.text),
    slots: isNamed ? slots : [...slots, { relation: "package-manager", subject: "", value: command }],
    choices: tokens.filter(isChoice),
    measures: measuresOf(affirmed),
    versions: versionsOf(affirmed),
  };
}

/** What a statement denies or forbids; a span of one word needs the words before it to say anything. */
function deniedWords(text: string): Set<string> | undefined {
  const match = DENIES.exec(text) ?? FORBIDS.exec(text);
  if (match === null) return undefined;
  const span = wordsOf(match.groups?.span?.replace(SPAN_END, "") ?? "");
  return span.size > 1 ? span : new Set([...wordsOf(text.slice(0, match.index)), ...span]);
}

/** What is to be avoided is said as if it were to be done. */
function forbidden(claim: Claim): Claim {
  if (claim.denied !== undefined || NOT_ANYWHERE.test(claim.text)) return claim;
  return { ...claim, denied: claim.words, slots: [], choices: [], measures: [], versions: [] };
}

function tokensOf(text: string): string[] {
  const words = text.match(/[\p{L}][\p{L}\p{N}_-]*/gu) ?? [];
  return words.map((word) => {
    const lower = word.toLowerCase();
    return !isChoice(lower) && isChoice(lower.replace(/s$/, "")) ? lower.replace(/s$/, "") : lower;
  });
}

function wordsOf(text: string): Set<string> {
  const words = queryTerms(inDigits(text.toLowerCase()), { dropFunctionWords: true });
  return new Set(words.filter((word) => !GENERIC.has(word) && !/^\d/.test(word)));
}

function pairsOf(text: string): [string, string][] {
  const folded = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_'-]+/u)
    .map((word) => queryTerms(word)[0] ?? "");
  return folded.slice(1).map((word, at) => [folded[at] ?? "", word]);
}

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
  return shared === smaller || (shared >= 3 && shared / smaller >= 0.75);
}

/** Whether a word that the other side does not know stands right before a shared one: `audit logs` are not all `logs`. */
function narrows(one: Claim, other: Claim, apart: ReadonlySet<string>): boolean {
  return one.pairs.some(
    ([before, word]) =>
      one.words.has(before) && !other.words.has(before) && !apart.has(before) && other.words.has(word),
  );
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
    if (!sameMatter(file, memory, { apart: [...BOUNDS, mine.of], least: 1 })) continue;
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
  if (denied.length < 2 || extra > 3 || !denied.every((word) => other.words.has(word))) return undefined;
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
