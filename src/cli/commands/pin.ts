/** `arcticmem pin` and `unpin`: what is pinned is shown first and never changed by a pipeline. */
import { Command } from "commander";
import { changeEach } from "../change-each.ts";
import type { CliContext } from "../context.ts";
import type { JsonOption } from "../output.ts";

export function pinCommand(context: CliContext): Command {
  return new Command("pin")
    .summary("keep memories in front, unchanged by later sessions")
    .argument("<handles...>", "which memories")
    .option("--json", "print one JSON object per line")
    .action((handles: string[], options: JsonOption) =>
      changeEach(context, { handles, options, change: (memory, handle) => memory.keep.pin(handle, true) }),
    );
}

export function unpinCommand(context: CliContext): Command {
  return new Command("unpin")
    .summary("take the pin off memories")
    .argument("<handles...>", "which memories")
    .option("--json", "print one JSON object per line")
    .action((handles: string[], options: JsonOption) =>
      changeEach(context, { handles, options, change: (memory, handle) => memory.keep.pin(handle, false) }),
    );
}
