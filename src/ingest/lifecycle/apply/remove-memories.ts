/** Removals: which proposals to supersede a memory hold, and what becomes of those that do not. */
import type { MemoryId } from "../../../core/ids.ts";
import type { MemoryRecord } from "../../../core/memory-record.ts";
import type { Likeness } from "../likeness.ts";
import { DELETE_SHARE } from "../thresholds.ts";
import { type Course, verdictsOn } from "./choose-course.ts";
import { type Guard, isImmutable, mayDispute, refuseDeleteClaim, refuseDeleteStanding } from "./guards.ts";
import type { Work } from "./settle-facts.ts";

export interface Removal {
  readonly removed: readonly MemoryRecord[];
  readonly guards: readonly string[];
}

type RemovalWork = Work & { readonly likeness: Likeness };

/** Removals come after all facts have a home: a memory that is some fact's home in this run is not removed in it. */
export function removeAll(courses: readonly Course[], work: RemovalWork): ReadonlyMap<string, Removal> {
  const homes = new Set(courses.flatMap(({ home }) => (home.kind === "own" ? [] : [home.target.id])));
  const gone = new Set<MemoryId>();
  const results = new Map<string, Removal>();
  for (const course of courses) {
    const removed: MemoryRecord[] = [];
    const guards: string[] = [];
    for (const target of course.removals) {
      const guard = refuseRemoval(course, target, { ...work, homes, gone });
      if (guard === undefined) {
        supersede(course, target, work);
        gone.add(target.id);
        removed.push(target);
      } else {
        guards.push(guard);
        react(course, target, { guard, ...work });
      }
    }
    for (const target of course.doubts) {
      if (gone.has(target.id)) continue;
      guards.push("guard:cant-tell");
      markConflict(course, target, { dispute: true, ...work });
    }
    results.set(course.incoming.handle, { removed, guards });
  }
  return results;
}

function refuseRemoval(
  { incoming, decision }: Course,
  target: MemoryRecord,
  { input, likeness, homes, gone }: RemovalWork & { homes: ReadonlySet<MemoryId>; gone: ReadonlySet<MemoryId> },
): Guard | undefined {
  if (gone.has(target.id)) return "guard:already-superseded";
  const stillTrue = verdictsOn(incoming, input).some(
    ({ memory, stillTrue: verdict }) => memory.id === target.id && verdict === "yes",
  );
  if (stillTrue) return "guard:verdict";
  const { allowDelete, deleteCap, activeInScope } = input.policy;
  const cap = Math.min(deleteCap, Math.ceil(activeInScope * DELETE_SHARE));
  return (
    refuseDeleteClaim(incoming, target, { decision, input, likeness }) ??
    (incoming.eventAt < target.eventAt ? "guard:event-time" : undefined) ??
    refuseDeleteStanding(incoming, target, allowDelete) ??
    (homes.has(target.id) ? "guard:home" : undefined) ??
    (gone.size >= cap ? "guard:cap" : undefined)
  );
}

function supersede({ incoming, home, decision }: Course, target: MemoryRecord, { input, draft }: Work): void {
  const successor = home.kind === "own" ? incoming.id : home.target.id;
  const reason = decision?.reason.trim() ?? null;
  draft.patch(target, incoming, {
    patch: { status: "superseded", supersededBy: successor, tombstonedAt: input.now, reason },
  });
  draft.note({ memory: target.id, kind: "superseded", reason });
}

/** The proposal named no contradiction that holds water: the fact stands on its own and nothing is marked. */
const UNFOUNDED: readonly string[] = ["guard:reason", "guard:quote", "guard:topic", "guard:already-superseded"];

function react(course: Course, target: MemoryRecord, { guard, ...work }: Work & { readonly guard: Guard }): void {
  if (UNFOUNDED.includes(guard)) return;
  if (guard !== "guard:event-time") {
    markConflict(course, target, { dispute: guard === "guard:cap", ...work });
    return;
  }
  const addition = work.draft.additionOf(course.incoming);
  if (addition === undefined) return;
  addition.status = "superseded";
  addition.supersededBy = target.id;
  addition.reason = "older than the memory that contradicts it";
}

/** Both sides learn of each other, as far as the fact may touch the memory. */
function markConflict(
  course: Course,
  target: MemoryRecord,
  { dispute, draft }: Work & { readonly dispute: boolean },
): void {
  const { incoming, home } = course;
  const mayTouch = !isImmutable(target) && incoming.fact.trust >= 2;
  const disputes = dispute && mayDispute(incoming, target);
  const homeId = home.kind === "own" ? incoming.id : home.target.id;
  if (homeId === target.id) return;
  const addition = draft.additionOf(incoming);
  if (addition !== undefined && addition.status !== "superseded") {
    addition.flags.add("conflicts");
    addition.conflictsWith.add(target.id);
    if (dispute) addition.status = "disputed";
  }
  if (!mayTouch) return;
  const before = draft.current(target);
  if (before.status === "superseded") return;
  draft.patch(target, incoming, {
    patch: {
      flags: sortedUnique([...before.flags, "conflicts"]),
      conflictsWith: sortedUnique([...before.conflictsWith, homeId]),
      ...(disputes ? { status: "disputed" as const } : {}),
    },
  });
  draft.note({ memory: target.id, kind: disputes ? "disputed" : "flagged", reason: `conflicts with ${homeId}` });
}

function sortedUnique<T extends string>(items: readonly T[]): T[] {
  return [...new Set(items)].sort();
}
