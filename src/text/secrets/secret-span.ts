/** Where a secret stands in a text, and how the detectors' findings become one list. */

export interface SecretSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** What it is, in snake case: the name in its placeholder. */
  readonly kind: string;
  /** A detector that knows the shape (2) names the secret better than one that saw an assignment (1) or a guess (0). */
  readonly certainty: 0 | 1 | 2;
}

/** `[REDACTED:github_token#1]`. */
export const PLACEHOLDER = /\[REDACTED:[a-z0-9_]{1,40}#\d{1,9}\]/g;

/** Finds one family of secrets. */
export type SecretDetector = (text: string) => SecretSpan[];

/** The span of `secret` within a match, at its last place there: what is around it comes first. */
export function spanIn(
  match: RegExpExecArray,
  secret: string,
  told: Pick<SecretSpan, "kind" | "certainty">,
): SecretSpan {
  const start = match.index + match[0].lastIndexOf(secret);
  return { start, end: start + secret.length, ...told };
}

/**
 * Spans in order, without overlaps: touching ones are joined under the surest one's kind. A span that reaches into a
 * placeholder is left out: it was redacted before.
 */
export function mergeSpans(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const placeholders = Array.from(text.matchAll(PLACEHOLDER), ({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }));
  const merged: SecretSpan[] = [];
  for (const span of withoutOverlap(spans, placeholders)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const named = span.certainty > last.certainty ? span : last;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      kind: named.kind,
      certainty: named.certainty,
    };
  }
  return merged;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** `spans` sorted, without those that touch a range; one pass over both. */
function withoutOverlap(spans: readonly SecretSpan[], ranges: readonly Range[]): SecretSpan[] {
  const sorted = spans.filter((span) => span.end > span.start).sort((a, b) => a.start - b.start || b.end - a.end);
  let at = 0;
  return sorted.filter((span) => {
    while (at < ranges.length && (ranges[at]?.end ?? 0) <= span.start) at += 1;
    const range = ranges[at];
    return range === undefined || range.start >= span.end;
  });
}
