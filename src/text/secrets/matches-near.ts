/**
 * Runs a pattern only where it can match. A pattern that begins with a name of any letters is tried at every word of a
 * text; what must follow within a few characters is rare, and found many times faster.
 */

export interface NearPattern {
  /** Sticky. */
  readonly pattern: RegExp;
  /** Global. A match of it begins in every match of `pattern`, at most `reach` characters after that one's beginning. */
  readonly hint: RegExp;
  readonly reach: number;
  /** Whether a character may stand between the two beginnings. */
  readonly between: (code: number) => boolean;
}

/** The matches that `matchAll` finds with the same pattern made global. */
export function matchesNear(text: string, { pattern, hint, reach, between }: NearPattern): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  let from = 0;
  hint.lastIndex = 0;
  for (let near = hint.exec(text); near !== null; near = hint.exec(text)) {
    let start = near.index;
    while (start > from && near.index - start < reach && between(text.charCodeAt(start - 1))) start -= 1;
    const match = firstBetween(text, pattern, { start, end: near.index });
    if (match !== null) found.push(match);
    from = match === null ? from : pattern.lastIndex;
    hint.lastIndex = Math.max(from, near.index + 1);
  }
  return found;
}

function firstBetween(
  text: string,
  pattern: RegExp,
  { start, end }: { readonly start: number; readonly end: number },
): RegExpExecArray | null {
  for (let at = start; at <= end; at += 1) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

const LETTERS_AND_DIGITS: ReadonlySet<number> = new Set(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"].map((letter) => letter.charCodeAt(0)),
);

/** `\w`, `.` and `-`. */
export function isNameCode(code: number): boolean {
  return LETTERS_AND_DIGITS.has(code) || code === 0x2e || code === 0x2d;
}
