/**
 * Brings a session to a length that one extraction call can read: human text stays byte for byte, what the assistant did
 * between two human turns is summarised by the model, and by rule where the model fails.
 */
import type { StageReport } from "../../core/report.ts";
import type { Session } from "../../core/session.ts";
import type { LanguageModel } from "../../models/language-model.ts";
import { outputTokensFor, type StageDeps } from "../stage-deps.ts";
import { openAccount, type StageAccount } from "../stage-report.ts";
import { type Allocation, allocate, type Clues } from "./summary/allocate.ts";
import { askSummaries, type SummaryCaps } from "./summary/ask-summaries.ts";
import { chooseWindows } from "./summary/choose-windows.ts";
import { DIGEST_CHARACTERS, digestSpan } from "./summary/digest-span.ts";
import { cutIntoPieces, type Piece, type Span } from "./summary/spans.ts";
import type { Segment, TranscriptWindow } from "./transcript-window.ts";

export interface SummarizedSession {
  /** At least one; each fits an extraction call. */
  readonly windows: readonly TranscriptWindow[];
  /** Share of the shortened session's characters that the windows hold, 0 … 1. */
  readonly coverage: number;
  /** Ranges of turns that no window holds. */
  readonly leftOut: readonly string[];
  readonly report: StageReport;
}

export interface SummarizeInput {
  readonly session: Session;
  /** Tells what is worth more room; comes from the outcome's reading of the session. */
  readonly clues: Clues;
  readonly caps?: Partial<SummarizeCaps>;
}

export interface SummarizeCaps extends SummaryCaps {
  readonly windows: number;
}

const DEFAULT_CAPS: SummarizeCaps = {
  calls: 24,
  characters: 600_000,
  wallMs: 120_000,
  concurrency: 4,
  windows: 4,
};

/** Transcripts run at no less than this many characters a token, code and logs included. */
const CHARACTERS_PER_TOKEN = 2.5;
/** System prompts of extraction with four types and their examples, measured with room to spare. */
const PROMPT_TOKENS = 2_200;
/** A model that can't read this much of a session is asked anyway: the adapter's error then says what is wrong. */
const LEAST_CHARACTERS = 2_000;

/** How many characters of a transcript one call may carry. */
export function transcriptLimit(model: LanguageModel, summariseOverChars: number): number {
  const freeTokens = model.contextTokens - outputTokensFor(model) - PROMPT_TOKENS;
  return Math.max(LEAST_CHARACTERS, Math.min(summariseOverChars, Math.floor(freeTokens * CHARACTERS_PER_TOKEN)));
}

/** @throws What aborted the run; a model that fails costs detail, never the session. */
export async function summarizeTurns(deps: StageDeps, input: SummarizeInput): Promise<SummarizedSession> {
  const account = openAccount("summarize", deps.now);
  const caps = { ...DEFAULT_CAPS, ...input.caps };
  const limit = transcriptLimit(deps.model, deps.profile.limits.summariseOverChars);
  const pieces = cutIntoPieces(input.session.turns);
  const characters = pieces.reduce((sum, { text }) => sum + text.length + 1, 0);
  if (characters <= limit) {
    return { windows: [{ segments: pieces.map(toSegment) }], coverage: 1, leftOut: [], report: account.finish() };
  }
  const allocations = allocate(pieces, limit, input.clues);
  const short = await shorten({ deps, account, caps, limit, clues: input.clues }, allocations);
  const segments = pieces.map((piece) => (piece.human ? piece : (short.get(piece.handle) ?? toSegment(piece))));
  const chosen = chooseWindows(segments, { characters: limit, windows: caps.windows }, input.clues.isCorrection);
  if (chosen.leftOut.length > 0) account.note(`left out: ${chosen.leftOut.join(", ")}`);
  return { ...chosen, report: account.finish() };
}

interface ShortenContext {
  readonly deps: StageDeps;
  readonly account: StageAccount;
  readonly caps: SummarizeCaps;
  readonly limit: number;
  readonly clues: Clues;
}

/** Shortened spans by handle. */
async function shorten(context: ShortenContext, allocations: readonly Allocation[]): Promise<Map<number, Segment>> {
  const { isVerification } = context.clues;
  const digestLimit = Math.min(DIGEST_CHARACTERS, context.limit);
  const jobs = allocations.map((allocation) => ({
    ...allocation,
    digest: digestSpan(allocation.span, digestLimit, isVerification),
  }));
  const summaries = await askSummaries(context, jobs, digestLimit);
  return new Map(
    allocations.map(({ span, characters }) => {
      const summary = summaries.get(span.handle);
      if (summary !== undefined) return [span.handle, tagged(span, "summarised", summary)];
      return [span.handle, tagged(span, "auto-digest", digestSpan(span, characters, isVerification))];
    }),
  );
}

/** The head says which turns are meant and that these are not their words. */
function tagged(span: Span, how: string, text: string): Segment {
  const { firstTurn, lastTurn } = span;
  const turns = firstTurn === lastTurn ? `t${firstTurn}` : `t${firstTurn}–t${lastTurn}`;
  return { firstTurn, lastTurn, human: false, text: `[${turns} assistant, ${how}] ${text}` };
}

function toSegment({ firstTurn, lastTurn, text, human }: Piece): Segment {
  return { firstTurn, lastTurn, text, human };
}
