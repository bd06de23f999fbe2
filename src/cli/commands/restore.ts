/** `arcticmem restore`: brings back what was forgotten reversibly. */
import { Command } from "commander";
import { changeEach } from "../change-each.ts";
import type { CliContext } from "../context.ts";
import type { JsonOption } from "../output.ts";

export function restoreCommand(context: CliContext): Command {
  return new Command("restore")
    .summary("bring back memories that were forgotten reversibly")
    .argument("<handles...>", "which memories")
    .option("--json", "print one JSON object per line")
    .action((handles: string[], options: JsonOption) =>
      changeEach(context, { handles, options, change: (memory, handle) => memory.keep.restore(handle) }),
    );
}
