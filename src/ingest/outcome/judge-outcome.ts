/**
 * Did the session succeed? Signals that the session itself holds decide; a model is asked only where they do not, and can
 * never overrule hard evidence. What stays unknown is kept as provisional by those who ask.
 */
import type { StageReport } from "../../core/report.ts";
import type { Outcome, OutcomeLabel, OutcomeSignal, Session } from "../../core/session.ts";
import type { StageDeps } from "../stage-deps.ts";
import { openAccount } from "../stage-report.ts";
import { askJudge, type Judgement } from "./ask-judge.ts";
import { hasHardEvidence, scoreSignals } from "./score-signals.ts";
import { readSession, type SessionReading } from "./session-reading.ts";
import { collectSignals } from "./signals.ts";

export interface JudgedOutcome {
  readonly outcome: Outcome;
  /** For the stages that follow, so that nothing is read twice. */
  readonly reading: SessionReading;
  readonly report: StageReport;
}

export interface OutcomeInput {
  readonly session: Session;
  /** Stated by who started the ingestion: believed before everything else. */
  readonly stated?: Exclude<OutcomeLabel, "unknown">;
}

/** Without a model (rules mode) the judge is never asked. */
export type OutcomeDeps = Pick<StageDeps, "now" | "profile"> & (StageDeps | { readonly model?: undefined });

/** @throws What aborted the run; a judge that fails changes nothing. */
export async function judgeOutcome(deps: OutcomeDeps, { session, stated }: OutcomeInput): Promise<JudgedOutcome> {
  const account = openAccount("outcome", deps.now);
  const reading = readSession(session, deps.profile);
  const bySignals = scoreSignals(collectSignals(reading), reading.lastEdit);
  if (stated !== undefined) {
    return { outcome: byCaller(bySignals, stated, reading.weights.caller), reading, report: account.finish() };
  }
  const judgement =
    deps.model !== undefined && isJudgeWanted(deps, bySignals)
      ? await askJudge(deps, account, { reading, outcome: bySignals })
      : undefined;
  const outcome = judgement === undefined ? bySignals : combine(bySignals, judgement);
  return { outcome, reading, report: account.finish() };
}

function isJudgeWanted({ profile }: OutcomeDeps, { label }: Outcome): boolean {
  const { judge } = profile.outcome;
  return judge === "always" || (judge === "unknown_only" && label === "unknown");
}

function byCaller(outcome: Outcome, label: Exclude<OutcomeLabel, "unknown">, counts: number): Outcome {
  const weight = label === "success" ? counts : label === "failure" ? -counts : 0;
  const stated: OutcomeSignal = { id: "caller", weight, turn: null, resolved: false, evidence: "caller" };
  const signals = [stated, ...outcome.signals];
  return { ...outcome, label, evidence: "caller", signals, reason: "stated by the caller" };
}

/** Worst first. */
const ORDER: readonly OutcomeLabel[] = ["failure", "unknown", "partial", "success"];

/**
 * A standing hard negative keeps the judge at `partial` or below, a hard positive keeps it from lowering what the
 * signals say.
 */
export function combine(outcome: Outcome, judgement: Judgement): Outcome {
  let label = judgement.label;
  if (hasHardEvidence(outcome, -1) && label === "success") label = "partial";
  if (hasHardEvidence(outcome, 1) && ORDER.indexOf(label) < ORDER.indexOf(outcome.label)) label = outcome.label;
  if (label === "unknown" || label === outcome.label) return outcome;
  return { ...outcome, label, evidence: "judge", reason: judgement.reason };
}
