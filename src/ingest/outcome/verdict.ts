/** What the output of a check says, where the exit status alone can't be trusted. */
import type { Turn } from "../../core/session.ts";

export type StepVerdict = "ok" | "failing";

/** Summaries of runners: believed even against a status of success. */
const COUNTS_FAILURES =
  /\b[1-9]\d* (?:(?:tests?|specs?|examples?|suites?|checks?|assertions?) )?(?:failed|failing|failures)\b|\bTests?:.*\b[1-9]\d* failed|\berror TS\d+|\bnpm (?:ERR!|error)|\bBUILD FAILED|\bFound [1-9]\d* errors?\b/im;
/** Lines that a passing run may log too: believed only where the status is not the check's own. */
const LOOKS_FAILED =
  /^\s*(?:FAIL(?:ED|URE)?|ERROR)\b|\b[1-9]\d* errors?\b|\bpanicked at\b|^Traceback \(most recent call last\)|\bAssertionError\b|\bexit(?:ed with)?(?: code| status)? [1-9]|\bCompilation failed|\bcould not compile\b|^make(?:\[\d+\])?: \*\*\*/im;
const PASSES =
  /\b[1-9]\d* (?:(?:tests?|specs?|examples?|checks?|assertions?) )?(?:passed|passing|ok)\b|\bOK \(\d+ tests?|^ok\s+\S+|\bBUILD SUCCESS(?:FUL)?\b|\b(?:found )?0 (?:errors|problems|issues|vulnerabilities)\b|\bno (?:issues|errors|problems) found\b|\ball (?:checks|tests) (?:have )?passed\b|\btest result: ok\b|\b[1-9]\d* examples?, 0 failures\b|^Success: no issues/im;
const PASSED_NOTHING =
  /\b(?:0 (?:tests?|passed|examples?|specs?)\b(?!.*[1-9]\d* passed)|no tests? (?:found|ran|to run|files found)|collected 0 items)/i;
/** A script of the project that only prints what its author wanted to read: npm shows the command it runs. */
const PRINTS_ONLY = /^> (?:echo|printf|true|exit 0)\b/m;

export interface VerdictContext {
  /** The exit status is not the check's own. */
  readonly masked: boolean;
  /** The same command prints text of its own choice. */
  readonly printed: boolean;
}

/** Whether an output holds what a passed check prints, whoever printed it. */
export function looksPassed(text: string): boolean {
  return PASSES.test(text) && !COUNTS_FAILURES.test(text);
}

/** undefined: it says nothing, or what it says may be made up. */
export function verdictOf({ tool, text }: Turn, { masked, printed }: VerdictContext): StepVerdict | undefined {
  const status = tool?.status ?? "unknown";
  if (status === "denied") return undefined;
  const own = status === "ok" && !masked;
  if (status === "error" || COUNTS_FAILURES.test(text) || (!own && LOOKS_FAILED.test(text))) return "failing";
  if (PRINTS_ONLY.test(text) || PASSED_NOTHING.test(text)) return undefined;
  if (own) return "ok";
  return !printed && PASSES.test(text) ? "ok" : undefined;
}
