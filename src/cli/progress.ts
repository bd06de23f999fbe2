/**
 * Progress of long work, on the talk and only in a terminal: a bar that is redrawn in place and wiped when done.
 */
import type { Progress } from "../core/memory.ts";
import type { CliContext } from "./context.ts";

const BAR_WIDTH = 24;
const REDRAW_MS = 80;
const CLEAR_LINE = "\r\u001b[K";

export interface ProgressBar {
  readonly update: Progress;
  /** A stage without a count. */
  readonly stage: (name: string) => void;
  readonly end: () => void;
}

/** Silent where the talk is not a terminal. */
export function progressBar(context: Pick<CliContext, "stderr">): ProgressBar {
  if (context.stderr.isTTY !== true) return { update: () => {}, stage: () => {}, end: () => {} };
  let drawnAt = 0;
  const draw = (line: string): void => {
    context.stderr.write(`${CLEAR_LINE}${line.slice(0, (context.stderr.columns ?? 80) - 1)}`);
  };
  return {
    update: (work, done, total) => {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS && done < total) return;
      drawnAt = now;
      draw(barLine(work, done, total));
    },
    stage: (name) => draw(`${name} …`),
    end: () => {
      context.stderr.write(CLEAR_LINE);
    },
  };
}

/** `indexing  [######------]  12/40`. A total of 0 shows the count alone. */
function barLine(work: string, done: number, total: number): string {
  if (total <= 0) return `${work}  ${done}`;
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  return `${work}  [${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]  ${done}/${total}`;
}
