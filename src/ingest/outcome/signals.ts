/**
 * Everything in a session that speaks for or against its success, each with its turn. What the assistant says of its own
 * work is no signal, whatever it claims.
 */
import type { OutcomeEvidence, OutcomeSignal, Turn } from "../../core/session.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import { admitsFailure } from "./read-cues.ts";
import { HARD } from "./score-signals.ts";
import type { HumanTurn, SessionReading } from "./session-reading.ts";
import { hasFailed, type ToolStep } from "./tool-steps.ts";

const SOFT = 1;
/** Acceptance counts in the last human turns only: what came before was about something else. */
const LAST_HUMANS = 3;
const LAST_RESULTS = 3;
const REPEATED = 3;
/** Programs name the error last. */
const ERROR_CHARACTERS = 2_000;

/** All signals in the order of their turns; nothing is resolved or weighed by position yet. */
export function collectSignals(reading: SessionReading): OutcomeSignal[] {
  const signals = [
    ...acceptances(reading),
    ...checks(reading),
    ...commits(reading),
    ...corrections(reading),
    ...interruptions(reading),
    ...reverts(reading),
    ...endings(reading),
    ...toolSigns(reading),
    ...talkSigns(reading),
  ];
  return signals.sort((a, b) => (a.turn ?? Number.MAX_SAFE_INTEGER) - (b.turn ?? Number.MAX_SAFE_INTEGER));
}

function signal(id: string, weight: number, at: { turn: number | null; evidence: OutcomeEvidence }): OutcomeSignal {
  return { id, weight, turn: at.turn, evidence: at.evidence, resolved: false };
}

function acceptances({ humans }: SessionReading): OutcomeSignal[] {
  return humans
    .slice(-LAST_HUMANS)
    .filter(({ answersWork, cues }) => answersWork && cues.accepts && !cues.resigns)
    .map(({ turn }) => signal("user_acceptance", HARD, { turn: turn.index, evidence: "user" }));
}

/**
 * The last check after the last change decides. Where nobody checked again, the last thing that is known may be a failure,
 * which its place makes half as sure; a check that passed before the change says nothing.
 */
function checks({ verifications, lastEdit }: SessionReading): OutcomeSignal[] {
  const last = verifications.findLast(({ turn }) => turn > lastEdit) ?? verifications.at(-1);
  if (last === undefined) return [];
  const at = { turn: last.turn, evidence: "environment" } as const;
  if (last.verdict === "failing") return [signal("verification_failing", -HARD, at)];
  return last.turn > lastEdit ? [signal("verified", HARD, at)] : [];
}

function commits({ steps, reader, lastEdit }: SessionReading): OutcomeSignal[] {
  const last = steps.filter((step) => reader.isCommit(step) && step.call.index > lastEdit).at(-1);
  if (last === undefined) return [];
  const reverted = steps.some((step) => step.call.index > last.call.index && reader.isRevert(step));
  return reverted ? [] : [signal("committed", HARD, { turn: last.call.index, evidence: "git" })];
}

/** Complaints. The last human turn's counts by itself; an earlier one is recorded where later evidence may answer it. */
function corrections(reading: SessionReading): OutcomeSignal[] {
  const { humans } = reading;
  const last = humans.at(-1);
  return humans
    .filter(({ answersWork, cues }) => answersWork && (cues.corrects || cues.resigns))
    .filter((human) => human === last || isAnsweredLater(reading, human))
    .map(({ turn, cues }) =>
      signal(cues.resigns ? "user_gave_up" : "user_correction", -HARD, { turn: turn.index, evidence: "user" }),
    );
}

function isAnsweredLater({ humans, verifications }: SessionReading, { turn }: HumanTurn): boolean {
  const accepted = humans.some((later) => later.turn.index > turn.index && later.cues.accepts);
  return accepted || verifications.some((check) => check.turn > turn.index && check.verdict === "ok");
}

const INTERRUPTED = /interrupt/i;

/** An interrupt or a denial after which nothing succeeded. */
function interruptions({ session, steps }: SessionReading): OutcomeSignal[] {
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

function afterLastSuccess(id: string, turn: Turn | undefined, lastOk: number): OutcomeSignal[] {
  if (turn === undefined || turn.index < lastOk) return [];
  return [signal(id, -HARD, { turn: turn.index, evidence: "user" })];
}

/** Changes that the user threw away with their own command. */
function reverts({ steps, reader, lastEdit }: SessionReading): OutcomeSignal[] {
  const own = steps.findLast((step) => step.call.origin === "human" && reader.isRevert(step));
  if (own === undefined || lastEdit === -1 || own.call.index < lastEdit) return [];
  return [signal("user_revert", -HARD, { turn: own.call.index, evidence: "user" })];
}

function endings({ session }: SessionReading): OutcomeSignal[] {
  const { endedBy } = session;
  if (endedBy === undefined || endedBy === "user") return [];
  return [signal(`ended_by_${endedBy}`, -HARD, { turn: session.turns.at(-1)?.index ?? null, evidence: "environment" })];
}

function toolSigns(reading: SessionReading): OutcomeSignal[] {
  const results = reading.steps.flatMap(({ result }) => result ?? []);
  const last = results.slice(-LAST_RESULTS);
  const allOk = last.length > 0 && last.every(({ tool }) => tool?.status === "ok");
  const anyOk = results.some(({ tool }) => tool?.status === "ok");
  const thin = reading.humans.length < 2 && !anyOk;
  return [
    ...(allOk ? [signal("last_tools_ok", SOFT, { turn: last.at(-1)?.index ?? null, evidence: "environment" })] : []),
    ...(thin ? [signal("little_happened", -SOFT, { turn: null, evidence: "none" })] : []),
    ...repeatedErrors(reading),
  ];
}

/** The same error three times, and no success of the same tool after it. */
function repeatedErrors({ steps }: SessionReading): OutcomeSignal[] {
  const failures = steps
    .filter(hasFailed)
    .map((step) => ({ step, signatures: errorSignatures((step.result?.text ?? "").slice(-ERROR_CHARACTERS)) }));
  const counts = new Map<string, number>();
  for (const signature of failures.flatMap(({ signatures }) => signatures)) {
    counts.set(signature, (counts.get(signature) ?? 0) + 1);
  }
  const third = failures.findLast(({ signatures }) =>
    signatures.some((signature) => (counts.get(signature) ?? 0) >= REPEATED),
  )?.step;
  if (third === undefined || steps.some((step) => isSuccessAfter(step, third))) return [];
  return [
    signal("same_error_repeated", -SOFT, { turn: third.result?.index ?? third.call.index, evidence: "environment" }),
  ];
}

function isSuccessAfter(step: ToolStep, failure: ToolStep): boolean {
  return (
    step.call.index > failure.call.index &&
    step.call.tool?.name === failure.call.tool?.name &&
    step.result?.tool?.status === "ok"
  );
}

function talkSigns({ session, humans }: SessionReading): OutcomeSignal[] {
  const lastHuman = humans.at(-1);
  const movedOn =
    lastHuman?.answersWork === true && !lastHuman.cues.accepts && !lastHuman.cues.corrects && !lastHuman.cues.resigns;
  const lastWords = session.turns.findLast(({ kind, text }) => kind === "assistant" && text.trim() !== "");
  const isEnd = lastWords !== undefined && lastWords.index > (lastHuman?.turn.index ?? -1);
  const asks = isEnd && lastWords.text.trimEnd().endsWith("?") && session.turns.at(-1) === lastWords;
  const admits = isEnd && admitsFailure(lastWords.text);
  return [
    ...(movedOn ? [signal("user_moved_on", SOFT, { turn: lastHuman.turn.index, evidence: "user" })] : []),
    ...(asks ? [signal("question_unanswered", -SOFT, { turn: lastWords.index, evidence: "none" })] : []),
    ...(admits ? [signal("assistant_gave_up", -SOFT, { turn: lastWords.index, evidence: "none" })] : []),
  ];
}
