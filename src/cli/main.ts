#!/usr/bin/env node
/**
 * Process entry of the command line. Agents start the server with every session: it goes past everything that only the
 * other commands need.
 */
import { spawn } from "node:child_process";
import { packageVersion } from "../config/package-version.ts";
import { workingFolder } from "../config/paths.ts";
import type { CliContext } from "./context.ts";

const INTERRUPTED = 130;

async function main(argv: readonly string[]): Promise<void> {
  ignoreClosedPipe(process.stdout);
  ignoreClosedPipe(process.stderr);
  if (argv.length === 1 && argv[0] === "mcp") {
    const { serve } = await import("../mcp/server.ts");
    await serve(packageVersion());
    return;
  }
  const { runProgram } = await import("./program.ts");
  let readsInput = false;
  const context = processContext(() => {
    readsInput = true;
  });
  process.exitCode = await runProgram(context, { argv, version: packageVersion() });
  if (readsInput) process.stdin.destroy();
}

function processContext(onInput: () => void): Omit<CliContext, "setExitCode"> {
  const { env: variables } = process;
  const home = (process.platform === "win32" ? variables.USERPROFILE : variables.HOME) ?? "";
  const cwd = workingFolder(variables);
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      onInput();
      return process.stdin;
    },
    environment: { home, variables },
    cwd,
    now: () => new Date(),
    signal: interruptSignal(),
    runInForeground,
    openMemory: async () => {
      const { openMemory } = await import("../memory.ts");
      return openMemory({ cwd });
    },
  };
}

/** The first interrupt asks for an orderly end, the second one does not ask. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  return controller.signal;
}

/** `arcticmem list | head` is not an error. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });
}

function runInForeground(command: string, argv: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, { stdio: "inherit", windowsHide: false });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

await main(process.argv.slice(2));
