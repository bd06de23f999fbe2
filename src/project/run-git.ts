/** Asks git something small, in bounded time, without letting the repository's own config run programs. */
import { execFile } from "node:child_process";

export interface GitQuestion {
  readonly root: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** Called where git was stopped for its time, for callers to whom that is not the same as an answer of nothing. */
  readonly onLate?: () => void;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A file system monitor is a program that the repository's config names; a clone need not name ours. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.pager=cat", "-c", "log.showSignature=false"];

/**
 * Git's answer.
 *
 * @returns undefined where git is not installed, fails, or has not answered in time: a part of the answer is none.
 */
export function runGit({ root, args, timeoutMs, onLate }: GitQuestion): Promise<string | undefined> {
  const options = {
    cwd: root,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_ANSWER_BYTES,
    windowsHide: true,
    encoding: "utf8",
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
  } as const;
  return new Promise((answer) => {
    try {
      execFile("git", [...NO_PROGRAMS, ...args], options, (failure, stdout) => {
        if (failure?.killed === true) onLate?.();
        answer(failure ? undefined : stdout);
      });
    } catch {
      answer(undefined); // a folder or an argument that no process can be started with
    }
  });
}
