/**
 * The compact notation in which golden sessions are written by hand. A head of `key: value` lines, then steps: a line
 * `--- kind rest`, and below it the step's text. From it each host's writer makes records as that host writes them.
 */

export const STEP_KINDS = [
  "user",
  "queued",
  "agent",
  "think",
  "run",
  "read",
  "edit",
  "write",
  "search",
  "fetch",
  "mcp",
  "task",
  "deny",
  "shell",
  "hook",
  "instructions",
  "compact",
  "error",
  "interrupt",
  "wait",
  "fork",
  "cut",
  "filler",
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface Step {
  readonly kind: StepKind;
  /** What follows the kind: a command, a path, a number. `⏎` stands for a line end. */
  readonly rest: string;
  readonly body: string;
  /** Of a command; 0 unless written as `run!1`. */
  readonly exitCode: number;
}

export interface Script {
  readonly head: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const STEP = /^--- ([a-z]+)(?:!(\d+))?(?: (.*))?$/;

/** @throws {Error} on a step of an unknown kind, with its line. */
export function parseNotation(text: string): Script {
  const head: Record<string, string> = {};
  const steps: { kind: StepKind; rest: string; lines: string[]; exitCode: number }[] = [];
  for (const [number, line] of text.split("\n").entries()) {
    const match = STEP.exec(line);
    const last = steps.at(-1);
    if (match !== null) {
      steps.push({
        kind: kindOf(match[1] ?? "", number + 1),
        rest: (match[3] ?? "").replaceAll("⏎", "\n"),
        lines: [],
        exitCode: Number(match[2] ?? 0),
      });
    } else if (last !== undefined) last.lines.push(line);
    else if (line.includes(":")) head[line.slice(0, line.indexOf(":"))] = line.slice(line.indexOf(":") + 1).trim();
  }
  return {
    head,
    steps: steps.map(({ lines, ...step }) => ({ ...step, body: lines.join("\n").replace(/^\n+|\s+$/g, "") })),
  };
}

function kindOf(name: string, line: number): StepKind {
  const kind = STEP_KINDS.find((known) => known === name);
  if (kind === undefined) throw new Error(`Line ${line}: there is no step "${name}".`);
  return kind;
}

/** The two halves of a body that `===` on its own line divides: an edit's old and new text, a task and its answer. */
export function halves(body: string): readonly [string, string] {
  const [first = "", second = ""] = body.split(/^===\n?/m);
  return [first.replace(/\n$/, ""), second];
}
