/**
 * X4 and X5: what failed in the session and what then worked. No diagnosis: "failed with E" and "then passed" is all that
 * was seen.
 */
import type { Evidence, Trust } from "../../../core/memory-record.ts";
import type { Profile } from "../../../core/profile.ts";
import { cleanLine } from "../../../text/clean.ts";
import { type CommandRun, commandRuns, type FileEdit, fileEdits } from "./command-runs.ts";
import { isNarrower, isSurroundings, isTellingError } from "./telling-error.ts";
import type { RuleContext } from "./user-statements.ts";
import { type RuleFact, type RuleId, wordFact } from "./word-fact.ts";

const CONFIDENCE = 0.4;
/** A larger difference between two commands is another command, not a fix. */
const MAX_DELTA = 80;
const MAX_COMMAND = 100;
/** So many failures with one signature are a dead end. */
const DEAD_END = 3;
/** What worked after a dead end is among the next few commands, or it had another purpose. */
const NEXT_RUNS = 3;

/** At most one fact for each error signature. */
export function errorFixes(context: RuleContext, profile: Profile): RuleFact[] {
  const runs = commandRuns(context.session, profile);
  const edits = fileEdits(context.session, profile);
  const facts = new Map<string, RuleFact>();
  for (const [at, run] of runs.entries()) {
    if (run.ok || run.signature === null || run.errorLine === null || run.result < context.fromTurn) continue;
    if (facts.has(run.signature)) continue;
    const isTelling = isTellingError(run.errorLine);
    const fact = deadEnd(runs, at, context) ?? (isTelling ? fixOf({ runs, at, edits }, context) : undefined);
    if (fact !== undefined) facts.set(run.signature, fact);
  }
  return [...facts.values()];
}

interface Failure {
  readonly runs: readonly CommandRun[];
  readonly at: number;
  readonly edits: readonly FileEdit[];
}

/** The next run of the same kind passed, after a small change of the command or of one file that was not in work. */
function fixOf({ runs, at, edits }: Failure, context: RuleContext): RuleFact | undefined {
  const failed = runs[at];
  if (failed === undefined) return undefined;
  const next = runs.slice(at + 1).find(({ family }) => family === failed.family);
  if (next === undefined || !next.ok) return undefined;
  const between = edits.filter(({ turn }) => turn > failed.result && turn < next.call);
  if (between.length === 0 && next.command !== failed.command) return commandFix(failed, next, context);
  const [edit] = between;
  const oneFile = new Set(between.map(({ path }) => path)).size === 1;
  if (edit === undefined || !isCure(edit, failed, edits)) return undefined;
  return oneFile && next.command === failed.command
    ? fileFix(failed, next, { edit, edits: between.length, context })
    : undefined;
}

/**
 * Whether a change tells more than that work went on: what a check found in the code under work, and what the session
 * itself had written, is over with the session. How a project is built and run stays.
 */
function isCure({ path }: FileEdit, failed: CommandRun, edits: readonly FileEdit[]): boolean {
  if (isSurroundings(path)) return true;
  return !failed.checks && !edits.some((edit) => edit.turn < failed.call && edit.path === path);
}

function commandFix(failed: CommandRun, next: CommandRun, context: RuleContext): RuleFact | undefined {
  if (delta(failed.command, next.command) > MAX_DELTA || isNarrower(failed.command, next.command)) return undefined;
  const [bad, good] = [short(failed.command), short(next.command)];
  const title = `\`${good}\` works where \`${bad}\` fails`;
  return lesson(context, {
    rule: "X4",
    title: title.length <= context.titleMax ? title : `Run \`${good}\`, not \`${bad}\``,
    content: `\`${bad}\` failed with "${failed.errorLine}". \`${good}\` worked.`,
    howToApply: `Run \`${good}\` from the start.`,
    runs: [failed, next],
    names: [],
  });
}

function fileFix(
  failed: CommandRun,
  next: CommandRun,
  { edit, edits, context }: { readonly edit: FileEdit; readonly edits: number; readonly context: RuleContext },
): RuleFact {
  const change = edits === 1 ? smallChange(edit) : undefined;
  return lesson(context, {
    rule: "X4",
    title: `"${cleanLine(failed.errorLine ?? "", 44)}" was fixed in ${edit.path.split("/").slice(-2).join("/")}`,
    content: `\`${short(failed.command)}\` failed with "${failed.errorLine}". It passed after a change in \`${edit.path}\`${change ?? ""}.`,
    howToApply: `When this error comes up again, look at \`${edit.path}\` first.`,
    runs: [failed, next],
    names: [edit.path],
  });
}

function smallChange({ before, after }: FileEdit): string | undefined {
  if (before === null || after === null) return undefined;
  const [old, fresh] = [before.trim(), after.trim()];
  if (old.length > MAX_DELTA || fresh.length > MAX_DELTA || /\n/.test(old + fresh) || fresh === "") return undefined;
  return old === "" ? undefined : `: \`${old}\` became \`${fresh}\``;
}

/** One error again and again, then another way that worked. */
function deadEnd(runs: readonly CommandRun[], at: number, context: RuleContext): RuleFact | undefined {
  const first = runs[at];
  if (first === undefined) return undefined;
  const { signature } = first;
  const failures = runs.filter(({ signatures }) => signature !== null && signatures.includes(signature));
  const last = failures.at(-1);
  if (failures.length < DEAD_END || last === undefined || failures[0] !== first) return undefined;
  const after = runs.slice(runs.indexOf(last) + 1, runs.indexOf(last) + 1 + NEXT_RUNS);
  const worked = after.find(({ ok, family }) => ok && !failures.some((failure) => failure.family === family));
  if (worked === undefined) return undefined;
  const [bad, good] = [short(first.command), short(worked.command)];
  return lesson(context, {
    rule: "X5",
    title: `\`${cleanLine(bad, 30)}\` keeps failing here; \`${cleanLine(good, 30)}\` works`,
    content: `\`${bad}\` failed ${failures.length} times with "${first.errorLine}". \`${good}\` worked instead.`,
    howToApply: `Don't try \`${bad}\` again; go straight to \`${good}\`.`,
    runs: [last, worked],
    names: [],
  });
}

interface LessonWords {
  readonly rule: RuleId;
  readonly title: string;
  readonly content: string;
  readonly howToApply: string;
  readonly runs: readonly [CommandRun, CommandRun];
  readonly names: readonly string[];
}

function lesson(context: RuleContext, { rule, title, content, howToApply, runs, names }: LessonWords): RuleFact {
  const [failed, worked] = runs;
  const evidence: Evidence[] = [
    { turn: failed.result, quote: failed.errorLine ?? "" },
    { turn: worked.call, quote: short(worked.command) },
  ];
  return wordFact(
    {
      rule,
      type: "lesson",
      polarity: rule === "X5" ? "avoid" : "do",
      title,
      content,
      why: "Seen in the session: the first way failed, the second passed. Why it failed was not examined by rule.",
      howToApply,
      confidence: CONFIDENCE,
      source: "tool_verified",
      trust: Math.min(failed.trust, worked.trust) as Trust,
      evidence,
      resolvedAt: worked.result,
      everywhere: false,
      goal: context.goal,
      names,
      seen: `seeing "${cleanLine(failed.errorLine ?? "", 100)}"`,
    },
    context.titleMax,
  );
}

function short(command: string): string {
  return cleanLine(command, MAX_COMMAND);
}

/** Characters between common head and common tail of two commands, the longer middle. */
function delta(a: string, b: string): number {
  let head = 0;
  while (head < a.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return Math.max(a.length, b.length) - head - tail;
}
