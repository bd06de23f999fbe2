/** The commands that do one thing to each of some memories, and print what became of them. */
import type { Memory } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { CliContext } from "./context.ts";
import { type JsonOption, paintFor, writeJson, writeLines } from "./output.ts";
import { memoryJson, memoryLines } from "./render-memory.ts";

export interface ChangeEach {
  readonly handles: readonly string[];
  readonly options: JsonOption;
  readonly change: (memory: Memory, handle: string) => Promise<MemoryRecord>;
}

/** All handles are looked up before the first change: a mistyped one changes nothing. */
export async function changeEach(context: CliContext, { handles, options, change }: ChangeEach): Promise<void> {
  await using memory = await context.openMemory();
  const ids: string[] = [];
  for (const handle of handles) ids.push((await memory.get(handle)).memory.id);
  const changed: MemoryRecord[] = [];
  for (const id of ids) changed.push(await change(memory, id));
  if (options.json === true) for (const item of changed) writeJson(context, memoryJson(item));
  else {
    const paint = paintFor(context.stdout, context.environment.variables);
    writeLines(context, memoryLines(changed, { paint, now: context.now() }));
  }
}
