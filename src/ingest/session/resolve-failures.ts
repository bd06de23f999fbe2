/**
 * A later success answers an earlier warning. Met again and put right, the error becomes a contrast pair: what failed, and
 * what worked. Gone without that, it warns of nothing any more and is archived. No model takes part: steps of local tools
 * show both, and what they do not show is left as it is.
 */
import type { RunId } from "../../core/ids.ts";
import { changeOf, type MemoryChange, type MemoryEvent } from "../../core/lifecycle.ts";
import { bodyOf, type Evidence, type MemoryRecord, type Provenance } from "../../core/memory-record.ts";
import type { Turn } from "../../core/session.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import { isImmutable } from "../lifecycle/apply/guards.ts";
import type { SessionReading } from "../outcome/session-reading.ts";
import { hasFailed, type ToolStep } from "../outcome/tool-steps.ts";
import type { ReviewPlan } from "./review-earlier.ts";
import { pathIn } from "./session-evidence.ts";

export interface FailureInput {
  /** Of a session that succeeded. */
  readonly reading: SessionReading;
  /** Live memories of the project. */
  readonly memories: readonly MemoryRecord[];
  readonly run: RunId;
  readonly now: Date;
  readonly provenance: (evidence: readonly Evidence[]) => readonly Provenance[];
  /** The rule by which a text may not be stored, if any. */
  readonly refuseText: (text: string) => string | undefined;
}

type Answer =
  | { readonly kind: "contrast"; readonly failure: Turn; readonly success: Turn; readonly text: string }
  | { readonly kind: "otherwise"; readonly success: Turn; readonly text: string };

const WHY_CHARACTERS = 700;
const COMMAND_CHARACTERS = 120;
const QUOTE_CHARACTERS = 160;
/** Changes that are named, those nearest to the success. */
const NAMED_CHANGES = 2;

/** Pure; each memory changes at most once. */
export function resolveFailures(input: FailureInput): ReviewPlan {
  const changes: MemoryChange[] = [];
  const events: MemoryEvent[] = [];
  const open = input.memories.filter((memory) => isOpenWarning(memory, input.run));
  const failures = open.length === 0 ? [] : failuresIn(input.reading);
  for (const memory of open) {
    const answer = answerTo(memory, input.reading, failures);
    if (answer === undefined || answer.success.trust < 2 || input.refuseText(answer.text) !== undefined) continue;
    changes.push(answer.kind === "contrast" ? contrastOf(memory, answer, input) : archived(memory, answer, input));
    const [kind, rule] =
      answer.kind === "contrast" ? (["promoted", "contrast-pair"] as const) : (["archived", "resolved"] as const);
    const { run, now } = input;
    events.push({ memory: memory.id, kind, run, actor: "pipeline", rules: [rule], reason: answer.text, at: now });
  }
  return { changes, events };
}

/** A warning that a model drew from an earlier session and that nothing has confirmed. */
function isOpenWarning(memory: MemoryRecord, run: RunId): boolean {
  const { type, polarity, status, trust, scope, provenance } = memory;
  return (
    type === "lesson" &&
    polarity === "avoid" &&
    status === "provisional" &&
    trust >= 2 &&
    scope.kind === "project" &&
    !isImmutable(memory) &&
    provenance.length > 0 &&
    provenance.every(
      (source) => source.kind === "session" && source.extractor.startsWith("model:") && source.run !== run,
    )
  );
}

interface Failure {
  readonly step: ToolStep;
  readonly result: Turn;
  readonly signatures: readonly string[];
}

/** Steps of local tools that failed with an error that has a signature. */
function failuresIn({ steps, reader }: SessionReading): Failure[] {
  return steps.flatMap((step) => {
    const { result } = step;
    if (result === undefined || result.origin !== "tool_local" || result.trust < 2) return [];
    if (!isFailure(step, reader)) return [];
    const signatures = errorSignatures(result.text);
    return signatures.length === 0 ? [] : [{ step, result, signatures }];
  });
}

function isFailure(step: ToolStep, reader: SessionReading["reader"]): boolean {
  return hasFailed(step) || reader.verification(step) === "failing";
}

/** Undefined where the session shows no success that is later than the warning. */
function answerTo(memory: MemoryRecord, reading: SessionReading, failures: readonly Failure[]): Answer | undefined {
  const met = failures.findLast(({ signatures }) => signatures.some((signature) => memory.symbols.includes(signature)));
  const answer = met === undefined ? answerOfCommand(memory, reading) : answerToError(met, reading);
  return answer !== undefined && (answer.success.at ?? reading.session.endedAt) > memory.eventAt ? answer : undefined;
}

/**
 * The error stands in this session, for the last time at `result`; after that the same program succeeded, or a check, or
 * another program that had failed with it.
 */
function answerToError({ step, result }: Failure, { steps, reader }: SessionReading): Answer | undefined {
  const later = steps.filter(({ call }) => call.index > result.index && call.trust >= 2);
  const failed = steps.filter((earlier) => earlier.call.index < result.index && isFailure(earlier, reader));
  const successes = later.filter((other) => succeeds(other, reader));
  const success =
    successes.find((other) => isSame(other, step)) ??
    successes.find((other) => reader.isVerification(other)) ??
    successes.find((other) => failed.some((earlier) => isSame(other, earlier)));
  if (success?.result === undefined) return undefined;
  const [tried, command] = [commandOf(step), commandOf(success)].map(quoted);
  const changes = later
    .filter(({ call }) => call.index < success.call.index)
    .filter((other) => !hasFailed(other) && (reader.isEdit(other) || !isLook(other, reader)))
    .map(changeText)
    .slice(-NAMED_CHANGES);
  const contrast = { kind: "contrast", failure: result, success: success.result } as const;
  if (changes.length > 0) {
    return { ...contrast, text: `Put right later: ${changes.join(", then ")}; then ${command} succeeded.` };
  }
  if (!isSame(success, step)) return undefined;
  if (tried !== command) return { ...contrast, text: `Put right later: ${command} succeeded, not ${tried}.` };
  return { kind: "otherwise", success: success.result, text: `Gone later with nothing changed: ${command} succeeded.` };
}

/** The very command that had failed works now. A check of the work is no such command: what failed was the work. */
function answerOfCommand(memory: MemoryRecord, { steps, reader }: SessionReading): Answer | undefined {
  const success = steps.find(
    (step) => !reader.isVerification(step) && succeeds(step, reader) && hadFailed(memory, step),
  );
  if (success?.result === undefined) return undefined;
  const text = `Did not come again: ${quoted(commandOf(success))} succeeded.`;
  return { kind: "otherwise", success: success.result, text };
}

/** The excerpt holds the cited result with the call before it. */
function hadFailed({ provenance }: MemoryRecord, step: ToolStep): boolean {
  const args = step.call.tool?.args ?? "";
  if (step.shell.length === 0 || args.trim() === "" || args.includes("\n")) return false;
  return provenance.some(({ excerpt }) =>
    (excerpt ?? "").split("\n").some((line) => /^\[t\d+ tool_call\] /.test(line) && line.endsWith(`] ${args}`)),
  );
}

function succeeds(step: ToolStep, reader: SessionReading["reader"]): boolean {
  if (step.result?.tool?.status !== "ok" || step.result.origin !== "tool_local") return false;
  if (reader.isVerification(step)) return reader.verification(step) === "ok";
  return programOf(step)?.masked !== true;
}

/** One tool and, of a command, one program with the word after it: `npm test -- --watch` is `npm test`. */
function isSame(a: ToolStep, b: ToolStep): boolean {
  return a.call.tool?.name === b.call.tool?.name && headOf(a) === headOf(b) && a.shell.length > 0;
}

function headOf(step: ToolStep): string {
  return (programOf(step)?.text ?? "").split(/\s+/).slice(0, 2).join(" ");
}

function programOf({ shell }: ToolStep): ToolStep["shell"][number] | undefined {
  return shell.findLast(({ prints }) => !prints) ?? shell.at(-1);
}

function isLook(step: ToolStep, reader: SessionReading["reader"]): boolean {
  return reader.isReadOnly(step) || reader.isVerification(step);
}

function commandOf(step: ToolStep): string {
  return (programOf(step)?.text ?? step.call.tool?.name ?? "").replace(/\s+/g, " ").trim();
}

function changeText(step: ToolStep): string {
  if (step.shell.length > 0) return quoted((step.call.tool?.args ?? "").replace(/\s+/g, " ").trim());
  const path = pathIn(step.call.tool?.args ?? "");
  return path === "" ? `a change with ${step.call.tool?.name ?? "a tool"}` : `a change of ${quoted(path)}`;
}

function quoted(text: string): string {
  return `\`${text.length <= COMMAND_CHARACTERS ? text : `${text.slice(0, COMMAND_CHARACTERS)}…`}\``;
}

/** Its text stays; why it matters now says how it ended. */
function contrastOf(
  memory: MemoryRecord,
  { failure, success, text }: Extract<Answer, { kind: "contrast" }>,
  { provenance }: FailureInput,
): MemoryChange {
  const before = /^\W*unresolved\W*$/i.test(memory.why) ? "" : `${memory.why} `;
  const why = before.length + text.length <= WHY_CHARACTERS ? `${before}${text}` : text;
  const known = memory.symbols.find((symbol) => errorSignatures(failure.text).includes(symbol));
  const line = failure.text.split("\n").find((candidate) => errorSignatures(candidate).includes(known ?? ""));
  return changeOf(memory, {
    body: { ...bodyOf(memory), why },
    patch: { status: "active", seen: memory.seen + 1, confirmedAt: success.at ?? memory.confirmedAt },
    provenance: provenance([
      { turn: failure.index, quote: (line ?? failure.text).trim().slice(0, QUOTE_CHARACTERS) },
      { turn: success.index, quote: firstLine(success) },
    ]),
  });
}

function archived(memory: MemoryRecord, { success, text }: Answer, { provenance }: FailureInput): MemoryChange {
  return changeOf(memory, {
    patch: { status: "archived", reason: text },
    provenance: provenance([{ turn: success.index, quote: firstLine(success) }]),
  });
}

function firstLine({ text }: Turn): string {
  return (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, QUOTE_CHARACTERS);
}
