/** Runs a command as the process would, with strings for streams and a memory of the test's own. */
import { runProgram } from "../../src/cli/program.ts";
import type { Memory } from "../../src/core/memory.ts";
import { fakeMemory } from "./fake-memory.ts";
import { NOW } from "./records.ts";

export interface CliSetting {
  readonly memory?: Memory;
  /** Thrown instead of opening one. */
  readonly openError?: Error;
  readonly input?: string;
  readonly terminal?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Aborted where the user has interrupted. */
  readonly signal?: AbortSignal;
  readonly editor?: (file: string) => Promise<number>;
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCli(argv: readonly string[], setting: CliSetting = {}): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const isTTY = setting.terminal ?? false;
  const memory = setting.memory ?? fakeMemory();
  async function* input(): AsyncGenerator<string> {
    if (setting.input !== undefined) yield setting.input;
  }
  const home = setting.home ?? "/home/somebody";
  const code = await runProgram(
    {
      stdout: { isTTY, write: (text) => (stdout += text) },
      stderr: { isTTY, write: (text) => (stderr += text) },
      stdin: { isTTY, [Symbol.asyncIterator]: input },
      environment: { home, variables: { HOME: home, ...setting.variables } },
      cwd: "/work/billing",
      now: () => NOW,
      signal: setting.signal ?? new AbortController().signal,
      runInForeground: async (_command, args) => (await setting.editor?.(args.at(-1) ?? "")) ?? 1,
      openMemory: async () => {
        if (setting.openError !== undefined) throw setting.openError;
        return memory;
      },
    },
    { argv, version: "1.2.3" },
  );
  return { code, stdout, stderr };
}
