/** `arcticmem list`: the memories of this project, or of all. */
import { Command } from "commander";
import { given } from "../../core/given.ts";
import type { FactType, MemoryStatus } from "../../core/memory-record.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell } from "../output.ts";
import { factTypes, memoryStatuses, positiveInteger } from "../parse-options.ts";
import { writeMemories } from "../render-memory.ts";

interface ListOptions extends JsonOption {
  readonly type?: readonly FactType[];
  readonly status?: readonly MemoryStatus[];
  readonly everywhere?: boolean;
  readonly pinned?: boolean;
  readonly limit?: number;
}

export function listCommand(context: CliContext): Command {
  return new Command("list")
    .summary("list the memories of this project")
    .option("--type <types>", "only these: lesson, context, preference, pointer", factTypes)
    .option("--status <statuses>", "these instead of the live ones", memoryStatuses)
    .option("--everywhere", "of all projects")
    .option("--pinned", "only pinned ones")
    .option("-n, --limit <count>", "most to show", positiveInteger)
    .option("--json", "print one JSON object per line")
    .action(async (options: ListOptions) => {
      await using memory = await context.openMemory();
      const { type: types, status: statuses, everywhere, pinned, limit } = options;
      const memories = await memory.list(given({ types, statuses, everywhere, pinned, limit }));
      writeMemories(context, memories, options);
      if (memories.length === 0 && options.json !== true) tell(context, "No memories here yet.");
      for (const left of await memory.project.leftBehind()) tell(context, `note: ${left}`);
    });
}
