/**
 * When to say nothing. Fused scores always have a best one, so they cannot tell whether anything fits: raw scores of the
 * searchers decide. A list is never filled up to its limit.
 */
import type { Thresholds } from "../settings.ts";

/** Once one hit stands by itself the question is one that memory can answer, and half as near will do for the others. */
const FOLLOWING = 0.5;

/** Thresholds for what is shown beside a hit that stands by itself. */
export function lowered({ trigger, body, piece, coverage, coverageAlone }: Thresholds): Thresholds {
  return {
    trigger: trigger * FOLLOWING,
    body: body * FOLLOWING,
    piece: piece * FOLLOWING,
    coverage: coverage * FOLLOWING,
    coverageAlone: coverageAlone * FOLLOWING,
  };
}

/** Function words are known of English alone: in another language they count among a query's words and are seldom met. */
const FOREIGN_WORDS_MET = 0.5;

export function forForeignWords(thresholds: Thresholds): Thresholds {
  return { ...thresholds, coverageAlone: thresholds.coverageAlone * FOREIGN_WORDS_MET };
}

/** What the searchers know of one unit, each on its own scale. */
export interface Evidence {
  /** Cosine with the nearest trigger, where vectors answered. */
  readonly trigger: number | undefined;
  /** Cosine with the body, where vectors answered. */
  readonly body: number | undefined;
  /** Whether the body is a piece of a file. */
  readonly isPiece: boolean;
  /** Share of the query's idf mass that the unit's text covers. */
  readonly coverage: number;
  readonly rareSymbol: boolean;
}

/** Why a unit is worth showing, strongest reason first; empty when it is not. */
export function survivalReasons(evidence: Evidence, thresholds: Thresholds): string[] {
  const { trigger, body, isPiece, coverage, rareSymbol } = evidence;
  const alone = trigger === undefined && body === undefined;
  const reasons: string[] = [];
  if (rareSymbol) reasons.push("rare symbol");
  if (trigger !== undefined && trigger >= thresholds.trigger) reasons.push(`trigger ${trigger.toFixed(2)}`);
  if (body !== undefined && body >= (isPiece ? thresholds.piece : thresholds.body))
    reasons.push(`meaning ${body.toFixed(2)}`);
  if (coverage >= (alone ? thresholds.coverageAlone : thresholds.coverage)) {
    reasons.push(`words ${Math.round(coverage * 100)}%`);
  }
  return reasons;
}
