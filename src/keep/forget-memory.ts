/** Forgetting that can be taken back: a tombstone stands where the memory was, and knows what it replaced. */
import { ArcticMemError } from "../core/errors.ts";
import { isLive, type MemoryRecord } from "../core/memory-record.ts";
import { cleanLine } from "../text/clean.ts";
import { ACTORS, changeMemory, type KeepDeps } from "./change-memory.ts";

export interface ForgetOptions {
  readonly by: "person" | "agent";
  readonly reason?: string;
}

/**
 * An agent may put away what was inferred or observed, not what the user said, wrote or pinned.
 *
 * @throws {ArcticMemError} `PROTECTED`.
 */
export function forgetMemory(
  deps: KeepDeps,
  memory: MemoryRecord,
  { by, reason }: ForgetOptions,
): Promise<MemoryRecord> {
  return changeMemory(deps, memory.id, (current) => {
    if (by === "agent") refuseProtected(current);
    if (current.status === "forgotten") return undefined;
    const why = reason === undefined || reason.trim() === "" ? null : cleanLine(reason, 300);
    return {
      patch: { status: "forgotten", tombstonedAt: deps.now(), reason: why },
      kind: "forgotten",
      actor: ACTORS[by],
      reason: why,
    };
  });
}

/** Said, written or pinned by the user: no agent's word moves it. */
export function isUsersOwn({ pinned, humanEdited, source }: MemoryRecord): boolean {
  return pinned || humanEdited || source === "user_stated";
}

function refuseProtected(memory: MemoryRecord): void {
  if (!isUsersOwn(memory)) return;
  throw new ArcticMemError("PROTECTED", "Agents may not forget what the user said, wrote or pinned.", {
    hint: "Ask the user to run `arcticmem forget`.",
  });
}

/**
 * Back to the standing it had before it was put away.
 *
 * @throws {ArcticMemError} `INPUT_INVALID` when another memory says the same by now.
 */
export async function restoreMemory(deps: KeepDeps, memory: MemoryRecord): Promise<MemoryRecord> {
  const earlier = await deps.store.memories.history(memory.id);
  const before = earlier.find((snapshot) => isLive(snapshot.memory))?.memory.status ?? "active";
  return changeMemory(deps, memory.id, (current) =>
    isLive(current)
      ? undefined
      : {
          patch: { status: before, tombstonedAt: null, supersededBy: null, reason: null },
          kind: "restored",
          actor: "user",
        },
  );
}
