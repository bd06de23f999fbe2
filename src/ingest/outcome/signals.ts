/**
 * The hard evidence in a session for or against its success, each with its turn; the soft signs and those that only are
 * told stand in `soft-signs.ts`. What each counts is the profile's.
 */
import type { SignalId } from "../../core/profile.ts";
import type { OutcomeEvidence, OutcomeSignal, Turn } from "../../core/session.ts";
import type { HumanTurn, SessionReading } from "./session-reading.ts";
import { type SignAt, softSigns } from "./soft-signs.ts";
import type { ToolStep } from "./tool-steps.ts";

/** Acceptance counts in the last human turns only: what came before was about something else. */
const LAST_HUMANS = 3;

/** All signals in the order of their turns; nothing is resolved or weighed by position yet. */
export function collectSignals(reading: SessionReading): OutcomeSignal[] {
  const signs = [
    ...acceptances(reading),
    ...checks(reading),
    ...commits(reading),
    ...corrections(reading),
    ...interruptions(reading),
    ...reverts(reading),
    ...endings(reading),
    ...softSigns(reading),
  ];
  return signs
    .map(({ id, turn, evidence }) => ({ id, weight: reading.weights[id], turn, evidence, resolved: false }))
    .sort((a, b) => (a.turn ?? Number.MAX_SAFE_INTEGER) - (b.turn ?? Number.MAX_SAFE_INTEGER));
}

function at(id: SignalId, turn: number | null, evidence: OutcomeEvidence): SignAt {
  return { id, turn, evidence };
}

function acceptances({ humans }: SessionReading): SignAt[] {
  return humans
    .slice(-LAST_HUMANS)
    .filter(({ answersWork, cues }) => answersWork && cues.accepts && !cues.resigns)
    .map(({ turn }) => at("user_acceptance", turn.index, "user"));
}

/**
 * The last check after the last change decides. Where nobody checked again, the last thing that is known may be a failure,
 * which its place makes half as sure; a check that passed before the change says nothing.
 */
function checks({ verifications, lastEdit }: SessionReading): SignAt[] {
  const last = verifications.findLast(({ turn }) => turn > lastEdit) ?? verifications.at(-1);
  if (last === undefined) return [];
  if (last.verdict === "failing") return [at("verification_failing", last.turn, "environment")];
  return last.turn > lastEdit ? [at("verified", last.turn, "environment")] : [];
}

/** What takes a commit back: throwing away what is not committed does not. */
const TAKES_COMMIT_BACK = /^git\s+(?:-\S+\s+\S+\s+)*(?:revert|reset)\b/;

function commits({ steps, reader, lastEdit }: SessionReading): SignAt[] {
  const last = steps.filter((step) => reader.isCommit(step) && step.call.index > lastEdit).at(-1);
  if (last === undefined) return [];
  const isReverted = steps.some(
    (step) =>
      step.call.index > last.call.index &&
      reader.isRevert(step) &&
      step.shell.some(({ bare }) => TAKES_COMMIT_BACK.test(bare)),
  );
  return isReverted ? [] : [at("committed", last.call.index, "git")];
}

/** Complaints. The last human turn's counts by itself; an earlier one is recorded where later evidence may answer it. */
function corrections(reading: SessionReading): SignAt[] {
  const { humans } = reading;
  const last = humans.at(-1);
  return humans
    .filter(({ answersWork, cues }) => answersWork && (cues.corrects || cues.resigns))
    .filter((human) => human === last || isAnsweredLater(reading, human))
    .map(({ turn, cues }) => at(cues.resigns ? "user_gave_up" : "user_correction", turn.index, "user"));
}

function isAnsweredLater({ humans, verifications }: SessionReading, { turn }: HumanTurn): boolean {
  const accepted = humans.some((later) => later.turn.index > turn.index && later.cues.accepts);
  return accepted || verifications.some((check) => check.turn > turn.index && check.verdict === "ok");
}

const INTERRUPTED = /interrupt/i;

/** An interrupt or a denial after which nothing succeeded. */
function interruptions({ session, steps }: SessionReading): SignAt[] {
  const lastOk = steps.findLast(({ result }) => result?.tool?.status === "ok")?.call.index ?? -1;
  const interrupted = session.turns.findLast(
    (turn) => turn.kind === "event" && turn.origin === "human" && INTERRUPTED.test(turn.text),
  );
  const denied = steps.findLast(({ result }) => result?.tool?.status === "denied")?.result;
  return [
    ...afterLastSuccess("user_interrupt", interrupted, lastOk),
    ...afterLastSuccess("user_denial", denied, lastOk),
  ];
}

function afterLastSuccess(id: SignalId, turn: Turn | undefined, lastOk: number): SignAt[] {
  return turn === undefined || turn.index < lastOk ? [] : [at(id, turn.index, "user")];
}

const STASH = /^git\s+(?:-\S+\s+\S+\s+)*stash\b/;
const TAKES_STASH_BACK = /^git\s+(?:-\S+\s+\S+\s+)*stash\s+(?:pop|apply)\b/;

/** Changes that the user threw away: by their own command, or by the agent's because they said so. */
function reverts(reading: SessionReading): SignAt[] {
  const { steps, reader, firstEdit } = reading;
  const last = steps.findLast((step) => {
    if (!reader.isRevert(step) || firstEdit === -1 || step.call.index < firstEdit) return false;
    return isByUser(step, reading) && !isTakenBack(step, steps);
  });
  return last === undefined ? [] : [at("user_revert", last.call.index, "user")];
}

function isByUser({ call }: ToolStep, { humans }: SessionReading): boolean {
  if (call.origin === "human") return true;
  const word = humans.findLast(({ turn }) => turn.index < call.index);
  return word?.answersWork === true && word.cues.reverts;
}

function isTakenBack(stash: ToolStep, steps: readonly ToolStep[]): boolean {
  if (!stash.shell.some(({ bare }) => STASH.test(bare))) return false;
  return steps.some(
    ({ call, shell }) => call.index >= stash.call.index && shell.some(({ bare }) => TAKES_STASH_BACK.test(bare)),
  );
}

function endings({ session }: SessionReading): SignAt[] {
  const { endedBy } = session;
  if (endedBy === undefined || endedBy === "user") return [];
  return [at(`ended_by_${endedBy}`, session.turns.at(-1)?.index ?? null, "environment")];
}
