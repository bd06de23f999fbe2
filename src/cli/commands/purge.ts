/** `arcticmem purge`: deletes the whole memory: store, spool and logs, of all projects. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { counted, type JsonOption, tell, writeJson } from "../output.ts";
import { confirmOrThrow } from "../prompt.ts";

export function purgeCommand(context: CliContext): Command {
  return new Command("purge")
    .summary("delete the whole memory, of all projects")
    .option("-y, --yes", "don't ask")
    .option("--json", "print what was done as JSON")
    .action(async (options: JsonOption & { readonly yes?: boolean }) => {
      await using memory = await context.openMemory();
      const { store } = memory.paths;
      await confirmOrThrow(context, `Delete ${store} with all memories of all projects, for good?`, options);
      const count = await countOrUnknown(async () => (await memory.list({ everywhere: true })).length);
      await memory.keep.purge();
      if (options.json === true) writeJson(context, { purged: true, store, memories: count });
      else tell(context, count === null ? "Deleted." : `Deleted, with ${counted(count, "memory", "memories")}.`);
    });
}

/** A store that can't be read can still be deleted. */
async function countOrUnknown(count: () => Promise<number>): Promise<number | null> {
  try {
    return await count();
  } catch {
    return null; // broken or locked: what is deleted is then not counted
  }
}
