/** Erasing for good, for privacy: no text stays, only hashes, so that what was erased is not learned again. */
import { type ProjectId, sessionId } from "../core/ids.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { KeepDeps } from "./change-memory.ts";

/** What to erase; handles are resolved by the caller. */
export type ErasureChoice =
  | { readonly memories: readonly MemoryRecord[] }
  | { readonly session: string }
  | { readonly project: ProjectId }
  | { readonly since: Date };

/** The memories that an erasure would take, put-away ones included. */
export async function chooseErasure({ store }: KeepDeps, choice: ErasureChoice): Promise<MemoryRecord[]> {
  const { memories } = store;
  if ("memories" in choice) return [...choice.memories];
  if ("session" in choice) return memories.list({ session: sessionId(choice.session) });
  if ("project" in choice) return memories.list({ projects: [choice.project] });
  return memories.list({ since: choice.since });
}

/** @returns How many memories are gone. */
export async function eraseMemories({ store, now }: KeepDeps, memories: readonly MemoryRecord[]): Promise<number> {
  if (memories.length === 0) return 0;
  return store.memories.erase(
    memories.map(({ id }) => id),
    now(),
  );
}
