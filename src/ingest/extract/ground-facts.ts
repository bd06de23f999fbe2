/**
 * Grounding: a fact stands only on what the session really holds. Quotes are looked up, every name and number of the
 * claim must occur, and who vouches for it is worked out anew from the roles of the cited turns.
 */
import type { Evidence, Fact, SourceRank, Trust } from "../../core/memory-record.ts";
import type { Rejection, StageReport } from "../../core/report.ts";
import type { Session, Turn } from "../../core/session.ts";
import { cutAt } from "../../text/clean.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import type { StageDeps } from "../stage-deps.ts";
import { openAccount } from "../stage-report.ts";
import type { ExtractionMode } from "./extract-facts.ts";
import type { FactCandidate } from "./fact-candidate.ts";
import { claimTokens, isSupported } from "./grounding/claim-tokens.ts";
import { indexSession, type SessionIndex } from "./grounding/session-index.ts";

/** Readings of human turns that grounding depends on; locale data, so they are passed in. */
export interface HumanReading {
  /** The turn accepts what was said or done before it. */
  accepts(text: string): boolean;
  /** The turn speaks of all projects, or says always. */
  meansEverywhere(text: string): boolean;
}

export interface GroundingInput {
  readonly session: Session;
  readonly candidates: readonly FactCandidate[];
  readonly mode: ExtractionMode;
  readonly reading: HumanReading;
  /** A fact must cite a turn from here on; 0 for a new session. */
  readonly fromTurn: number;
}

export interface GroundedFacts {
  readonly facts: readonly Fact[];
  readonly rejections: readonly Rejection[];
  readonly report: StageReport;
}

/** Ids of the rejections made here. */
const UNGROUNDED = "R-ungrounded";
const ALREADY_READ = "R-already-read";
const UNVERIFIED = "R-unverified";
const UNSTATED = "R-unstated";

const TRUSTS: readonly Trust[] = [0, 1, 2, 3];
const QUOTE_CHARACTERS = 160;
/** What only the agent vouches for is not surer than this. */
const INFERRED_CONFIDENCE = 0.6;
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b";
const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
/** Words in a cited turn from which an absolute date may have been worked out. */
const RELATIVE_DATE = new RegExp(
  [
    "\\b(?:today|tonight|yesterday|tomorrow|gestern|heute|morgen|hier|demain|ayer|ontem)\\b",
    `\\b(?:last|this|next|past|coming|since|until|on|by) (?:night|week|month|year|quarter|spring|summer|autumn|fall|winter|${WEEKDAY}|${MONTH})`,
    "\\b(?:\\d+|an?|one|two|three|few) (?:days?|weeks?|months?|years?)\\b",
    `\\b\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH}|\\b${MONTH}\\.? \\d`,
    "\\b\\d{1,2}/\\d{1,2}\\b|\\b\\d{1,2}\\.\\d{1,2}\\.(?:\\d{2,4})?(?!\\d)",
  ].join("|"),
  "i",
);

/** Near-linear in the session: it is indexed once, however many facts there are. */
export function groundFacts(deps: Pick<StageDeps, "now">, input: GroundingInput): GroundedFacts {
  const account = openAccount("ground", deps.now);
  const index = indexSession(input.session.turns);
  const facts: Fact[] = [];
  const rejections: Rejection[] = [];
  for (const candidate of input.candidates) {
    const verdict = groundFact(index, input, candidate);
    if ("fact" in verdict) facts.push(verdict.fact);
    else rejections.push({ ...verdict, title: candidate.title });
  }
  return { facts, rejections, report: account.finish() };
}

type Verdict = { readonly fact: Fact } | Omit<Rejection, "title">;

function groundFact(index: SessionIndex, input: GroundingInput, candidate: FactCandidate): Verdict {
  const found = candidate.evidence.flatMap(({ turn, quote }) => {
    const holder = index.findQuote(turn, quote);
    return holder === undefined ? [] : [{ turn: holder, quote }];
  });
  if (found.length === 0) return { rule: UNGROUNDED, detail: "no quote is in the turn it cites" };
  const [missing] = missingTokens(index, candidate, found);
  if (missing !== undefined) return { rule: UNGROUNDED, detail: `"${missing}" does not occur in the session` };
  if (!found.some(({ turn }) => turn.index >= input.fromTurn)) {
    return { rule: ALREADY_READ, detail: `all evidence lies before t${input.fromTurn}` };
  }
  if (input.mode === "failure_lessons" && failedTools(found).length === 0) {
    return { rule: UNVERIFIED, detail: "no quote is from a local tool that failed" };
  }
  const fact = toFact(index, input, { candidate, found });
  // A README that orders is prose, however often it is read: what people want is what people said or accepted.
  const isStated = fact.source === "user_stated" || fact.source === "user_confirmed";
  if (fact.type === "preference" && !isStated) return { rule: UNSTATED, detail: "no person said or accepted it" };
  return { fact };
}

/** A quote, with the turn that holds it. */
interface Found {
  readonly turn: Turn;
  readonly quote: string;
}

/** Names, numbers and addresses of the claim that the session does not hold. */
function missingTokens(index: SessionIndex, candidate: FactCandidate, found: readonly Found[]): string[] {
  const { tokens, dates } = claimTokens([candidate.title, candidate.content, candidate.howToApply].join("\n"));
  const resolvesDates = found.some(({ turn }) => RELATIVE_DATE.test(turn.text));
  return [
    ...tokens.filter((token) => !isSupported(token, index.tokens)),
    ...(resolvesDates ? [] : dates.filter((date) => !index.tokens.has(date) && !isDayOf(index, date))),
  ];
}

function isDayOf({ turns }: SessionIndex, date: string): boolean {
  return turns.some(({ at }) => at?.toISOString().startsWith(date.slice(0, 10)) === true);
}

function toFact(
  index: SessionIndex,
  { mode, reading }: GroundingInput,
  { candidate, found }: { readonly candidate: FactCandidate; readonly found: readonly Found[] },
): Fact {
  const source = sourceOf(index, reading, { claimed: candidate.source, found });
  const signatures = mode === "failure_lessons" ? failedTools(found).flatMap(({ text }) => errorSignatures(text)) : [];
  return {
    ...candidate,
    symbols: [...candidate.symbols.filter((symbol) => isSupported(symbol, index.tokens)), ...signatures.slice(0, 2)],
    source,
    trust: leastTrust(found),
    confidence:
      source === "agent_inferred" ? Math.min(candidate.confidence, INFERRED_CONFIDENCE) : candidate.confidence,
    scope: candidate.scope === "user" && saysEverywhere(reading, found) ? "user" : "project",
    resolvedAt:
      candidate.resolvedAt !== null && index.turn(candidate.resolvedAt) !== undefined ? candidate.resolvedAt : null,
    evidence: evidenceOf(found),
    ...(mode === "failure_lessons" ? ({ type: "lesson", polarity: "avoid" } as const) : {}),
  };
}

function evidenceOf(found: readonly Found[]): Evidence[] {
  const seen = new Map(
    found.map(({ turn, quote }) => [
      `${turn.index} ${quote}`,
      { turn: turn.index, quote: cutAt(quote, QUOTE_CHARACTERS) },
    ]),
  );
  return [...seen.values()];
}

function leastTrust(found: readonly Found[]): Trust {
  return TRUSTS.find((trust) => found.some(({ turn }) => turn.trust === trust)) ?? 0;
}

function saysEverywhere(reading: HumanReading, found: readonly Found[]): boolean {
  return found.some(({ turn }) => isHuman(turn) && reading.meansEverywhere(turn.text));
}

/** Strongest first: the claimed rank, or the next weaker one, for which the evidence qualifies. */
function sourceOf(
  index: SessionIndex,
  reading: HumanReading,
  { claimed, found }: { readonly claimed: SourceRank; readonly found: readonly Found[] },
): SourceRank {
  const ranks: readonly (readonly [SourceRank, () => boolean])[] = [
    ["user_stated", () => found.some(({ turn, quote }) => isHuman(turn) && !quote.trimEnd().endsWith("?"))],
    ["user_confirmed", () => found.some(({ turn }) => isAccepted(index, reading, turn))],
    [
      "tool_verified",
      () => found.some(({ turn }) => isLocalResult(turn) && turn.tool?.status === "ok") || failedAsQuoted(found),
    ],
  ];
  const from = ranks.findIndex(([rank]) => rank === claimed);
  if (from === -1) return "agent_inferred";
  return ranks.slice(from).find(([, qualifies]) => qualifies())?.[0] ?? "agent_inferred";
}

function isHuman({ kind, origin }: Turn): boolean {
  return kind === "human" && origin === "human";
}

function isAccepted(index: SessionIndex, reading: HumanReading, turn: Turn): boolean {
  if (turn.kind !== "assistant") return false;
  const next = index.nextHuman(turn);
  return next !== undefined && isHuman(next) && reading.accepts(next.text);
}

function isLocalResult({ kind, origin }: Turn): boolean {
  return kind === "tool_result" && origin === "tool_local";
}

/** An error that a local tool printed is verified as an error: it happened. */
function failedAsQuoted(found: readonly Found[]): boolean {
  return failedTools(found).length > 0 && found.every(({ turn }) => isLocalResult(turn));
}

function failedTools(found: readonly Found[]): Turn[] {
  return found.map(({ turn }) => turn).filter((turn) => isLocalResult(turn) && turn.tool?.status === "error");
}
