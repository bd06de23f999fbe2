/** Memories that belong together: one without the other would mislead. */
import type { MemoryId } from "../../core/ids.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";

/** What took the memory's place, and what contradicts it. */
export function tiesOf({ supersededBy, conflictsWith }: MemoryRecord): MemoryId[] {
  return supersededBy === null ? [...conflictsWith] : [supersededBy, ...conflictsWith];
}

/** Whether either names the other: the one took the other's place, or contradicts it. */
export function areTied(one: MemoryRecord, other: MemoryRecord): boolean {
  return tiesOf(one).includes(other.id) || tiesOf(other).includes(one.id);
}
