/**
 * How a failed command speaks: what happened, why, what to do; a stack only for those who ask for it. Also decides the
 * exit code: 1 failed, 2 misused.
 */
import { ArcticMemError, type ErrorCode, isConfigError, messageOf } from "../core/errors.ts";
import type { CliContext } from "./context.ts";
import { paintFor, printable, tell } from "./output.ts";

const MISUSE: ReadonlySet<ErrorCode> = new Set(["USAGE", "INPUT_INVALID", "NOT_CONFIRMED"]);

/** What to do where the error itself does not say. */
const CODE_HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  FILE_NOT_FOUND: "Check the path.",
  FILE_UNREADABLE: "Check that it is a file, and that you may read it.",
  FORMAT_UNKNOWN: "Give a transcript as an agent host wrote it; --host names the host.",
  INSTALL_FAILED: "Nothing was changed. Check that you may write the file and its folder, then try again.",
  MEMORY_NOT_FOUND: "`arcticmem list --everywhere` shows what there is.",
};

/** What the operating system says, for people who don't read errno. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: "Check who owns the file and its folder, or set ARCTICMEM_HOME to a folder that you can write.",
  EPERM: "Check who owns the file and its folder, or set ARCTICMEM_HOME to a folder that you can write.",
  EROFS: "The file system is read-only: set ARCTICMEM_HOME to a folder that you can write.",
  ENOSPC: "The disk is full: free some space, then run the command again.",
  EDQUOT: "Your disk quota is used up: free some space, then run the command again.",
  EMFILE: "Too many files are open: raise the limit (ulimit -n) or close programs.",
};

/** Tells what went wrong on the talk. @returns The exit code. */
export function reportError(context: Pick<CliContext, "stderr" | "environment">, thrown: unknown): 1 | 2 {
  const paint = paintFor(context, context.stderr);
  tell(context, `${paint.red("error:")} ${printable(messageOf(thrown))}`);
  for (const cause of causesOf(thrown)) tell(context, `  because: ${printable(cause)}`);
  const hint = hintOf(thrown);
  if (hint !== undefined) tell(context, `hint: ${printable(hint)}`);
  if ((context.environment.variables.ARCTICMEM_DEBUG ?? "") !== "") tell(context, stackOf(thrown));
  return thrown instanceof ArcticMemError && MISUSE.has(thrown.code) ? 2 : 1;
}

/** Checks what the user gave on the command line: where it does not fit the settings, the command was misused. */
export function givenByUser<Given extends readonly unknown[], Value>(
  check: (...given: Given) => Value | Promise<Value>,
): (...given: Given) => Promise<Value> {
  return async (...given) => {
    try {
      return await check(...given);
    } catch (thrown) {
      if (!isConfigError(thrown)) throw thrown;
      throw new ArcticMemError("USAGE", thrown.message, thrown.hint === undefined ? {} : { hint: thrown.hint });
    }
  };
}

/** Messages of the causes that say something which was not said before, at most three. */
function causesOf(thrown: unknown): string[] {
  const said = [messageOf(thrown)];
  let cause = thrown instanceof Error ? thrown.cause : undefined;
  while (cause !== undefined && cause !== null && said.length <= 3) {
    if (cause instanceof Error && cause.name === "ZodError") break; // JSON of what the message above says in words
    const message = messageOf(cause);
    if (!said.some((earlier) => earlier.includes(message))) said.push(message);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return said.slice(1);
}

function hintOf(thrown: unknown): string | undefined {
  if (thrown instanceof ArcticMemError && thrown.hint !== undefined) return thrown.hint;
  if (thrown instanceof ArcticMemError && thrown.code in CODE_HINTS) return CODE_HINTS[thrown.code];
  if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") {
    const known = SYSTEM_HINTS[thrown.code];
    if (known !== undefined) return known;
  }
  if (thrown instanceof ArcticMemError) return undefined;
  return "Run it again with ARCTICMEM_DEBUG=1 for the details.";
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? own : `${own}\ncaused by ${stackOf(thrown.cause)}`;
}
