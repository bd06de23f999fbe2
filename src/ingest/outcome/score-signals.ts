/** From signals to a label: what was answered leaves the sum, what lies before the last change counts half. Pure. */
import type { Outcome, OutcomeEvidence, OutcomeLabel, OutcomeSignal } from "../../core/session.ts";

/** A signal this heavy is hard evidence, on either side. */
const HARD = 3;
const DECIDED = 3;
const EARLY_SHARE = 0.5;

/**
 * @param lastEdit - Turn of the last change; -1 where there was none.
 * @returns Every signal, with its weight as it was counted and whether a later one answered it.
 */
export function scoreSignals(signals: readonly OutcomeSignal[], lastEdit: number): Outcome {
  const lastHardPositive = lastTurn(signals.filter(({ weight }) => weight >= HARD));
  const weighed = signals.map((signal) => ({
    ...signal,
    weight: isEarly(signal, lastEdit) ? signal.weight * EARLY_SHARE : signal.weight,
    resolved: signal.weight <= -HARD && signal.turn !== null && signal.turn < lastHardPositive,
  }));
  const standing = weighed.filter(({ resolved }) => !resolved);
  const hard = signals.filter((_, at) => weighed[at]?.resolved === false && isHard(signals[at]));
  const score = counted(standing, hard).reduce((sum, { weight }) => sum + weight, 0);
  const label = labelOf(score, hard);
  return { label, score, evidence: evidenceOf(label, hard), signals: weighed, reason: null };
}

/**
 * Soft signs never outvote hard evidence: where it stands on one side only, soft signs of the other side do not count. A
 * closing question must not undo a passed check, nor three quiet tools a complaint.
 */
function counted(standing: readonly OutcomeSignal[], hard: readonly OutcomeSignal[]): readonly OutcomeSignal[] {
  const signs = new Set(hard.map(({ weight }) => Math.sign(weight)));
  const [only] = signs;
  return signs.size === 1 && only !== undefined
    ? standing.filter(({ weight }) => Math.sign(weight) === only || weight === 0)
    : standing;
}

/**
 * Whether hard evidence stands unanswered on one side. Half a hard signal is still hard evidence: what lies before the
 * last change is weaker, not softer.
 */
export function hasHardEvidence({ signals }: Outcome, side: 1 | -1): boolean {
  return signals.some(({ weight, resolved }) => !resolved && weight * side >= HARD * EARLY_SHARE);
}

function isHard(signal: OutcomeSignal | undefined): boolean {
  return signal !== undefined && Math.abs(signal.weight) >= HARD;
}

function isEarly({ turn }: OutcomeSignal, lastEdit: number): boolean {
  return turn !== null && turn < lastEdit;
}

function lastTurn(signals: readonly OutcomeSignal[]): number {
  return signals.reduce((last, { turn }) => Math.max(last, turn ?? -1), -1);
}

function labelOf(score: number, hard: readonly OutcomeSignal[]): OutcomeLabel {
  const positive = hard.filter(({ weight }) => weight > 0);
  const negative = hard.filter(({ weight }) => weight < 0);
  if (score >= DECIDED && negative.length === 0) return "success";
  if (score <= -DECIDED) return "failure";
  if (positive.length > 0 && negative.length > 0) return "partial";
  return "unknown";
}

const STRONGEST_FIRST: readonly OutcomeEvidence[] = ["caller", "user", "environment", "git", "judge"];

/** Who vouches for the label: the strongest kind among the hard signals that point its way. */
function evidenceOf(label: OutcomeLabel, hard: readonly OutcomeSignal[]): OutcomeEvidence {
  if (label === "unknown") return "none";
  const sign = label === "success" ? 1 : -1;
  const pointing = hard.filter(({ weight }) => label === "partial" || Math.sign(weight) === sign);
  return STRONGEST_FIRST.find((kind) => pointing.some(({ evidence }) => evidence === kind)) ?? "none";
}
