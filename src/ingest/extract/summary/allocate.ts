/** How many characters each span may keep: by length, and by how likely it is that something was learned in it. */
import type { Turn } from "../../../core/session.ts";
import type { Piece, Span } from "./spans.ts";

/** Spans this short stay as they are. */
const SMALL_SPAN_CHARACTERS = 600;
const MIN_SUMMARY_CHARACTERS = 240;
const BOOST = 2;
const READ_ONLY_BOOST = 0.5;
/** Allocations are rounded down to one of these, the last at most, so that a session that grew a little finds its summaries again. */
const BUCKETS = [240, 320, 420, 560, 720, 900, 1_100, 1_350, 1_600] as const;

export interface Clues {
  /** Of a rendered human turn. */
  readonly isCorrection: (rendered: string) => boolean;
  readonly isVerification: (turn: Turn) => boolean;
  readonly isReadOnly: (turn: Turn) => boolean;
}

export interface Allocation {
  readonly span: Span;
  readonly characters: number;
  /** Over the cap of calls, spans of the least weight go without a model. */
  readonly weight: number;
}

/** One allocation for each span that is to be shortened, in order. */
export function allocate(pieces: readonly Piece[], limit: number, clues: Clues): Allocation[] {
  const spans = pieces.filter((piece): piece is Span => !piece.human);
  const large = spans.filter(({ text }) => text.length > SMALL_SPAN_CHARACTERS);
  const kept = pieces.filter((piece) => piece.human || piece.text.length <= SMALL_SPAN_CHARACTERS);
  const room = limit - kept.reduce((sum, { text }) => sum + text.length + 1, 0);
  const positions = new Map(pieces.map((piece, at) => [piece, at]));
  const lastSpan = spans.at(-1);
  const weights = large.map((span) => {
    const at = positions.get(span) ?? 0;
    const neighbours = [pieces[at - 1], pieces[at + 1]];
    return Math.log2(span.text.length) * (span === lastSpan ? BOOST : boostOf(span, neighbours, clues));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const tight = room < MIN_SUMMARY_CHARACTERS * large.length;
  return large.map((span, at) => {
    const weight = weights[at] ?? 0;
    return { span, weight, characters: tight ? MIN_SUMMARY_CHARACTERS : bucketOf((room * weight) / total) };
  });
}

function bucketOf(characters: number): number {
  return BUCKETS.findLast((bucket) => bucket <= characters) ?? MIN_SUMMARY_CHARACTERS;
}

function boostOf(span: Span, neighbours: readonly (Piece | undefined)[], clues: Clues): number {
  const nearCorrection = neighbours.some((piece) => piece?.human === true && clues.isCorrection(piece.text));
  if (nearCorrection || endsWellAfterError(span) || span.turns.some(clues.isVerification)) return BOOST;
  const calls = span.turns.filter(({ kind }) => kind === "tool_call");
  return calls.length > 0 && calls.every(clues.isReadOnly) ? READ_ONLY_BOOST : 1;
}

function endsWellAfterError({ turns }: Span): boolean {
  const results = turns.filter(({ kind }) => kind === "tool_result").map(({ tool }) => tool?.status);
  const firstError = results.indexOf("error");
  return firstError !== -1 && results.slice(firstError).includes("ok");
}
