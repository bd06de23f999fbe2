/**
 * Signs that lean to one side without proving anything, and those that prove nothing at all: what the assistant says of
 * its own work is told, so that a reader sees that it was seen, and counts nothing.
 */
import type { SignalId } from "../../core/profile.ts";
import type { OutcomeEvidence } from "../../core/session.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import { admitsFailure, claimsDone } from "./read-cues.ts";
import type { SessionReading } from "./session-reading.ts";
import { familyOf, hasFailed, type ToolStep } from "./tool-steps.ts";

export interface SignAt {
  readonly id: SignalId;
  /** `null`: of the session as a whole. */
  readonly turn: number | null;
  readonly evidence: OutcomeEvidence;
}

const LAST_RESULTS = 3;
const REPEATED = 3;
/** Programs name the error last. */
const ERROR_CHARACTERS = 2_000;

export function softSigns(reading: SessionReading): SignAt[] {
  return [...toolSigns(reading), ...repeatedErrors(reading), ...lastHumanSigns(reading), ...lastWordSigns(reading)];
}

function toolSigns({ steps, humans, reader }: SessionReading): SignAt[] {
  const results = steps.flatMap(({ result }) => result ?? []);
  const last = results.slice(-LAST_RESULTS);
  const allOk = last.length > 0 && last.every(({ tool }) => tool?.status === "ok");
  const anyOk = results.some(({ tool }) => tool?.status === "ok");
  const thin = humans.length < 2 && !anyOk;
  const printed = steps.findLast((step) => reader.isPrintedVerdict(step))?.result;
  const tasks = steps.findLast((step) => tasksIn(step) !== undefined);
  return [
    ...sign("last_tools_ok", allOk && last.at(-1)?.index, "environment"),
    ...(thin ? [{ id: "little_happened", turn: null, evidence: "none" } as const] : []),
    ...sign("printed_verdict", printed?.index, "none"),
    ...sign("tasks_all_done", tasks !== undefined && tasksIn(tasks) === "done" && tasks.call.index, "none"),
  ];
}

function sign(id: SignalId, turn: number | false | undefined, evidence: OutcomeEvidence): SignAt[] {
  return turn === undefined || turn === false ? [] : [{ id, turn, evidence }];
}

/** The state of a list of tasks that an agent keeps for itself. */
function tasksIn({ call }: ToolStep): "done" | "open" | undefined {
  const args = call.tool?.args ?? "";
  if (!/todo|plan|task/i.test(call.tool?.name ?? "")) return undefined;
  const states = Array.from(args.matchAll(/"status"\s*:\s*"(\w+)"/g), ([, state]) => state);
  if (states.length === 0) return undefined;
  return states.every((state) => state === "completed" || state === "cancelled") ? "done" : "open";
}

/** The same error three times, and no success of the same kind of call after it. */
function repeatedErrors({ steps }: SessionReading): SignAt[] {
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
  return sign("same_error_repeated", third.result?.index ?? third.call.index, "environment");
}

function isSuccessAfter(step: ToolStep, failure: ToolStep): boolean {
  return (
    step.call.index > failure.call.index && familyOf(step) === familyOf(failure) && step.result?.tool?.status === "ok"
  );
}

function lastHumanSigns({ humans }: SessionReading): SignAt[] {
  const last = humans.at(-1);
  if (last?.answersWork !== true || last.cues.accepts || last.cues.corrects || last.cues.resigns) return [];
  return sign("user_moved_on", last.turn.index, "user");
}

/** What the assistant said last, where nobody answered it. */
function lastWordSigns({ session, humans }: SessionReading): SignAt[] {
  const words = session.turns.findLast(({ kind, text }) => kind === "assistant" && text.trim() !== "");
  if (words === undefined || words.index < (humans.at(-1)?.turn.index ?? -1)) return [];
  const asks = words.text.trimEnd().endsWith("?") && session.turns.at(-1) === words;
  const admits = admitsFailure(words.text);
  return [
    ...sign("question_unanswered", asks && words.index, "none"),
    ...sign("assistant_gave_up", admits && words.index, "none"),
    ...sign("assistant_claims_done", !admits && claimsDone(words.text) && words.index, "none"),
  ];
}
