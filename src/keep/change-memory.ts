/** Changes that people and agents ask for: against the memory as it is now, again where a worker was faster. */
import { ArcticMemError } from "../core/errors.ts";
import type { MemoryId } from "../core/ids.ts";
import { changeOf, type EventKind, type MemoryPatch } from "../core/lifecycle.ts";
import { type FactBody, handleOf, type MemoryRecord, type Provenance } from "../core/memory-record.ts";
import type { Store } from "../store/store.ts";

export interface KeepDeps {
  readonly store: Pick<Store, "memories">;
  readonly now: () => Date;
}

export interface Wanted {
  readonly patch: MemoryPatch;
  /** New text, where it changes. */
  readonly body?: FactBody;
  readonly provenance?: readonly Provenance[];
  readonly kind: EventKind;
  readonly actor: "user" | "agent";
  readonly rules?: readonly string[];
  readonly reason?: string | null;
}

/** Who acts, as the history names them. */
export const ACTORS = { person: "user", agent: "agent" } as const satisfies Record<string, Wanted["actor"]>;

const MAX_TRIES = 5;

/**
 * @param want - What to change, seeing the memory as it is; undefined: nothing.
 * @returns The memory after the change.
 * @throws {ArcticMemError} `MEMORY_NOT_FOUND`; `INPUT_INVALID` when another memory says the same; `STORE_LOCKED` when
 *   others keep changing it.
 */
export async function changeMemory(
  { store, now }: KeepDeps,
  id: MemoryId,
  want: (memory: MemoryRecord) => Wanted | undefined,
): Promise<MemoryRecord> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const memory = await store.memories.get(id);
    if (memory === undefined) throw new ArcticMemError("MEMORY_NOT_FOUND", `There is no memory ${id} any more.`);
    const wanted = want(memory);
    if (wanted === undefined) return memory;
    const { kind, actor, rules = [], reason = null } = wanted;
    const event = { memory: id, kind, run: null, actor, rules, reason, at: now() };
    const result = await store.memories.apply([changeOf(memory, wanted)], [event]);
    if (result.applied) return (await store.memories.get(id)) ?? memory;
    const [duplicate] = result.duplicates;
    if (duplicate !== undefined) await refuseDuplicate({ store, now }, duplicate.existing);
  }
  throw new ArcticMemError("STORE_LOCKED", "The memory is being changed by another process.", { hint: "Try again." });
}

async function refuseDuplicate({ store }: KeepDeps, existing: MemoryId): Promise<never> {
  const other = await store.memories.get(existing);
  const name = other === undefined ? existing : `${handleOf(other)} (${other.title})`;
  throw new ArcticMemError("INPUT_INVALID", `Another memory says that already: ${name}.`, {
    hint: "Forget one of the two, or edit the other one.",
  });
}
