/** `arcticmem reindex`: builds everything that is derived again from what is kept. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { counted, type JsonOption, writeJson, writeLines } from "../output.ts";
import { progressBar } from "../progress.ts";

export function reindexCommand(context: CliContext): Command {
  return new Command("reindex")
    .summary("rebuild all indexes and vectors from what is kept")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const done = await memory.reindex(bar.update, context.signal).finally(bar.end);
      if (options.json === true) writeJson(context, done);
      else {
        const { memories, chunks, embedded } = done;
        writeLines(context, [
          `${counted(memories, "memory", "memories")}, ${counted(chunks, "passage")}, ${counted(embedded, "text")} embedded`,
        ]);
      }
    });
}
