/** The transcript as an extraction call reads it: segments on turn boundaries, gathered into windows that fit the model. */

export interface Segment {
  readonly firstTurn: number;
  readonly lastTurn: number;
  /** Rendered lines. */
  readonly text: string;
  /** What a person wrote: never shortened. */
  readonly human: boolean;
}

export interface TranscriptWindow {
  readonly segments: readonly Segment[];
}

export function windowText({ segments }: TranscriptWindow): string {
  return segments.map(({ text }) => text).join("\n");
}

export function windowCharacters({ segments }: TranscriptWindow): number {
  return segments.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** `t12–t40`, for people. */
export function rangeOf(segments: readonly Segment[]): string {
  const first = segments[0]?.firstTurn ?? 0;
  const last = segments.at(-1)?.lastTurn ?? first;
  return first === last ? `t${first}` : `t${first}–t${last}`;
}

/** Two halves of about equal length, on a boundary between segments; a single segment is split inside, verbatim. */
export function halve(window: TranscriptWindow): readonly [TranscriptWindow, TranscriptWindow] {
  const [only] = window.segments;
  if (window.segments.length === 1 && only !== undefined) {
    const [left, right] = splitSegment(only, Math.ceil(only.text.length / 2));
    return [{ segments: [left] }, { segments: right === undefined ? [] : [right] }];
  }
  const half = windowCharacters(window) / 2;
  let seen = 0;
  let at = 0;
  while (at < window.segments.length - 1 && seen < half) {
    seen += window.segments[at]?.text.length ?? 0;
    at += 1;
  }
  return [{ segments: window.segments.slice(0, at) }, { segments: window.segments.slice(at) }];
}

/**
 * Splits at the last line end before `characters`, else exactly there, never inside a surrogate pair.
 *
 * @returns The second part is undefined where everything fits.
 */
export function splitSegment(segment: Segment, characters: number): readonly [Segment, Segment | undefined] {
  if (segment.text.length <= characters) return [segment, undefined];
  const lineEnd = segment.text.lastIndexOf("\n", characters - 1);
  let cut = lineEnd > characters / 2 ? lineEnd + 1 : Math.max(1, characters);
  const before = segment.text.charCodeAt(cut - 1);
  if (before >= 0xd800 && before <= 0xdbff && cut > 1) cut -= 1;
  return [
    { ...segment, text: segment.text.slice(0, cut) },
    { ...segment, text: segment.text.slice(cut) },
  ];
}
