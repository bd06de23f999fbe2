/**
 * What a command may touch of the outside: streams, environment, clock and the memory. Commands get it as their one
 * dependency, so that tests run them without a process.
 */
import type { Memory } from "../core/memory.ts";
import type { HostEnvironment } from "../hosts/host.ts";

export interface CliOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface CliInput extends AsyncIterable<string | Uint8Array> {
  readonly isTTY?: boolean;
}

/** Runs a program in the foreground, on the user's terminal. @returns Its exit code. */
export type RunInForeground = (command: string, argv: readonly string[]) => Promise<number>;

export interface CliContext {
  /** The answer, and nothing else. */
  readonly stdout: CliOutput;
  /** The talk: progress, notes, questions, errors. */
  readonly stderr: CliOutput;
  readonly stdin: CliInput;
  readonly environment: HostEnvironment;
  readonly cwd: string;
  readonly now: () => Date;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  readonly runInForeground: RunInForeground;
  /** @throws {ArcticMemError} `CONFIG_INVALID`. */
  openMemory(): Promise<Memory>;
  /** For a command that did its work and has to tell that something is wrong; the highest one wins. */
  setExitCode(code: 1 | 2): void;
}
