/** X1, X2, X6, X7: what a person said that asks to be kept: requests to remember, standing rules, links, decisions. */
import type { FactType } from "../../../core/memory-record.ts";
import type { Session } from "../../../core/session.ts";
import { LEXICONS, type RuleLexicon } from "./lexicon.ts";
import { type Sentence, spokenSentences } from "./spoken-sentences.ts";
import {
  claimLine,
  consequenceOf,
  contentOf,
  quoteOf,
  type RuleFact,
  type RuleId,
  reasonOf,
  titleOf,
  wordFact,
} from "./word-fact.ts";

export interface RuleContext {
  readonly session: Session;
  /** Turns before this one were extracted by an earlier run. */
  readonly fromTurn: number;
  readonly titleMax: number;
  readonly goal: string | null;
}

type StatementRule = Extract<RuleId, "X1" | "X2" | "X6" | "X7">;

interface Statement {
  readonly rule: StatementRule;
  readonly claim: string;
  readonly sentence: Sentence;
  /** Sentences that belong to it: what follows "remember this:", or gives the reason. */
  readonly more: readonly string[];
  readonly lexicon: RuleLexicon;
}

const CONFIDENCE: Readonly<Record<StatementRule, number>> = { X1: 0.6, X2: 0.5, X6: 0.5, X7: 0.45 };
/** A link that comes last in so much text ends what is said about it. */
const MIN_LINK_SENTENCE = 40;
const URL = /https?:\/\/[^\s<>"'`)\]]{4,300}/;
const MIN_WORDS = 3;
/** Characters before the word that forbids: `we must`, `in this repo we`. */
const PROHIBITION_WITHIN = 18;

/** Statements of this session's human turns; one sentence gives at most one. */
export function userStatements(context: RuleContext): RuleFact[] {
  return context.session.turns
    .filter(({ index }) => index >= context.fromTurn)
    .flatMap((turn) => {
      const sentences = spokenSentences(turn);
      return sentences.flatMap((sentence, at) => {
        const statement = statementIn(sentence, sentences.slice(at + 1));
        return statement === undefined ? [] : [wordStatement(statement, context)];
      });
    });
}

function statementIn(sentence: Sentence, following: readonly Sentence[]): Statement | undefined {
  for (const lexicon of LEXICONS) {
    const found =
      remembered(sentence, following, lexicon) ??
      linked(sentence, lexicon) ??
      stated(sentence, following, { rule: "X2", lexicon }) ??
      stated(sentence, following, { rule: "X7", lexicon });
    if (found !== undefined) return found;
  }
  return undefined;
}

function remembered(sentence: Sentence, following: readonly Sentence[], lexicon: RuleLexicon): Statement | undefined {
  if (lexicon.notRemember.test(sentence.text)) return undefined;
  const claim = firstClaim(bare(sentence.text, lexicon), lexicon.remember);
  if (claim === undefined) return undefined;
  const [next] = following;
  const isAnnouncement = wordCount(claim) < MIN_WORDS || /[:–—-]\s*$/.test(claim);
  if (isAnnouncement && next === undefined) return undefined;
  const whole = isAnnouncement && next !== undefined ? next.text : claim;
  const rest = isAnnouncement ? following.slice(1) : following;
  return { rule: "X1", claim: trimmed(whole), sentence, more: reasons(rest, lexicon), lexicon };
}

/** A standing rule (X2) with its reason, or a decision (X7). */
function stated(
  sentence: Sentence,
  following: readonly Sentence[],
  { rule, lexicon }: { readonly rule: "X2" | "X7"; readonly lexicon: RuleLexicon },
): Statement | undefined {
  const text = bare(sentence.text, lexicon);
  if (/\?\s*$/.test(text) || lexicon.passing.test(text)) return undefined;
  const claim = firstClaim(text, rule === "X2" ? lexicon.standing : lexicon.decision);
  if (claim === undefined || wordCount(claim) < MIN_WORDS) return undefined;
  const more = rule === "X2" ? reasons(following, lexicon) : [];
  return { rule, claim: trimmed(claim), sentence, more, lexicon };
}

/** A link that the person gave, with a word for what is there. */
function linked(sentence: Sentence, lexicon: RuleLexicon): Statement | undefined {
  const url = URL.exec(sentence.text)?.[0];
  if (url === undefined || /\?\s*$/.test(sentence.text.replace(url, ""))) return undefined;
  const around = sentence.text.replace(url, " ");
  if (
    !lexicon.places.test(around) &&
    !/https?:\/\/[^/]*(?:grafana|sentry|figma|linear|jira|notion|confluence|kibana)/i.test(url)
  ) {
    return undefined;
  }
  return { rule: "X6", claim: trimmed(bare(sentence.text, lexicon)), sentence, more: [], lexicon };
}

/** The next sentence when it only gives the reason for this one. */
function reasons(following: readonly Sentence[], lexicon: RuleLexicon): string[] {
  const [next] = following;
  if (next === undefined || next.text.length > 200 || /\?\s*$/.test(next.text)) return [];
  const explains =
    lexicon.reason.test(` ${next.text}`) ||
    /^(?:it|they|this|that|these|those|the|otherwise|if not|or else)\b/i.test(next.text);
  const isOwn =
    URL.test(next.text) ||
    LEXICONS.some(({ remember, standing: rules }) =>
      [...remember, ...rules].some((pattern) => pattern.test(next.text)),
    );
  return explains && !isOwn && !lexicon.request.test(next.text) ? [next.text] : [];
}

function wordStatement({ rule, claim, sentence, more, lexicon }: Statement, context: RuleContext): RuleFact {
  const url = URL.exec(claim)?.[0];
  const type = typeOf(rule, claim, lexicon);
  const forbids = type !== "pointer" && forbidsOnly(claim, lexicon);
  return wordFact(
    {
      rule,
      type,
      polarity: forbids ? "avoid" : type === "pointer" || type === "context" ? "fact" : "do",
      title: url === undefined ? titleOf(claim, context.titleMax) : linkTitle(claim, url, context.titleMax),
      content: contentOf([claimLine(claim), ...more]),
      why: reasonOf(claim) ?? reasonOf(` ${more[0] ?? ""}`) ?? WHY[rule],
      howToApply: url === undefined ? (consequenceOf(claim) ?? guidance(type, forbids)) : `Open ${url} for it.`,
      confidence: CONFIDENCE[rule],
      source: "user_stated",
      trust: 3,
      evidence: [{ turn: sentence.turn, quote: quoteOf(sentence.text) }],
      resolvedAt: sentence.turn,
      everywhere: lexicon.everywhere.test(claim),
      goal: context.goal,
      ...(url === undefined ? {} : soughtThing(claim)),
    },
    context.titleMax,
  );
}

const WHY: Readonly<Record<StatementRule, string>> = {
  X1: "The user asked for this to be remembered.",
  X2: "The user stated it as a standing rule.",
  X6: "The user pointed to it.",
  X7: "The user reported it as decided.",
};

/** Whether a claim is a prohibition as a whole: one that also says what to do instead is not. */
export function forbidsOnly(claim: string, { forbids }: RuleLexicon): boolean {
  const at = claimLine(claim).search(forbids);
  return at !== -1 && at <= PROHIBITION_WITHIN;
}

/** What to do with a note of that kind. */
export function guidance(type: FactType, forbids: boolean): string {
  if (forbids) return "Don't do it, not even as a shortcut; ask first where there seems to be no other way.";
  if (type === "preference") return "Do it this way from the start, without being told again.";
  if (type === "lesson") return "Start from this instead of finding it out again.";
  return "Take it as given; when the code says otherwise, say so and ask.";
}

function typeOf(rule: StatementRule, claim: string, lexicon: RuleLexicon): FactType {
  if (URL.test(claim)) return "pointer";
  if (rule === "X7") return "context";
  if (rule === "X2") return "preference";
  return lexicon.preference.test(claimLine(claim)) ? "preference" : "context";
}

/** What a reader of a pointer would be looking for. */
function soughtThing(claim: string): { readonly seen?: string } {
  const thing = /^(.{4,60}?)\s+(?:is|are|lives?|sits?|stands?|can be found)\b/i.exec(claimLine(claim))?.[1];
  return thing === undefined ? {} : { seen: `looking for ${lowerFirst(thing)}` };
}

function lowerFirst(text: string): string {
  return /^(?:The|Our|A|An|Their|All)\b/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The sentence with its link cut to the host, where the whole link does not fit a title. */
function linkTitle(claim: string, url: string, titleMax: number): string {
  const end = claim.indexOf(url) + url.length;
  const whole = claimLine(end > MIN_LINK_SENTENCE ? claim.slice(0, end) : claim);
  if (whole.length <= titleMax) return whole;
  const host = /^https?:\/\/([^/:?#]+)/.exec(url)?.[1] ?? url;
  return titleOf(whole.replace(url, host), titleMax);
}

/** Without interjections at its head: rules begin at the first word that says something. */
function bare(text: string, { interjections }: RuleLexicon): string {
  const without = text.replace(interjections, "");
  return without.trim() === "" ? text : without.trim();
}

function firstClaim(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const claim = pattern.exec(text)?.groups?.claim;
    if (claim !== undefined) return claim;
  }
  return undefined;
}

function trimmed(claim: string): string {
  return claim.trim().replace(/^["“'(]+|["”')]+$/g, "");
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
