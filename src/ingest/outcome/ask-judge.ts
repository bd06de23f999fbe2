/** Asks a model how a session ended, where the signals leave it open. Its answer counts only with turns that exist. */
import { ModelError } from "../../core/errors.ts";
import type { Outcome, OutcomeLabel, Session, Turn } from "../../core/session.ts";
import { cleanLine, cutAt } from "../../text/clean.ts";
import { redactPatterns } from "../../text/redact.ts";
import { renderTurn } from "../extract/render-turns.ts";
import { readReply } from "../extract/repair-reply.ts";
import { createBoundary } from "../prompts/boundary.ts";
import { JUDGE_OUTCOME_VERSION, judgeOutcomePrompt } from "../prompts/judge-outcome.ts";
import { ask, type StageDeps } from "../stage-deps.ts";
import type { StageAccount } from "../stage-report.ts";
import type { SessionReading } from "./session-reading.ts";

export interface Judgement {
  readonly label: OutcomeLabel;
  /** 0 … 1. */
  readonly confidence: number;
  readonly evidence: readonly number[];
  readonly reason: string;
}

const LABELS: readonly string[] = ["success", "partial", "failure", "unknown"] satisfies OutcomeLabel[];
const LAST_TURNS = 6;
const MAX_GOALS = 6;
const TURN_CHARACTERS = 2_000;
const REASON_CHARACTERS = 300;
/** A less sure judgement changes nothing. */
const LEAST_CONFIDENCE = 0.6;
const MAX_OUTPUT_TOKENS = 400;
const TIMEOUT_MS = 60_000;

/** @returns undefined where the model fails, or says nothing that could count: the signals then stand alone. */
export async function askJudge(
  deps: StageDeps,
  account: StageAccount,
  { reading, outcome }: { readonly reading: SessionReading; readonly outcome: Outcome },
): Promise<Judgement | undefined> {
  const { session } = reading;
  account.note(`prompt judge-outcome@${JUDGE_OUTCOME_VERSION}`);
  const prompt = judgeOutcomePrompt({
    boundary: createBoundary(deps.ids),
    goal: goalsOf(reading).map(shortTurn).join("\n"),
    ending: session.turns.slice(-LAST_TURNS).map(shortTurn).join("\n"),
    signals: outcome.signals.filter(({ weight }) => weight !== 0), // what counts nothing must not sway it
  });
  try {
    const limits = { maxOutputTokens: MAX_OUTPUT_TOKENS, timeoutMs: TIMEOUT_MS };
    const reply = await ask(deps, account, { stage: "judge", ...prompt, ...limits });
    const judgement = readJudgement(readReply(reply).value, session);
    account.note(judgement === undefined ? "the judge's reply does not count" : `judged ${judgement.label}`);
    return judgement;
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    account.note(`no judge: ${thrown.message}`);
    return undefined;
  }
}

/** The first request and those that came after work without being remarks on it. */
function goalsOf({ humans }: SessionReading): Turn[] {
  const [first, ...later] = humans;
  const changes = later.filter(({ cues }) => !cues.accepts && !cues.corrects).slice(-(MAX_GOALS - 1));
  return [...(first === undefined ? [] : [first]), ...changes].map(({ turn }) => turn);
}

function shortTurn(turn: Turn): string {
  return turn.text.length <= TURN_CHARACTERS
    ? renderTurn(turn)
    : renderTurn({
        ...turn,
        text: `${cutAt(turn.text, TURN_CHARACTERS / 2)} … ${turn.text.slice(-TURN_CHARACTERS / 2)}`,
      });
}

function readJudgement(value: object | undefined, { turns }: Session): Judgement | undefined {
  const { label, confidence, evidence, reason } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof label !== "string" || !LABELS.includes(label.trim().toLowerCase())) return undefined;
  const sure = Number(confidence);
  const known = new Set(turns.map(({ index }) => index));
  const cited = [evidence].flat().map((turn) => Number(String(turn).replace(/^t/i, "")));
  const real = cited.filter((turn) => known.has(turn));
  if (!(sure >= LEAST_CONFIDENCE && sure <= 1) || real.length === 0) return undefined;
  return {
    label: label.trim().toLowerCase() as OutcomeLabel,
    confidence: sure,
    evidence: real,
    reason: cleanLine(redactPatterns(typeof reason === "string" ? reason : ""), REASON_CHARACTERS),
  };
}
