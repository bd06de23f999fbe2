/** Tool calls with their results, and what they were: a change, a check, a commit, a look around. By the profile's data. */
import type { OutcomePolicy } from "../../core/profile.ts";
import type { Turn } from "../../core/session.ts";
import { type ShellStep, shellSteps } from "./shell-command.ts";
import { looksPassed, type StepVerdict, verdictOf } from "./verdict.ts";

export interface ToolStep {
  readonly call: Turn;
  readonly result: Turn | undefined;
  /** Of a shell command; empty for other tools. */
  readonly shell: readonly ShellStep[];
}

/** Recognises what a step was. Built once per profile. */
export interface StepReader {
  isEdit(step: ToolStep): boolean;
  /** What a check of the work said; undefined where the step is no check or says nothing. */
  verification(step: ToolStep): StepVerdict | undefined;
  isVerification(step: ToolStep): boolean;
  isReadOnly(step: ToolStep): boolean;
  isCommit(step: ToolStep): boolean;
  /** Throws changes away. */
  isRevert(step: ToolStep): boolean;
  /** Looks like a check that passed, and is text that the session printed itself. */
  isPrintedVerdict(step: ToolStep): boolean;
}

const SHELL_EDIT =
  /^(?:sed\s+(?:-\w+\s+)*-i|perl\s+-\w*i|patch\b|apply_patch\b|git\s+(?:apply|am|cherry-pick|merge|rebase)\b|(?:mv|rm|cp|mkdir|touch|ln|truncate)\s|tee\s)|(?<![0-9&])>>?\s*(?!\s*(?:\/dev\/|\/tmp\/|&))[\w./~-]+(?<!\.log)$/;
const COMMIT =
  /^(?:git\s+(?:-\S+\s+\S+\s+)*(?:commit|push)\b(?!.*--dry-run)|gh\s+pr\s+(?:create|merge)\b|glab\s+mr\s+(?:create|merge)\b)/;

/** Calls in order; a result belongs to the call whose id it carries, else to the call before it. */
export function toolSteps(turns: readonly Turn[]): ToolStep[] {
  const results = new Map<string, Turn>();
  for (const turn of turns) {
    if (turn.kind === "tool_result" && turn.tool?.callId !== undefined) results.set(turn.tool.callId, turn);
  }
  return turns.flatMap((turn, at) => {
    if (turn.kind !== "tool_call") return [];
    const next = turns[at + 1];
    const byPlace = next?.kind === "tool_result" && next.tool?.callId === undefined ? next : undefined;
    const byId = turn.tool?.callId === undefined ? undefined : results.get(turn.tool.callId);
    return [{ call: turn, result: byId ?? byPlace, shell: shellSteps(commandOf(turn)) }];
  });
}

/** Arguments that are no JSON are a shell's command. */
function commandOf({ tool, text }: Turn): string {
  const args = tool?.args ?? text;
  return /^\s*[{[]/.test(args) ? "" : args;
}

export function createStepReader(
  policy: Pick<OutcomePolicy, "verifyCommands" | "readOnlyCommands" | "editTools" | "revertCommands">,
): StepReader {
  const verifies = anyOf(policy.verifyCommands.map((pattern) => `^(?:${pattern})`));
  const readsOnly = anyOf(policy.readOnlyCommands);
  const reverts = anyOf(policy.revertCommands);
  const editTools = new Set(policy.editTools.map((name) => name.toLowerCase()));
  const found = new WeakMap<ToolStep, readonly ShellStep[]>();
  const checksOf = (step: ToolStep): readonly ShellStep[] => {
    const known = found.get(step) ?? step.shell.filter((part) => !part.prints && verifies(part.text));
    found.set(step, known);
    return known;
  };
  return {
    isEdit(step) {
      if (hasFailed(step)) return false;
      return (
        editTools.has((step.call.tool?.name ?? "").toLowerCase()) ||
        step.shell.some(({ bare }) => SHELL_EDIT.test(bare))
      );
    },
    verification(step) {
      const checks = checksOf(step);
      if (checks.length === 0 || step.result === undefined) return undefined;
      return verdictOf(step.result, {
        masked: checks.some(({ masked }) => masked),
        printed: printsOwnText(step),
      });
    },
    isVerification: (step) => checksOf(step).length > 0,
    isReadOnly: (step) =>
      step.shell.length > 0
        ? step.shell.every(({ text, prints }) => prints || readsOnly(text))
        : readsOnly(step.call.tool?.name ?? "") || !editTools.has((step.call.tool?.name ?? "").toLowerCase()),
    isCommit: (step) => !hasFailed(step) && step.shell.some(({ bare }) => COMMIT.test(bare)),
    isRevert: (step) => !hasFailed(step) && step.shell.some(({ bare }) => reverts(bare)),
    isPrintedVerdict: (step) => printsOwnText(step) && step.result !== undefined && looksPassed(step.result.text),
  };
}

function printsOwnText({ shell }: ToolStep): boolean {
  return shell.some(({ prints, text }) => prints && /^(?:\S*\/)?(?:echo|printf|cat|yes)\b/.test(text));
}

/** Tool, and of a command its first two words: `npm test -- --watch` and `npm test` are one family. */
export function familyOf({ call, shell }: ToolStep): string {
  const last = shell.at(-1)?.text.split(/\s+/).slice(0, 2).join(" ") ?? "";
  return `${call.tool?.name ?? ""} ${last}`;
}

export function hasFailed({ result }: ToolStep): boolean {
  return result?.tool?.status === "error" || result?.tool?.status === "denied";
}

function anyOf(sources: readonly string[]): (text: string) => boolean {
  if (sources.length === 0) return () => false;
  const pattern = new RegExp(sources.map((source) => `(?:${source})`).join("|"), "i");
  return (text) => pattern.test(text);
}
