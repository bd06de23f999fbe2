/** The contradiction radar, wired: when it looks, and what it has found, as sentences. */
import { conflictSentence, type FileConflict } from "../../core/findings/file-conflict.ts";
import type { MemoryId } from "../../core/ids.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import type { Workbench } from "../workbench.ts";

/** Looks at texts that are new or have changed. Trouble costs nothing but this look: the next one sees them again. */
export async function lookForConflicts(bench: Workbench, most?: number): Promise<number> {
  try {
    const [{ findFileConflicts }, { index, conflicts }] = await Promise.all([
      import("../../keep/find-file-conflicts.ts"),
      bench.store(),
    ]);
    return await findFileConflicts({ index, conflicts }, await bench.projectId(), most === undefined ? {} : { most });
  } catch {
    return 0; // a store that is busy or full: indexing and answering go on
  }
}

/** Conflicts of this project's files with these memories. */
export async function conflictsOf(bench: Workbench, memories: readonly MemoryId[]): Promise<FileConflict[]> {
  if (memories.length === 0) return [];
  return (await bench.store()).conflicts.list(await bench.projectId(), memories);
}

/** One sentence a conflict, for the memories given. */
export async function conflictNotesOf(bench: Workbench, memories: readonly MemoryRecord[]): Promise<string[]> {
  const found = await conflictsOf(
    bench,
    memories.map(({ id }) => id),
  );
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return found.flatMap((conflict) => {
    const memory = byId.get(conflict.memory);
    return memory === undefined ? [] : [conflictSentence(conflict, memory)];
  });
}

/** All of this project, for `doctor`. */
export async function allConflictNotes(bench: Workbench): Promise<string[]> {
  const { conflicts, memories } = await bench.store();
  const found = await conflicts.list(await bench.projectId());
  return conflictNotesOf(bench, await memories.getMany([...new Set(found.map(({ memory }) => memory))]));
}
