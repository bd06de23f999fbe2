/**
 * What a person wrote is never shortened: where it alone is too long, the session is read in several windows, split at
 * human turns. Where there are too many, those with most corrections are read, and what is left out is named.
 */
import { rangeOf, type Segment, splitSegment, type TranscriptWindow, windowCharacters } from "../transcript-window.ts";

export interface ChosenWindows {
  readonly windows: readonly TranscriptWindow[];
  /** Share of the characters in the windows, 0 … 1. */
  readonly coverage: number;
  readonly leftOut: readonly string[];
}

export interface WindowLimits {
  readonly characters: number;
  readonly windows: number;
}

/** @param isCorrection - Of a rendered human turn. */
export function chooseWindows(
  segments: readonly Segment[],
  limits: WindowLimits,
  isCorrection: (humanText: string) => boolean,
): ChosenWindows {
  const all = fillWindows(segments, limits.characters);
  const chosen = all.length <= limits.windows ? all : mostTelling(all, limits.windows, isCorrection);
  const total = all.reduce((sum, window) => sum + windowCharacters(window), 0);
  const kept = chosen.reduce((sum, window) => sum + windowCharacters(window), 0);
  return {
    windows: chosen,
    coverage: total === 0 ? 1 : kept / total,
    leftOut: all.filter((window) => !chosen.includes(window)).map((window) => rangeOf(window.segments)),
  };
}

/** Windows end before a human turn where one is near; a segment longer than a window is split, verbatim. */
function fillWindows(segments: readonly Segment[], limit: number): TranscriptWindow[] {
  const windows: Segment[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const segment of segments.flatMap((whole) => piecesOf(whole, limit))) {
    const open = windows.at(-1);
    const fits = filled + segment.text.length + 1 <= limit;
    if (open !== undefined && fits) {
      open.push(segment);
      filled += segment.text.length + 1;
      continue;
    }
    windows.push([segment]);
    filled = segment.text.length + 1;
  }
  return windows.map((window) => ({ segments: window }));
}

function piecesOf(segment: Segment, limit: number): Segment[] {
  const pieces: Segment[] = [];
  let rest: Segment | undefined = segment;
  while (rest !== undefined) {
    const [head, tail]: readonly [Segment, Segment | undefined] = splitSegment(rest, Math.max(1, limit - 1));
    pieces.push(head);
    rest = tail;
  }
  return pieces;
}

/** The first, the last, and those with most corrections between them. */
function mostTelling(
  all: readonly TranscriptWindow[],
  most: number,
  isCorrection: (humanText: string) => boolean,
): TranscriptWindow[] {
  if (most === 1) return all.slice(0, 1);
  const corrections = (window: TranscriptWindow) =>
    window.segments.filter(({ human, text }) => human && isCorrection(text)).length;
  const middle = all.slice(1, -1).map((window) => ({ window, count: corrections(window) }));
  const best = middle.sort((a, b) => b.count - a.count).slice(0, Math.max(0, most - 2));
  const chosen = new Set([all[0], all.at(-1), ...best.map(({ window }) => window)]);
  return all.filter((window) => chosen.has(window));
}
