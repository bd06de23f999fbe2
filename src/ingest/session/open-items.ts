/**
 * What a session leaves for the next one: what it was to do, and errors that nobody answered. Kept with the run, so that
 * the next session of the project can be given what is known of it.
 */
import type { OpenItems } from "../../core/report.ts";
import type { OutcomeLabel } from "../../core/session.ts";
import { cleanLine } from "../../text/clean.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import type { SessionReading } from "../outcome/session-reading.ts";
import { familyOf, type ToolStep } from "../outcome/tool-steps.ts";

const GOAL_CHARACTERS = 200;
const MOST_ERRORS = 3;
/** Programs name the error last. */
const ERROR_CHARACTERS = 2_000;

/** @param reading - Of the redacted session. A session that succeeded leaves no error open. */
export function openItemsOf(reading: SessionReading, label: OutcomeLabel): OpenItems {
  return {
    goal: goalOf(reading),
    errors: label === "success" ? [] : openErrors(reading),
    at: reading.session.endedAt.toISOString(),
  };
}

/** The first line of words that a person wrote. */
function goalOf({ humans }: SessionReading): string | null {
  for (const { turn } of humans) {
    const line = turn.text.split("\n").find((one) => /\p{L}{2}.*\s.*\p{L}{2}/u.test(one) && !/^\s*[</]/.test(one));
    if (line !== undefined) return cleanLine(line, GOAL_CHARACTERS);
  }
  return null;
}

/** Of steps that failed and whose like has not succeeded since, the last ones. */
function openErrors({ steps, reader }: SessionReading): string[] {
  const fails = (step: ToolStep): boolean =>
    step.result?.tool?.status === "error" || reader.verification(step) === "failing";
  const open = steps.filter(
    (step, at) =>
      fails(step) && !steps.slice(at + 1).some((later) => familyOf(later) === familyOf(step) && !fails(later)),
  );
  const signatures = open.flatMap(
    ({ result }) => errorSignatures(result?.text.slice(-ERROR_CHARACTERS) ?? "")[0] ?? [],
  );
  return [...new Set(signatures)].slice(-MOST_ERRORS);
}
