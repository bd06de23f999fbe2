/** The commands that do one thing to each of some memories, and print what became of them. */
import { Command } from "commander";
import type { Memory } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { CliContext } from "./context.ts";
import type { JsonOption } from "./output.ts";
import { writeMemories } from "./render-memory.ts";

type Change = (memory: Memory, handle: string) => Promise<MemoryRecord>;

export interface ChangeCommand {
  readonly name: string;
  readonly summary: string;
  readonly change: Change;
}

/** A command that takes nothing but handles. */
export function changeCommand(context: CliContext, { name, summary, change }: ChangeCommand): Command {
  return new Command(name)
    .summary(summary)
    .argument("<handles...>", "which memories")
    .option("--json", "print one JSON object per line")
    .action((handles: string[], options: JsonOption) => changeEach(context, { handles, options, change }));
}

export interface ChangeEach {
  readonly handles: readonly string[];
  readonly options: JsonOption;
  readonly change: Change;
}

/** All handles are looked up before the first change: a mistyped one changes nothing. */
export async function changeEach(context: CliContext, { handles, options, change }: ChangeEach): Promise<void> {
  await using memory = await context.openMemory();
  const ids: string[] = [];
  for (const handle of handles) ids.push((await memory.get(handle)).memory.id);
  const changed: MemoryRecord[] = [];
  for (const id of ids) changed.push(await change(memory, id));
  writeMemories(context, changed, options);
}
