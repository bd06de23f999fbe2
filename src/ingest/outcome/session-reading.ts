/** A session read once for everything that speaks about its outcome: human turns with their cues, tool steps, last change. */
import type { Profile, SignalId } from "../../core/profile.ts";
import type { Session, Turn } from "../../core/session.ts";
import type { Clues } from "../extract/summary/allocate.ts";
import { type HumanCues, readCues } from "./read-cues.ts";
import { createStepReader, type StepReader, type ToolStep, toolSteps } from "./tool-steps.ts";
import type { StepVerdict } from "./verdict.ts";

export interface HumanTurn {
  readonly turn: Turn;
  /** False for the turns before the assistant first did something: a request is no judgement. */
  readonly answersWork: boolean;
  readonly cues: HumanCues;
}

export interface Verification {
  /** Turn in which the result came. */
  readonly turn: number;
  readonly verdict: StepVerdict;
}

export interface SessionReading {
  readonly session: Session;
  readonly humans: readonly HumanTurn[];
  readonly steps: readonly ToolStep[];
  readonly reader: StepReader;
  /** Index of the last turn that changed something; -1 where nothing was changed. */
  readonly lastEdit: number;
  /** Index of the first; -1 likewise. */
  readonly firstEdit: number;
  readonly verifications: readonly Verification[];
  /** What each sign counts, by the profile. */
  readonly weights: Readonly<Record<SignalId, number>>;
}

export function readSession(session: Session, profile: Pick<Profile, "outcome">): SessionReading {
  const reader = createStepReader(profile.outcome);
  const steps = toolSteps(session.turns);
  const edits = steps.filter((step) => step.call.origin !== "human" && reader.isEdit(step));
  return {
    session,
    humans: humanTurns(session.turns),
    steps,
    reader,
    lastEdit: edits.at(-1)?.call.index ?? -1,
    firstEdit: edits[0]?.call.index ?? -1,
    weights: profile.outcome.weights,
    verifications: steps.flatMap((step) => {
      const verdict = reader.verification(step);
      return verdict === undefined || step.result === undefined ? [] : [{ turn: step.result.index, verdict }];
    }),
  };
}

function humanTurns(turns: readonly Turn[]): HumanTurn[] {
  let worked = false;
  const humans: HumanTurn[] = [];
  for (const turn of turns) {
    if (turn.kind === "human") humans.push({ turn, answersWork: worked, cues: readCues(turn.text) });
    else if (turn.kind === "assistant" || turn.kind === "tool_call") worked = true;
  }
  return humans;
}

const RENDERED_HEAD = /^\[t\d+ [^\]\n]*\] /;

/** What the summariser wants to know about turns, from the same reading. */
export function cluesOf({ reader, steps, humans }: SessionReading): Clues {
  const cuesByText = new Map(humans.map(({ turn, cues }) => [turn.text, cues]));
  const byCall = new Map(steps.map((step) => [step.call, step]));
  const test = (turn: Turn, is: (step: ToolStep) => boolean) => {
    const step = byCall.get(turn);
    return step !== undefined && is(step);
  };
  return {
    isCorrection: (rendered) => {
      const text = rendered.replace(RENDERED_HEAD, "");
      return (cuesByText.get(text) ?? readCues(text)).corrects;
    },
    isVerification: (turn) => test(turn, (step) => reader.isVerification(step) || reader.isCommit(step)),
    isReadOnly: (turn) => test(turn, (step) => reader.isReadOnly(step)),
  };
}
