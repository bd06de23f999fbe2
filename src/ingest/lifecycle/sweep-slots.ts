/**
 * After the decisions, without a model: slots of this project that two active memories fill with different values. A
 * contradiction that a model overlooked is marked on both sides and shown for review; nobody wins by rule.
 */
import type { MemoryId, RunId } from "../../core/ids.ts";
import { changeOf, type MemoryChange, type MemoryEvent } from "../../core/lifecycle.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import { slotKey, slotsOf } from "../../text/conflicts/slots.ts";
import { isImmutable } from "./apply/guards.ts";

export interface SlotConflict {
  readonly relation: string;
  readonly subject: string;
  readonly memories: readonly MemoryId[];
  readonly values: readonly string[];
}

export interface SlotSweep {
  readonly conflicts: readonly SlotConflict[];
  /** Only for conflicts that were not marked yet; immutable memories are named by the other side alone. */
  readonly changes: readonly MemoryChange[];
  readonly events: readonly MemoryEvent[];
}

/** @param memories - Active ones; others are passed over. */
export function sweepSlots(
  memories: readonly MemoryRecord[],
  { run, now }: { readonly run: RunId | null; readonly now: Date },
): SlotSweep {
  const conflicts = conflictsAmong(memories.filter(({ status }) => status === "active"));
  const rivals = new Map<MemoryId, Set<MemoryId>>();
  for (const { groups } of conflicts) {
    for (const { memory, value } of groups) {
      const others = groups.filter((other) => other.value !== value).map((other) => other.memory.id);
      rivals.set(memory.id, new Set([...(rivals.get(memory.id) ?? []), ...others]));
    }
  }
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const changes: MemoryChange[] = [];
  const events: MemoryEvent[] = [];
  for (const [id, others] of [...rivals].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const memory = byId.get(id);
    if (memory === undefined || isImmutable(memory)) continue;
    const unmarked = [...others].filter((other) => !memory.conflictsWith.includes(other)).sort();
    if (unmarked.length === 0) continue;
    changes.push(markOf(memory, unmarked));
    const reason = `fills one slot with ${unmarked.join(", ")}`;
    events.push({ memory: id, kind: "flagged", run, actor: "pipeline", rules: ["sweep:slot"], reason, at: now });
  }
  return { conflicts: conflicts.map(conflictOf), changes, events };
}

interface Filling {
  readonly memory: MemoryRecord;
  readonly value: string;
}

interface Rivalry {
  readonly relation: string;
  readonly subject: string;
  readonly groups: readonly Filling[];
}

function conflictsAmong(memories: readonly MemoryRecord[]): Rivalry[] {
  const fillings = new Map<string, { relation: string; subject: string; groups: Filling[] }>();
  for (const memory of memories) {
    for (const slot of slotsOf(memory)) {
      const key = slotKey(memory.scope, slot);
      const rivalry = fillings.get(key) ?? { relation: slot.relation, subject: slot.subject, groups: [] };
      rivalry.groups.push({ memory, value: slot.value });
      fillings.set(key, rivalry);
    }
  }
  return [...fillings.values()].filter(({ groups }) => new Set(groups.map(({ value }) => value)).size > 1);
}

function conflictOf({ relation, subject, groups }: Rivalry): SlotConflict {
  return {
    relation,
    subject,
    memories: groups.map(({ memory }) => memory.id),
    values: [...new Set(groups.map(({ value }) => value))],
  };
}

function markOf(memory: MemoryRecord, rivals: readonly MemoryId[]): MemoryChange {
  return changeOf(memory, {
    patch: {
      flags: [...new Set([...memory.flags, "conflicts" as const])].sort(),
      conflictsWith: [...new Set([...memory.conflictsWith, ...rivals])].sort(),
    },
  });
}
