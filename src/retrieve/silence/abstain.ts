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

const byTrigger = ({ trigger }: Evidence, least: Thresholds): boolean =>
  trigger !== undefined && trigger >= least.trigger;
const byBody = ({ body, isPiece }: Evidence, least: Thresholds): boolean =>
  body !== undefined && body >= (isPiece ? least.piece : least.body);
const byWords = ({ trigger, body, coverage }: Evidence, least: Thresholds): boolean =>
  coverage >= (trigger === undefined && body === undefined ? least.coverageAlone : least.coverage);

/** Whether there is any reason. */
export function survives(evidence: Evidence, least: Thresholds): boolean {
  return evidence.rareSymbol || byTrigger(evidence, least) || byBody(evidence, least) || byWords(evidence, least);
}

/** Why a unit is worth showing, strongest reason first; empty when it is not. */
export function survivalReasons(evidence: Evidence, thresholds: Thresholds): string[] {
  const reasons: string[] = [];
  if (evidence.rareSymbol) reasons.push("rare symbol");
  if (byTrigger(evidence, thresholds)) reasons.push(`trigger ${evidence.trigger?.toFixed(2)}`);
  if (byBody(evidence, thresholds)) reasons.push(`meaning ${evidence.body?.toFixed(2)}`);
  if (byWords(evidence, thresholds)) reasons.push(`words ${Math.round(evidence.coverage * 100)}%`);
  return reasons;
}
