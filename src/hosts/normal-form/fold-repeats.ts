/** A tool that is polled answers the same again and again: one answer and a count say as much. */
import type { Turn } from "../../core/session.ts";

type OpenTurn = Omit<Turn, "index">;

/**
 * Folds a result that is identical to the last one into it: where it follows directly, or after the very call that
 * brought the last one, which is folded too.
 *
 * @param turns - Changed in place when it returns true; else `turn` is left for the caller to add.
 */
export function foldRepeat(turns: OpenTurn[], turn: OpenTurn): boolean {
  if (turn.kind !== "tool_result") return false;
  const last = turns.at(-1);
  if (last !== undefined && isSameResult(last, turn)) {
    turns[turns.length - 1] = counted(last);
    return true;
  }
  const earlier = turns.at(-2);
  if (last === undefined || earlier === undefined || !isSameResult(earlier, turn)) return false;
  const earlierCall = turns.at(-3);
  if (earlierCall === undefined || !isSameCall(earlierCall, last)) return false;
  turns.pop();
  turns[turns.length - 1] = counted(earlier);
  return true;
}

function isSameResult(a: OpenTurn, b: OpenTurn): boolean {
  return (
    a.kind === "tool_result" &&
    a.text === b.text &&
    a.elided?.sha256 === b.elided?.sha256 &&
    a.origin === b.origin &&
    a.tool?.name === b.tool?.name &&
    a.tool?.status === b.tool?.status &&
    a.tool?.exitCode === b.tool?.exitCode
  );
}

function isSameCall(a: OpenTurn, b: OpenTurn): boolean {
  return a.kind === "tool_call" && b.kind === "tool_call" && a.tool?.name === b.tool?.name && a.text === b.text;
}

function counted(turn: OpenTurn): OpenTurn {
  return { ...turn, repeats: (turn.repeats ?? 0) + 1 };
}
