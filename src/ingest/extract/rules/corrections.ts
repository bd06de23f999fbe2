/** X3: a person stops the agent right after it did something, and it then does something else. */
import type { Turn } from "../../../core/session.ts";
import { isNamedThing } from "../../../text/claim-words.ts";
import { cleanLine } from "../../../text/clean.ts";
import { canonicalWords } from "../../../text/shingles.ts";
import { isStopWord } from "../../../text/stop-words.ts";
import { extractSymbols } from "../../../text/symbols.ts";
import { LEXICONS, type RuleLexicon } from "./lexicon.ts";
import { type Sentence, spokenSentences } from "./spoken-sentences.ts";
import { forbidsOnly, guidance, type RuleContext } from "./user-statements.ts";
import { claimLine, contentOf, quoteOf, type RuleFact, reasonOf, titleOf, wordFact } from "./word-fact.ts";

const CONFIDENCE = 0.45;
/** Fewer own words than this ("no, the other one") mean nothing outside the conversation. */
const MIN_CONTENT_WORDS = 3;
/** A correction is at the head of a message, and it is short. */
const HEAD_SENTENCES = 3;

/** At most one fact for each turn. */
export function corrections(context: RuleContext): RuleFact[] {
  const { turns } = context.session;
  return turns.flatMap((turn, at) => {
    if (turn.index < context.fromTurn || turn.kind !== "human") return [];
    const before = lastAction(turns.slice(0, at));
    const after = turns.slice(at + 1).find(({ kind }) => kind === "tool_call");
    if (before === undefined || after === undefined || sameAction(before, after)) return [];
    const fact = correctionIn(spokenSentences(turn), { context, before, after });
    return fact === undefined ? [] : [fact];
  });
}

interface Around {
  readonly context: RuleContext;
  readonly before: Turn;
  readonly after: Turn;
}

function correctionIn(sentences: readonly Sentence[], { context, before, after }: Around): RuleFact | undefined {
  const [first] = sentences;
  if (first === undefined) return undefined;
  const lexicon = LEXICONS.find(
    ({ correction, notCorrection }) => correction.test(first.text) && !notCorrection.test(first.text),
  );
  if (lexicon === undefined) return undefined;
  const telling = sentences.slice(0, HEAD_SENTENCES).find((sentence) => isTelling(sentence, lexicon));
  if (telling === undefined) return undefined;
  const [next] = sentences.filter(({ at }) => at === telling.at + 1);
  const extra = next !== undefined && addsTo(next, lexicon) ? [next.text] : [];
  const claim = claimLine(telling.text);
  const forbids = forbidsOnly(claim, lexicon);
  const type = lexicon.preference.test(claim) ? "preference" : "lesson";
  const explained = reasonOf(claim) ?? (extra[0] === undefined ? undefined : reasonOf(` ${extra[0]}`));
  return wordFact(
    {
      rule: "X3",
      type,
      polarity: forbids ? "avoid" : "do",
      title: titleOf(claim, context.titleMax),
      content: contentOf([claim, ...extra]),
      why: `The user corrected the agent after it ${actionWords(before)}.${explained === undefined ? "" : ` ${explained}`}`,
      howToApply: guidance(type, forbids),
      confidence: CONFIDENCE,
      source: "user_stated",
      trust: 3,
      evidence: [{ turn: telling.turn, quote: quoteOf(telling.text) }],
      resolvedAt: after.index,
      everywhere: lexicon.everywhere.test(claim),
      goal: context.goal,
    },
    context.titleMax,
  );
}

/** Says something that holds beyond this conversation: names a thing, or enough words, and is no request. */
function isTelling({ text }: Sentence, lexicon: RuleLexicon): boolean {
  const claim = claimLine(text);
  if (lexicon.request.test(claim) || lexicon.passing.test(claim) || /^(?:why|how|what|where|who)\b/i.test(claim))
    return false;
  const words = contentWords(claim);
  const namesThing = extractSymbols(claim).length > 0 || words.some(isNamedThing);
  const isGeneral = LEXICONS.some(
    ({ standing, reason }) => reason.test(claim) || standing.some((rule) => rule.test(claim)),
  );
  const isStatement = /\b(?:is|are|was|were|has|have|uses?|needs?|must|should|means?|runs?|lives?|comes?|goes)\b/i.test(
    claim,
  );
  return words.length >= MIN_CONTENT_WORDS - Number(namesThing) && (namesThing || isGeneral || isStatement);
}

function addsTo({ text }: Sentence, lexicon: RuleLexicon): boolean {
  return text.length <= 200 && !lexicon.request.test(text) && contentWords(text).length >= 2;
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

function actionWords({ tool, text }: Turn): string {
  if (tool === undefined) return `said "${cleanLine(text, 80)}"`;
  const args = tool.args ?? "";
  const file = /"(?:file_path|path|filePath|notebook_path)"\s*:\s*"([^"]{1,200})"/.exec(args)?.[1];
  if (file !== undefined) return `used ${tool.name} on ${file}`;
  return args === "" || args.startsWith("{") ? `used ${tool.name}` : `ran \`${cleanLine(args, 100)}\``;
}
