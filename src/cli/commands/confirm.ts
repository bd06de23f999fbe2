/** `arcticmem confirm`: a person vouches for memories that were provisional or disputed. */
import type { Command } from "commander";
import { changeCommand } from "../change-each.ts";
import type { CliContext } from "../context.ts";

export function confirmCommand(context: CliContext): Command {
  return changeCommand(context, {
    name: "confirm",
    summary: "vouch for provisional or disputed memories",
    change: (memory, handle) => memory.keep.confirm(handle),
  });
}
