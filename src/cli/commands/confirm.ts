/** `arcticmem confirm`: a person vouches for memories that were provisional or disputed. */
import { Command } from "commander";
import { changeEach } from "../change-each.ts";
import type { CliContext } from "../context.ts";
import type { JsonOption } from "../output.ts";

export function confirmCommand(context: CliContext): Command {
  return new Command("confirm")
    .summary("vouch for provisional or disputed memories")
    .argument("<handles...>", "which memories")
    .option("--json", "print one JSON object per line")
    .action((handles: string[], options: JsonOption) =>
      changeEach(context, { handles, options, change: (memory, handle) => memory.keep.confirm(handle) }),
    );
}
