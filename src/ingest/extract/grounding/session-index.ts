/** A session prepared for checking facts against it: folded turns for quotes, tokens for names and numbers. Built once. */
import type { Turn } from "../../../core/session.ts";
import { bodyOf } from "../render-turns.ts";
import { foldQuote, isNearlyIn, SHORTEST_QUOTE } from "./find-quote.ts";
import { createTextIndex, type TextIndex } from "./text-index.ts";

/** How far off the turn that a model names may be. */
const NEIGHBOURS = [0, -1, 1, -2, 2] as const;
const ELLIPSIS = /\s*(?:…|\.{3,}|\[…\]|\[\.{3}\])\s*/;
/** An abridged quote stands for its longest part, if that is long enough to be found by meaning. */
const LEAST_PART = 16;

export interface SessionIndex {
  readonly turns: readonly Turn[];
  /** Names and numbers of the whole session. */
  readonly tokens: TextIndex;
  turn(index: number): Turn | undefined;
  /**
   * In the cited turn, else in one of the two before or after it: exact everywhere before fuzzy anywhere. Where a span
   * was summarised, its reader can name only the span: a quote that stands there exactly counts, too.
   */
  findQuote(turn: number, quote: string): Turn | undefined;
  /** The first human turn after this one. */
  nextHuman(turn: Turn): Turn | undefined;
}

export function indexSession(turns: readonly Turn[]): SessionIndex {
  const positions = new Map(turns.map((turn, position) => [turn.index, position]));
  const folded = new Map<Turn, string>();
  const foldedBody = (turn: Turn): string => {
    const known = folded.get(turn);
    if (known !== undefined) return known;
    const fresh = foldQuote(bodyOf(turn));
    folded.set(turn, fresh);
    return fresh;
  };
  const near = (index: number): Turn[] => {
    const position = positions.get(index);
    if (position === undefined) return [];
    return NEIGHBOURS.flatMap((offset) => turns[position + offset] ?? []);
  };
  return {
    turns,
    tokens: createTextIndex(searchableTexts(turns)),
    turn: (index) => turns[positions.get(index) ?? -1],
    findQuote(index, quote) {
      const wanted = partsOf(foldQuote(quote));
      return (
        bestMatch(near(index), wanted, foldedBody) ??
        exactIn(spanAround(turns, positions.get(index)), wanted, foldedBody)
      );
    },
    nextHuman: (turn) =>
      turns.slice((positions.get(turn.index) ?? turns.length) + 1).find(({ kind }) => kind === "human"),
  };
}

/** The turns between two human turns, where the one at `position` is not a person's. */
function spanAround(turns: readonly Turn[], position: number | undefined): readonly Turn[] {
  if (position === undefined || turns[position]?.kind === "human") return [];
  const before = turns.findLastIndex(({ kind }, at) => at < position && kind === "human");
  const after = turns.findIndex(({ kind }, at) => at > position && kind === "human");
  return turns.slice(before + 1, after === -1 ? undefined : after);
}

function exactIn(span: readonly Turn[], quote: string, foldedBody: (turn: Turn) => string): Turn | undefined {
  return quote.length < LEAST_PART ? undefined : span.find((turn) => foldedBody(turn).includes(quote));
}

function bestMatch(candidates: readonly Turn[], quote: string, foldedBody: (turn: Turn) => string): Turn | undefined {
  if (quote.length < SHORTEST_QUOTE) return undefined;
  const exact = candidates.find((turn) => foldedBody(turn).includes(quote));
  return exact ?? candidates.find((turn) => isNearlyIn(quote, foldedBody(turn)));
}

/** Our own heads and quotation marks around it are no part of a quote; an abridged one is reduced to its longest part. */
function partsOf(quote: string): string {
  const bare = quote.replace(/^\[t\d+[^\]]{0,80}\]\s*/, "").replace(/^"(.*)"$/, "$1");
  const longest = bare.split(ELLIPSIS).reduce((best, part) => (part.length > best.length ? part : best), "");
  return longest.length >= LEAST_PART || longest.length > bare.length * 0.8 ? longest : bare;
}

function* searchableTexts(turns: readonly Turn[]): Iterable<string> {
  for (const turn of turns) {
    yield turn.text;
    if (turn.tool?.args !== undefined) yield turn.tool.args;
    if (turn.tool !== undefined) yield turn.tool.name;
  }
}
