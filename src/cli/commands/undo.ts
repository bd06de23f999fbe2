/** `arcticmem undo`: takes back a whole run, or the last change of one memory. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import type { JsonOption } from "../output.ts";
import { tell } from "../output.ts";
import { titleLine, writeMemories } from "../render-memory.ts";

export function undoCommand(context: CliContext): Command {
  return new Command("undo")
    .summary("take back a run, or the last change of a memory")
    .argument("<run-or-handle>", "id of a run, or handle of a memory")
    .option("--json", "print one JSON object per changed memory")
    .action(async (target: string, options: JsonOption) => {
      await using memory = await context.openMemory();
      const { changed, left } = await memory.keep.undo(target);
      writeMemories(context, changed, options);
      for (const one of left) tell(context, `left as it is, changed by others since: ${titleLine(one)}`);
    });
}
