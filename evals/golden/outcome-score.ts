/** How well it is told whether a session succeeded. A wrong success teaches mistakes: its precision stands first. */
import type { OutcomeLabel } from "../../src/internals.ts";
import type { GoldenCase } from "../datasets/golden.ts";
import { type Rate, rateOf } from "../score/wilson.ts";
import type { CaseRun } from "./run/run-case.ts";

export interface OutcomeScore {
  readonly cases: number;
  /** Verdicts of success that are wrong, of all verdicts of success. */
  readonly harmful: Rate;
  /** Successes that were not told as such. */
  readonly omission: Rate;
  readonly successPrecision: Rate;
  /** Sessions that got another label than `unknown`. */
  readonly coverage: Rate;
  readonly right: Rate;
  /** Expected, then judged. */
  readonly confusion: Readonly<Record<OutcomeLabel, Readonly<Record<OutcomeLabel, number>>>>;
}

export interface OutcomeFinding {
  readonly name: string;
  readonly repeat: number;
  readonly expected: OutcomeLabel;
  readonly judged: OutcomeLabel;
  readonly isRight: boolean;
  readonly signals: readonly string[];
}

const LABELS: readonly OutcomeLabel[] = ["success", "partial", "failure", "unknown"];

/** Sessions that are refused as a whole are judged by nobody. */
export function isJudged({ expected }: GoldenCase): boolean {
  return expected.ingest !== "skipped";
}

export function judgeOutcomes({ golden, reports, repeat }: CaseRun): OutcomeFinding[] {
  const { outcome, outcomeAlso = [], grows } = golden.expected;
  return reports.flatMap((report, at) => {
    if (report.outcome === null) return [];
    const isFirst = grows !== undefined && at === 0;
    const expected = isFirst ? grows.outcome : outcome;
    const judged = report.outcome.label;
    return [
      {
        name: isFirst ? `${golden.name} (before it grew)` : golden.name,
        repeat,
        expected,
        judged,
        isRight: judged === expected || (!isFirst && outcomeAlso.includes(judged)),
        signals: report.outcome.signals.map(({ id, weight }) => `${id} ${weight > 0 ? "+" : ""}${weight}`),
      },
    ];
  });
}

export function scoreOutcome(runs: readonly CaseRun[]): OutcomeScore {
  const findings = runs.flatMap(judgeOutcomes);
  const told = findings.filter(({ judged }) => judged === "success");
  const wrong = told.filter(({ isRight }) => !isRight).length;
  const successes = findings.filter(({ expected }) => expected === "success");
  const overlooked = successes.filter(({ isRight }) => !isRight).length;
  const row = (expected: OutcomeLabel): Record<OutcomeLabel, number> => {
    const of = findings.filter((finding) => finding.expected === expected);
    const count = (label: OutcomeLabel): number => of.filter(({ judged }) => judged === label).length;
    return {
      success: count("success"),
      partial: count("partial"),
      failure: count("failure"),
      unknown: count("unknown"),
    };
  };
  return {
    cases: findings.length,
    harmful: rateOf(wrong, told.length),
    omission: rateOf(overlooked, successes.length),
    successPrecision: rateOf(told.length - wrong, told.length),
    coverage: rateOf(findings.filter(({ judged }) => judged !== "unknown").length, findings.length),
    right: rateOf(findings.filter(({ isRight }) => isRight).length, findings.length),
    confusion: { success: row("success"), partial: row("partial"), failure: row("failure"), unknown: row("unknown") },
  };
}

export function outcomeLabels(): readonly OutcomeLabel[] {
  return LABELS;
}
