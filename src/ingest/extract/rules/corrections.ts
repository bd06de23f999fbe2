/** X3: a person stops the agent right after it did something, and it then does something else. */
import type { Turn } from "../../../core/session.ts";
import { cleanLine } from "../../../text/clean.ts";
import { isNamedThing } from "../../../text/lexicons/claim-words.ts";
import { canonicalWords } from "../../../text/shingles.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import { extractSymbols } from "../../../text/symbols.ts";
import { PATCHED } from "./command-runs.ts";
import { LEXICONS } from "./lexicon.ts";
import type { RuleLexicon } from "./rule-lexicon.ts";
import { type Sentence, spokenSentences } from "./spoken-sentences.ts";
import { forbidsOnly, guidance, type RuleContext } from "./user-statements.ts";
import {
  claimLine,
  consequenceOf,
  contentOf,
  quoteOf,
  type RuleFact,
  reasonOf,
  titleOf,
  wordFact,
} from "./word-fact.ts";

const CONFIDENCE = 0.45;
/** Fewer own words than this ("no, the other one") mean nothing outside the conversation. */
const MIN_CONTENT_WORDS = 3;
/** A correction is at the head of a message, and it is short. */
const HEAD_SENTENCES = 3;
const EXPLAINING =
  /^(?:it|they|this|that|these|those|the|our|otherwise|or else|because|since|if not|sonst|weil|das|die|der|sinon|parce|les?|la|porque|el|los|las)\b/i;
/** Means something only to who was there. */
const POINTS_BACK = /^(?:it|this|that|they|these|those|he|she|there|same|das|es|ça|cela|eso|esto)\b/i;

/** One fact for each sentence at the head of the turn that says something of its own. */
export function corrections(context: RuleContext): RuleFact[] {
  const { turns } = context.session;
  return turns.flatMap((turn, at) => {
    if (turn.index < context.fromTurn || turn.kind !== "human") return [];
    const before = lastAction(turns.slice(0, at));
    const after = turns.slice(at + 1).find(({ kind }) => kind === "tool_call");
    if (before === undefined || after === undefined || sameAction(before, after)) return [];
    return correctionsIn(spokenSentences(turn), {
      context,
      action: () => actionWords(before, turns),
      resolvedAt: after.index,
    });
  });
}

interface Around {
  readonly context: RuleContext;
  /** What the agent had done: looked up only where a correction needs it. */
  readonly action: () => string;
  readonly resolvedAt: number;
}

function correctionsIn(sentences: readonly Sentence[], around: Around): RuleFact[] {
  const [first] = sentences;
  const lexicon = LEXICONS.find(
    ({ correction, notCorrection }) =>
      first !== undefined && correction.test(first.text) && !notCorrection.test(first.text),
  );
  if (lexicon === undefined) return [];
  const head = sentences.slice(0, HEAD_SENTENCES);
  const facts: RuleFact[] = [];
  const explained = new Set<Sentence>();
  for (const [at, sentence] of head.entries()) {
    const previous = head[at - 1];
    const next = sentences[at + 1];
    const forbids = isProhibition(sentence, lexicon);
    const explanation = next !== undefined && isExplanation(next, lexicon, forbids) ? [next.text] : [];
    const explains = previous !== undefined && explained.has(previous);
    if (explains || !((forbids && explanation.length > 0) || isTelling(sentence, lexicon))) continue;
    if (explanation.length > 0) explained.add(sentence);
    facts.push(wordCorrection({ sentence, explanation, lexicon }, around));
  }
  return facts;
}

interface Correction {
  readonly sentence: Sentence;
  readonly explanation: readonly string[];
  readonly lexicon: RuleLexicon;
}

function wordCorrection(
  { sentence, explanation, lexicon }: Correction,
  { context, action, resolvedAt }: Around,
): RuleFact {
  const claim = claimLine(sentence.text);
  const forbids = forbidsOnly(claim, lexicon);
  const type = lexicon.preference.test(claim) ? "preference" : "lesson";
  const reason = reasonOf(claim) ?? reasonOf(` ${explanation[0] ?? ""}`);
  return wordFact(
    {
      rule: "X3",
      type,
      polarity: forbids ? "avoid" : "do",
      title: titleOf(claim, context.titleMax),
      content: contentOf([claim, ...explanation]),
      why: `The user corrected the agent after it ${action()}.${reason === undefined ? "" : ` ${reason}`}`,
      howToApply: consequenceOf(claim) ?? guidance(type, forbids),
      confidence: CONFIDENCE,
      source: "user_stated",
      trust: 3,
      evidence: [{ turn: sentence.turn, quote: quoteOf(sentence.text) }],
      resolvedAt,
      everywhere: lexicon.everywhere.test(claim),
      goal: context.goal,
    },
    context.titleMax,
  );
}

/** Says something that holds beyond this conversation: names a thing, or enough words, and is no request. */
function isTelling({ text }: Sentence, lexicon: RuleLexicon): boolean {
  const claim = claimLine(text);
  if (POINTS_BACK.test(claim) || isStatus(claim, lexicon)) return false;
  if (lexicon.request.test(claim) || lexicon.passing.test(claim) || /^(?:why|how|what|where|who)\b/i.test(claim))
    return false;
  const words = contentWords(claim);
  const namesThing = extractSymbols(claim).length > 0 || words.some(isNamedThing);
  const isGeneral = LEXICONS.some(
    ({ standing, reason }) => reason.test(claim) || standing.some((rule) => rule.test(claim)),
  );
  const isStatement = lexicon.statement.test(claim);
  return words.length >= MIN_CONTENT_WORDS - Number(namesThing) && (namesThing || isGeneral || isStatement);
}

/** Tells how the work stands, and neither what to do nor why. */
function isStatus(claim: string, { status, preference, forbids }: RuleLexicon): boolean {
  if (!status.test(claim) || preference.test(claim)) return false;
  const directs = claim.search(forbids) === 0 || LEXICONS.some(({ reason }) => reason.test(claim));
  return !directs;
}

/** What is not to be done, as a whole, and named. */
function isProhibition({ text }: Sentence, lexicon: RuleLexicon): boolean {
  const claim = claimLine(text);
  const isPassing = lexicon.passing.test(claim) || lexicon.request.test(claim) || lexicon.status.test(claim);
  return !isPassing && forbidsOnly(claim, lexicon) && contentWords(claim).length >= MIN_CONTENT_WORDS - 1;
}

/** Gives the reason for what was said before it, or more of it; not an instruction of its own. */
function isExplanation({ text }: Sentence, lexicon: RuleLexicon, ofProhibition: boolean): boolean {
  return (
    text.length <= 200 &&
    (EXPLAINING.test(text) || (ofProhibition && lexicon.statement.test(text))) &&
    !lexicon.request.test(text) &&
    !lexicon.status.test(text) &&
    !lexicon.preference.test(claimLine(text)) &&
    contentWords(text).length >= 2
  );
}

function contentWords(text: string): string[] {
  return canonicalWords(text).filter((word) => word.length > 1 && !isStopWord(word));
}

/** The last thing that the agent did before: a call, or else what it said. */
function lastAction(turns: readonly Turn[]): Turn | undefined {
  const lastHuman = turns.findLastIndex(({ kind }) => kind === "human");
  const own = turns.slice(lastHuman + 1);
  return own.findLast(({ kind }) => kind === "tool_call") ?? own.findLast(({ kind }) => kind === "assistant");
}

function sameAction(a: Turn, b: Turn): boolean {
  return a.tool !== undefined && a.tool.name === b.tool?.name && a.tool.args === b.tool.args;
}

function actionWords({ tool, text }: Turn, turns: readonly Turn[]): string {
  if (tool === undefined) return `said "${cleanLine(text, 80)}"`;
  const result = turns.find(({ kind, tool: of }) => kind === "tool_result" && of?.callId === tool.callId);
  const refused = result?.tool?.status === "denied";
  const args = tool.args ?? "";
  const [patched] = Array.from(args.matchAll(PATCHED), ([, path]) => path);
  if (patched !== undefined) return `${refused ? "wanted to change" : "changed"} ${patched}`;
  const file = /"(?:file_path|path|filePath|notebook_path)"\s*:\s*"([^"]{1,200})"/.exec(args)?.[1];
  if (file !== undefined) return `${refused ? "wanted to use" : "used"} ${tool.name} on ${file}`;
  if (args === "" || args.startsWith("{")) return `${refused ? "wanted to use" : "used"} ${tool.name}`;
  return `${refused ? "wanted to run" : "ran"} \`${cleanLine(args, 100)}\``;
}
