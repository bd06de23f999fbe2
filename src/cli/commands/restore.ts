/** `arcticmem restore`: brings back what was forgotten reversibly. */
import type { Command } from "commander";
import { changeCommand } from "../change-each.ts";
import type { CliContext } from "../context.ts";

export function restoreCommand(context: CliContext): Command {
  return changeCommand(context, {
    name: "restore",
    summary: "bring back memories that were forgotten reversibly",
    change: (memory, handle) => memory.keep.restore(handle),
  });
}
