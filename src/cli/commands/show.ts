/** `arcticmem show`: one memory whole, with its evidence and whether what it cites still stands. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { type JsonOption, writeJson, writeLines } from "../output.ts";
import { memoryJson, renderOptions, viewLines } from "../render-memory.ts";

export function showCommand(context: CliContext): Command {
  return new Command("show")
    .summary("show one memory with its evidence")
    .argument("<handle>", "as listed, L-7f3k2q; enough of it to be unique, from two characters")
    .option("--json", "print one JSON object")
    .action(async (handle: string, options: JsonOption) => {
      await using memory = await context.openMemory();
      const view = await memory.get(handle);
      if (options.json === true) {
        const { freshness, checks, successor, conflicts, fileConflicts } = view;
        writeJson(context, { ...memoryJson(view.memory), freshness, checks, successor, conflicts, fileConflicts });
        return;
      }
      writeLines(context, viewLines(view, renderOptions(context)));
    });
}
