/** What the rules of contradiction read of a sentence: what it affirms, denies, counts and names, each once. */
import type { FactType, Polarity } from "../../core/memory-record.ts";
import { extractSymbols } from "../symbols.ts";
import { queryTerms } from "../words.ts";
import { inDigits, type Measure, measuresOf, type VersionClaim, versionsOf } from "./measures.ts";
import { isChoice, rivalsOf } from "./rivals.ts";
import { type SlotValue, slotsOf, withoutDenied } from "./slots.ts";
import { type Statement, statementsOf } from "./statements.ts";

export interface StatedMemory {
  readonly type: FactType;
  readonly title: string;
  readonly content: string;
  readonly polarity?: Polarity;
}

/** A statement with what the rules read of it, read once. */
export interface Claim extends Statement {
  readonly affirmed: string;
  readonly words: ReadonlySet<string>;
  /** Those of what it affirms. */
  readonly allowed: ReadonlySet<string>;
  /** Words that stand side by side. */
  readonly pairs: readonly (readonly [before: string, word: string])[];
  /** Proper names and identifiers, folded: claims about different ones are about different matters. */
  readonly names: readonly string[];
  /** `backups of staging`: the first is what it is about. */
  readonly parts: readonly (readonly [head: string, whole: string])[];
  /** Words of what it forbids or denies; none where it affirms. */
  readonly denied: ReadonlySet<string> | undefined;
  readonly isDenied: boolean;
  readonly leadWords: ReadonlySet<string>;
  /** `the time-out of uploads`: what it is of. */
  readonly ofWords: readonly string[];
  readonly slots: readonly SlotValue[];
  readonly choices: readonly string[];
  readonly tokens: readonly string[];
  readonly measures: readonly Measure[];
  readonly versions: readonly VersionClaim[];
}

/** @param text - Markdown of a rules file. */
export function fileClaims(text: string): Claim[] {
  return statementsOf(text).map(claimOf);
}

/** What a memory is to be avoided for is denied. */
export function memoryClaims({ title, content, polarity }: StatedMemory): Claim[] {
  const claims = statementsOf(`${title}\n\n${content}`).map(claimOf);
  return polarity === "avoid" ? claims.map(forbidden) : claims;
}

/** Words by which full-text search finds whatever may contradict a text: its own, and what could stand in their place. */
export function rivalTerms(text: string): string[] {
  const own = queryTerms(text, { dropFunctionWords: true });
  return [
    ...new Set([
      ...own,
      ...tokensOf(text)
        .flatMap(rivalsOf)
        .flatMap((word) => queryTerms(word)),
    ]),
  ];
}

/** Words of instructions that are about nothing in particular. */
const GENERIC = new Set(
  queryTerms(
    "use uses using used run runs running set sets keep make sure need needs always must please ever directly straight project repo repository codebase code team everything everywhere anything now currently today new prefer preferred instead rather value standard rule convention policy write written go goes put require required allowed ok fine work works want wants user expect expected strictly exactly all any each every here this via through configured get our we together also both again alone listen listens listening server reach serve port live lives located region may might should shall can could would has have gets got let lets stay stays remain remains long happen happens take takes give given belong contain contains include includes become becomes mean means begin begins start starts end ends come comes leave leaves hold holds enough carry carries handle handles handled manage manages managed draw draws drawn made done fetch fetched welcome encouraged permitted open opens opened called name names named per against target targets belongs like same others forbidden optional",
  ),
);
const DENIES =
  /\b(?:never|(?:do|does|must|should|may|shall|can|will|is|are|needs?) not|(?:do|does|must|should|ca|wo|is|are)n['’]t|cannot|avoid|no longer|stop(?= \w+ing\b)|refrain from|without|(?:needs?|has|have|requires?|takes?|with|contains?) no|(?<=^|[*_] ?)no)\s+(?<span>(?:[^,;:.()–—]|\.(?=\w))+)/i;
const FORBIDS =
  /^(?<span>.*?)\s+(?:is|are)\s+(?:forbidden|prohibited|banned|disallowed|not (?:allowed|permitted|used)|off[- ]limits)\b/i;
const SPAN_END = /\b(?:because|since|as|so|unless|except|when|if|instead|but|even)\b.*$/i;
export const NOT_ANYWHERE = /\b(?:not|never|no|without|avoid|cannot|nothing|none|nobody|neither|\w+n['’]t)\b/i;
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
    allowed: wordsOf(affirmed),
    pairs: pairsOf(statement.text),
    parts: partsOf(statement.text),
    names: namesIn(statement.text),
    denied: deniedWords(statement.text),
    isDenied: NOT_ANYWHERE.test(affirmed),
    leadWords: statement.lead === "" ? NONE : wordsOf(statement.lead),
    ofWords: ofWords(statement.text),
    slots: isNamed ? slots : [...slots, { relation: "package-manager", subject: "", value: command }],
    choices: tokens.filter(isChoice),
    measures: measuresOf(affirmed),
    versions: versionsOf(affirmed),
  };
}

const NONE: ReadonlySet<string> = new Set();
const OF_WHAT = /\b(?:of|for)\s+(?:the\s+|our\s+|all\s+)?(\p{L}+)/iu;

function ofWords(text: string): string[] {
  const named = OF_WHAT.exec(inDigits(text.replace(SPAN_END, "")))?.[1];
  return named === undefined ? [] : [...wordsOf(named)];
}

/** What a clause denies or forbids, its subject and its limits included: `force-push is forbidden on main`. */
function deniedWords(text: string): Set<string> | undefined {
  const denial = DENIES.exec(text);
  if (denial !== null) {
    const before = text.slice(0, denial.index).replace(/^.*[,;:.()–—]/, "");
    return wordsOf(`${before} ${denial.groups?.span?.replace(SPAN_END, "") ?? ""}`);
  }
  return FORBIDS.test(text) ? wordsOf(text.replace(FORBIDS, "$<span> ").replace(SPAN_END, "")) : undefined;
}

/** What is to be avoided is said as if it were to be done. */
function forbidden(claim: Claim): Claim {
  if (claim.denied !== undefined || NOT_ANYWHERE.test(claim.text)) return claim;
  return { ...claim, denied: claim.words, allowed: new Set(), slots: [], choices: [], measures: [], versions: [] };
}

function tokensOf(text: string): string[] {
  const words = text.match(/\p{L}[\p{L}\p{N}_-]*/gu) ?? [];
  return words.map((word) => {
    const lower = word.toLowerCase();
    return isChoice(lower) ? lower : ([lower.replace(/s$/, ""), lower.replace(/-\d$/, "")].find(isChoice) ?? lower);
  });
}

export function wordsOf(text: string): Set<string> {
  // behind a telling word, since of function words alone all would be kept
  const words = queryTerms(`use ${inDigits(text.toLowerCase())}`, { dropFunctionWords: true });
  return new Set(words.filter((word) => !GENERIC.has(word) && !/^\d/.test(word)));
}

function namesIn(text: string): string[] {
  return [...properIn(text), ...extractSymbols(text)].flatMap((name) => queryTerms(name));
}

/** Capitalised words inside a sentence. */
export function properIn(text: string): string[] {
  return Array.from(
    text.matchAll(/(?<=[\p{Ll}\p{N},:] )\p{Lu}[\p{L}\p{N}-]*|(?<=^\p{Lu}\p{Ll}+ )\p{Lu}[\p{L}\p{N}-]*/gu),
    ([name]) => name,
  );
}

function partsOf(text: string): [string, string][] {
  const found = text.toLowerCase().matchAll(/([\p{L}_-]+) of (?:the |our |all )?([\p{L}_-]+)/gu);
  return Array.from(found, ([, head = "", whole = ""]) => [queryTerms(head)[0] ?? "", queryTerms(whole)[0] ?? ""]);
}

export function pairsOf(text: string): [string, string][] {
  const folded = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_'-]+/u)
    .map((word) => queryTerms(word)[0] ?? "");
  return folded.slice(1).map((word, at) => [folded[at] ?? "", word]);
}
