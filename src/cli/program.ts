/** The program around the commands: finds the one that is asked for, loads it, runs it, and turns its end into an exit code. */
import { Command, CommanderError } from "commander";
import { COMMANDS, type CommandEntry } from "./command-table.ts";
import type { CliContext } from "./context.ts";
import { reportError } from "./report-error.ts";

export interface ProgramRequest {
  /** Without Node and script. */
  readonly argv: readonly string[];
  readonly version: string;
}

/** What a shell expects of a program that was interrupted: 128 + SIGINT. */
const INTERRUPTED = 130;

/** @returns The exit code: 0 done, 1 failed, 2 misused, 130 interrupted. Never throws. */
export async function runProgram(context: Omit<CliContext, "setExitCode">, request: ProgramRequest): Promise<number> {
  let code = 0;
  const setExitCode = (wanted: 1 | 2): void => {
    code = Math.max(code, wanted);
  };
  const full = extend(context, setExitCode);
  try {
    const program = await buildProgram(full, request);
    await program.parseAsync([...request.argv], { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    if (context.signal.aborted) {
      context.stderr.write("Interrupted.\n");
      return INTERRUPTED;
    }
    return reportError(full, thrown);
  }
}

/** Getters of the context stay getters: standard input is not opened before somebody reads it. */
function extend(context: Omit<CliContext, "setExitCode">, setExitCode: CliContext["setExitCode"]): CliContext {
  return Object.defineProperties({ setExitCode }, Object.getOwnPropertyDescriptors(context)) as CliContext;
}

/** The program with the command that `argv` names, or with all where it names none: for help, and for suggestions. */
export async function buildProgram(context: CliContext, { argv, version }: ProgramRequest): Promise<Command> {
  const program = new Command("arcticmem")
    .description("Persistent semantic memory for AI coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      "\n`arcticmem help <command>` tells more. Every command takes --json where it answers anything.",
    );
  if (argv.length === 0) program.action(() => program.outputHelp());
  for (const entry of entriesFor(argv)) {
    const command = (await entry.load())(context).helpGroup(entry.group);
    inherit(command, program, `arcticmem ${entry.name}`);
    program.addCommand(command);
  }
  return program;
}

function entriesFor(argv: readonly string[]): readonly CommandEntry[] {
  const [name = ""] = argv;
  if (name === "--version" || name === "-V") return [];
  const wanted = COMMANDS.find((entry) => entry.name === name);
  return wanted === undefined ? COMMANDS : [wanted];
}

/** Commander hands settings down only to commands that it made itself. */
function inherit(command: Command, parent: Command, path: string): void {
  command.copyInheritedSettings(parent).showHelpAfterError(`hint: \`${path} --help\` shows what it takes.`);
  if (command.description() === "") command.description(sentence(command.summary()));
  for (const child of command.commands) inherit(child, command, `${path} ${child.name()}`);
}

function sentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
