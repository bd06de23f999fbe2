/**
 * Questions to the user. Asked only where somebody can answer: without a terminal a command needs its flags.
 */
import { ArcticMemError } from "../core/errors.ts";
import type { CliContext } from "./context.ts";

type Asking = Pick<CliContext, "stdin" | "stderr">;

/** Whether somebody is there to answer. */
export function isInteractive(context: Asking): boolean {
  return context.stdin.isTTY === true && context.stderr.isTTY === true;
}

/**
 * @returns The answer without white space at its ends; `fallback` for an empty one.
 * @throws {ArcticMemError} `NOT_CONFIRMED` when the input ends.
 */
export async function ask(context: Asking, question: string, fallback = ""): Promise<string> {
  context.stderr.write(fallback === "" ? `${question} ` : `${question} [${fallback}] `);
  for await (const line of linesOf(context.stdin)) {
    const answer = line.trim();
    return answer === "" ? fallback : answer;
  }
  throw new ArcticMemError("NOT_CONFIRMED", "The input ended before the question was answered.");
}

/**
 * Asks for a yes. `--yes` answers it.
 *
 * @throws {ArcticMemError} `NOT_CONFIRMED` when the answer is no, or nobody can be asked.
 */
export async function confirmOrThrow(
  context: Asking,
  question: string,
  options: { readonly yes?: boolean },
): Promise<void> {
  if (options.yes === true) return;
  if (!isInteractive(context)) {
    throw new ArcticMemError("NOT_CONFIRMED", `${question} Nobody can be asked: this is not a terminal.`, {
      hint: "Add --yes to go ahead without being asked.",
    });
  }
  const answer = await ask(context, `${question} (yes/no)`, "no");
  if (!/^y(es)?$/i.test(answer)) throw new ArcticMemError("NOT_CONFIRMED", "Nothing was changed.");
}

/** All that comes in, as text. */
export async function readAll(input: CliContext["stdin"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Lines that were read past the one that was asked for wait here for the next question. */
const pending = new WeakMap<
  CliContext["stdin"],
  { readonly iterator: AsyncIterator<string | Uint8Array>; rest: string }
>();

async function* linesOf(input: CliContext["stdin"]): AsyncGenerator<string> {
  const state = pending.get(input) ?? { iterator: input[Symbol.asyncIterator](), rest: "" };
  pending.set(input, state);
  const decoder = new TextDecoder();
  while (true) {
    const end = state.rest.indexOf("\n");
    if (end >= 0) {
      const line = state.rest.slice(0, end);
      state.rest = state.rest.slice(end + 1);
      yield line;
      continue;
    }
    const next = await state.iterator.next();
    if (next.done === true) {
      if (state.rest !== "") yield state.rest;
      state.rest = "";
      return;
    }
    state.rest += typeof next.value === "string" ? next.value : decoder.decode(next.value, { stream: true });
  }
}
