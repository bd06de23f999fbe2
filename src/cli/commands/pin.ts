/** `arcticmem pin` and `unpin`: what is pinned is shown first and never changed by a pipeline. */
import type { Command } from "commander";
import { changeCommand } from "../change-each.ts";
import type { CliContext } from "../context.ts";

export function pinCommand(context: CliContext): Command {
  return changeCommand(context, {
    name: "pin",
    summary: "keep memories in front, unchanged by later sessions",
    change: (memory, handle) => memory.keep.pin(handle, true),
  });
}

export function unpinCommand(context: CliContext): Command {
  return changeCommand(context, {
    name: "unpin",
    summary: "take the pin off memories",
    change: (memory, handle) => memory.keep.pin(handle, false),
  });
}
