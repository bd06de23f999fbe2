/** Which memories may be put before an agent unasked: only those that somebody or something vouches for. */
import type { ProjectId } from "../../core/ids.ts";
import { EXPLICIT_CONFIDENCE, FACT_TYPES, type FactType, type MemoryRecord } from "../../core/memory-record.ts";
import type { MemoryTable } from "../../store/store.ts";
import { isRuleExtracted } from "../render-lines.ts";

export interface TrustedDeps {
  readonly memories: Pick<MemoryTable, "list" | "count">;
  /** Memories whose citation fails in this checkout are withheld until it holds again. Default: none is. */
  readonly isWithheld?: (memory: MemoryRecord) => boolean;
  readonly now: () => Date;
}

export interface TrustedMemories {
  /** Of a large store the pinned and the newest; active ones without their provenance. */
  readonly trusted: readonly MemoryRecord[];
  /** Counts by type, where `trusted` doesn't hold all. */
  readonly counts: Readonly<Partial<Record<FactType, number>>>;
  /** Provisional ones that are only counted. */
  readonly unconfirmed: number;
}

/** Above this many memories the pinned and the newest are read, and the rest is counted. */
const READ = 400;

/**
 * Active ones; of the unconfirmed only what a rule took from what the user explicitly stated. What has expired, or is suspected
 * to be stale, stays out.
 */
export function isTrusted(memory: MemoryRecord, now: Date): boolean {
  if (memory.expiresAt !== null && memory.expiresAt < now) return false;
  if (memory.trust <= 1 && !memory.pinned) return false;
  if (memory.status === "active") return !memory.flags.includes("stale_suspect");
  const isExplicit = memory.source === "user_stated" && memory.confidence >= EXPLICIT_CONFIDENCE;
  return memory.status === "provisional" && isExplicit && isRuleExtracted(memory);
}

/** Trusted memories of a project and of the user. */
export async function trustedMemories(deps: TrustedDeps, project: ProjectId | undefined): Promise<TrustedMemories> {
  const { memories, isWithheld } = deps;
  const now = deps.now();
  const scope = { projects: project === undefined ? [] : [project], user: true };
  const [active, provisional, activeCount, provisionalCount] = await Promise.all([
    memories.list({ ...scope, statuses: ["active"], limit: READ, provenance: false }),
    memories.list({ ...scope, statuses: ["provisional"], limit: READ }),
    memories.count({ ...scope, statuses: ["active"] }),
    memories.count({ ...scope, statuses: ["provisional"] }),
  ]);
  const all = activeCount <= active.length;
  const pinned = all ? [] : await memories.list({ ...scope, statuses: ["active"], pinned: true, provenance: false });
  const read = new Map([...pinned, ...active, ...provisional].map((memory) => [memory.id, memory]));
  const trusted = [...read.values()].filter((memory) => isTrusted(memory, now) && isWithheld?.(memory) !== true);
  const unconfirmed = provisionalCount - trusted.filter(({ status }) => status === "provisional").length;
  return { trusted, counts: all ? {} : await countTypes(memories, scope, trusted), unconfirmed };
}

/** Counts of the store, plus the trusted ones among the unconfirmed. */
async function countTypes(
  memories: TrustedDeps["memories"],
  scope: { readonly projects: readonly ProjectId[]; readonly user: boolean },
  trusted: readonly MemoryRecord[],
): Promise<TrustedMemories["counts"]> {
  const counts = FACT_TYPES.map(async (type) => {
    const active = await memories.count({ ...scope, statuses: ["active"], types: [type] });
    const stated = trusted.filter((memory) => memory.type === type && memory.status === "provisional").length;
    return [type, active + stated] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
