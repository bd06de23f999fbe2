/** X1, X2, X6, X7: what a person said that asks to be kept: requests to remember, standing rules, links, decisions. */
import type { FactType } from "../../../core/memory-record.ts";
import type { Session } from "../../../core/session.ts";
import { LEXICONS } from "./lexicon.ts";
import type { RuleLexicon } from "./rule-lexicon.ts";
import { type Sentence as Spoken, spokenSentences } from "./spoken-sentences.ts";
import {
  claimLine,
  consequenceOf,
  contentOf,
  quoteOf,
  type RuleFact,
  type RuleId,
  reasonOf,
  saidAnew,
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

interface Sentence extends Spoken {
  /** It stands in the message that sets the task. */
  readonly opens: boolean;
}

type StatementRule = Extract<RuleId, "X1" | "X2" | "X6" | "X7">;

interface Statement {
  readonly rule: StatementRule;
  readonly claim: string;
  readonly sentence: Sentence;
  /** What the claim points back to. */
  readonly before?: string;
  /** Sentences that belong to it: what follows "remember this:", or gives the reason. */
  readonly more: readonly string[];
  readonly lexicon: RuleLexicon;
}

const CONFIDENCE: Readonly<Record<StatementRule, number>> = { X1: 0.6, X2: 0.5, X6: 0.5, X7: 0.45 };
/** A link that comes last in so much text ends what is said about it. */
const MIN_LINK_SENTENCE = 40;
const URL = /https?:\/\/[^\s<>"'`)\]]{4,300}/;
/** What stands before the link where it tells where something is. */
const IS_AT =
  /\b(?!here\b|there\b|it\b|this\b|that\b)\p{L}+ (?:is|are|lives?|sits?|is kept|are kept|is hosted|is found|are found|liegt|steht|está|se trouve) (?:at|under|unter|auf|en|sous)\s*[<(]?$/iu;
/** One's own machine, and a single ticket, change or job: of this occasion. */
const PASSING_LINK =
  /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])|\/(?:pull|pulls|issues|commits?|merge_requests|jobs?|runs)\/\w|\/browse\/[A-Z]+-\d|show_bug\.cgi/i;
/** The word for what is there stands this near. */
const CUE_WITHIN = 120;
/** Sentences of a message that is talk rather than a report. */
const SHORT_MESSAGE = 6;
const NAMES_IT = /^\s*(?:is|=|[–—-]|\()\s*.*/;
const SERVICE = /https?:\/\/[^/]*(?:grafana|sentry|figma|linear|jira|notion|confluence|kibana)/i;
const MIN_WORDS = 3;
/** Characters before the word that forbids: `we must`, `in this repo we`. */
const PROHIBITION_WITHIN = 18;

/** Statements of this session's human turns; one sentence gives at most one. */
export function userStatements(context: RuleContext): RuleFact[] {
  const { turns } = context.session;
  const isFromOutside = ({ claim, sentence, rule }: Statement): boolean => {
    const url = rule === "X6" ? urlIn(claim) : undefined;
    return (
      url !== undefined &&
      turns.some(({ index, trust, text }) => index < sentence.turn && trust <= 1 && text.includes(url))
    );
  };
  const opening = turns.find(({ kind }) => kind === "human")?.index;
  return turns
    .filter(({ index }) => index >= context.fromTurn)
    .flatMap((turn) => {
      const sentences = spokenSentences(turn).map((one) => ({ ...one, opens: turn.index === opening }));
      return sentences.flatMap((sentence, at) => {
        const statement = statementIn(sentence, sentences.slice(at + 1));
        const whole = statement === undefined ? undefined : withAntecedent(statement, sentences[at - 1]);
        return whole === undefined || isFromOutside(whole) ? [] : [wordStatement(whole, context)];
      });
    });
}

/** A subject that stands for what was said before, or a short order about such an object. */
const POINTS_BACK =
  /^(?:(?:it|they|he|she|ça|cela|eso|esto)\b|(?:this|that|these|those)(?=['’,.]|\s+(?:is|are|was|were|has|have|must|should|can|can't|will|would|does|doesn't|means|goes|needs?|never|always)\b)|(?:das|es|diese)\s+(?:ist|sind|war|hat|geht|muss|kann|soll)\b)|^(?:\S+\s+){1,4}?(?:it|them|those|these|that|this one|that one)(?=\s*[,.;:!]|$)/i;

/** Says after a colon what it points at. */
const SPELLED_OUT = /:\s+\S+(?:\s+\S+){2}/;

/** A claim that points back is kept with the sentence that it points to, or not at all. */
function withAntecedent(statement: Statement, previous: Sentence | undefined): Statement | undefined {
  const { rule, claim, lexicon } = statement;
  const saysIt = SPELLED_OUT.test(claim) || !POINTS_BACK.test(claimLine(claim));
  if (rule === "X1" || rule === "X6" || saysIt) return statement;
  const before = previous === undefined ? "" : claimLine(previous.text);
  const isThere = wordCount(before) >= MIN_WORDS && !POINTS_BACK.test(before) && !lexicon.request.test(before);
  return isThere && !lexicon.status.test(before) ? { ...statement, before } : undefined;
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
  const cues = sentence.of <= SHORT_MESSAGE ? [...lexicon.remember, ...lexicon.noted] : lexicon.remember;
  const asked = firstClaim(bare(sentence.text, lexicon), cues);
  if (asked === undefined) return undefined;
  const claim = firstClaim(bare(asked, lexicon), lexicon.remember) ?? asked; // "for the future: please remember that …"
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
  const rules = sentence.opens ? lexicon.standing : [...lexicon.standing, ...lexicon.general];
  const patterns = rule === "X2" ? rules : lexicon.decision;
  const claim = firstClaim(text, patterns) ?? firstClaim(sentence.text, patterns);
  if (claim === undefined || wordCount(claim) < MIN_WORDS) return undefined;
  const more = rule === "X2" ? reasons(following, lexicon) : [];
  return { rule, claim: trimmed(claim), sentence, more, lexicon };
}

/** Without the punctuation of the sentence that it stands in. */
function urlIn(text: string): string | undefined {
  return URL.exec(text)?.[0].replace(/[.,;:!?]+$/, "");
}

/** A link that the person gave, with a word for what is there. */
function linked(sentence: Sentence, lexicon: RuleLexicon): Statement | undefined {
  const url = urlIn(sentence.text);
  if (url === undefined || /\?\s*$/.test(sentence.text.replace(url, ""))) return undefined;
  if (PASSING_LINK.test(url)) return undefined;
  const at = sentence.text.indexOf(url);
  const before = sentence.text.slice(Math.max(0, at - CUE_WITHIN), at);
  const after = NAMES_IT.exec(sentence.text.slice(at + url.length, at + url.length + CUE_WITHIN))?.[0] ?? "";
  const isPlace = lexicon.places.test(before) || lexicon.places.test(after) || IS_AT.test(before) || SERVICE.test(url);
  if (!isPlace) return undefined;
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

function wordStatement({ rule, claim, sentence, before, more, lexicon }: Statement, context: RuleContext): RuleFact {
  const url = urlIn(claim);
  const type = typeOf(rule, claim, lexicon);
  const forbids = type !== "pointer" && forbidsOnly(claim, lexicon);
  return wordFact(
    {
      rule,
      type,
      polarity: forbids ? "avoid" : type === "pointer" || type === "context" ? "fact" : "do",
      title: url === undefined ? titleOf(before ?? claim, context.titleMax) : linkTitle(claim, url, context.titleMax),
      content: contentOf([...(before === undefined ? [] : [before]), claimLine(claim), ...more]),
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
  const anew = saidAnew(text);
  const without = anew.replace(interjections, "").trim();
  return without === "" ? anew : without;
}

function firstClaim(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const claim = pattern.exec(text)?.groups?.claim;
    if (claim !== undefined) return claim;
  }
  return undefined;
}

function trimmed(claim: string): string {
  return claim.trim().replace(/^(["“'(])([^"“”'()]*)["”')]$/, "$2");
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
