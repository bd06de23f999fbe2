/** Contradictions among what was found, as sentences for whoever reads the answer. */
import { handleOf } from "../../core/memory-record.ts";
import type { SearchHit } from "../../core/query.ts";

/** One sentence a pair of hits that are known to contradict each other. */
export function conflictNotes(hits: readonly SearchHit[]): string[] {
  const memories = hits.flatMap((hit) => (hit.unit === "fact" ? [hit.memory] : []));
  const notes: string[] = [];
  for (const [at, memory] of memories.entries()) {
    for (const other of memories.slice(at + 1)) {
      if (!memory.conflictsWith.includes(other.id) && !other.conflictsWith.includes(memory.id)) continue;
      const newer = memory.eventAt >= other.eventAt ? memory : other;
      notes.push(
        `${handleOf(memory)} and ${handleOf(other)} contradict each other; ${handleOf(newer)} is the newer one.`,
      );
    }
  }
  return notes;
}
