/** Gives each fact its home: a memory of its own, or a place in one that stands. */
import type { MemoryPatch } from "../../../core/lifecycle.ts";
import type { MemoryRecord, Trust } from "../../../core/memory-record.ts";
import type { DecisionInput, IncomingFact } from "../decision.ts";
import type { Course, Home } from "./choose-course.ts";
import type { ChangeDraft } from "./draft-changes.ts";
import { weakerSource } from "./guards.ts";
import { promotes } from "./origins.ts";

/** What a plan is made of while it grows. */
export interface Work {
  readonly input: DecisionInput;
  readonly draft: ChangeDraft;
}

/** Drafts the change that gives the fact its home. */
export function settle(course: Course, work: Work): void {
  const { incoming, home, guards } = course;
  if (home.kind === "own") settleAsOwn(course, work);
  else if (home.kind === "covered" && home.untouched) {
    work.draft.note({ memory: home.target.id, kind: "seen", rules: guards });
  } else settleInTarget(incoming, { home, guards, draft: work.draft });
}

function settleAsOwn({ incoming, guards, link }: Course, { input, draft }: Work): void {
  const addition = draft.add(incoming);
  if (input.pending) addition.flags.add("lifecycle_pending");
  const reason = link === null ? null : `beside ${link.id}`;
  draft.note({ memory: incoming.id, kind: "added", rules: guards, reason });
}

interface Placement {
  readonly home: Exclude<Home, { kind: "own" }>;
  readonly guards: readonly string[];
  readonly draft: ChangeDraft;
}

function settleInTarget(incoming: IncomingFact, { home, guards, draft }: Placement): void {
  const { target } = home;
  const before = draft.current(target);
  const fresh = incoming.provenance.filter((entry) => !target.provenance.some((known) => sameSighting(known, entry)));
  const sighting = sightingOf(incoming, before, fresh.length > 0);
  if (sighting.status === "active") {
    draft.note({ memory: target.id, kind: "promoted", rules: ["second-origin"] });
  }
  if (home.kind === "merged") {
    const patch = { ...sighting, ...leastAuthority(incoming, before) };
    draft.patch(target, incoming, { body: home.body, patch, provenance: fresh });
    draft.note({ memory: target.id, kind: "updated", rules: guards });
    return;
  }
  if (Object.keys(sighting).length > 0) draft.patch(target, incoming, { patch: sighting, provenance: fresh });
  draft.note({ memory: target.id, kind: "seen", rules: guards });
}

function sightingOf(incoming: IncomingFact, before: MemoryRecord, isFresh: boolean): MemoryPatch {
  const { fact, eventAt } = incoming;
  return {
    ...(isFresh ? { seen: before.seen + 1 } : {}),
    ...(eventAt > before.eventAt ? { eventAt } : {}),
    ...(fact.trust >= 2 && eventAt > before.confirmedAt ? { confirmedAt: eventAt } : {}),
    ...(promotes(incoming, before) ? { status: "active" as const } : {}),
  };
}

/** A merge has the authority of the least of its parts. */
function leastAuthority({ fact }: IncomingFact, target: MemoryRecord): MemoryPatch {
  return {
    trust: Math.min(fact.trust, target.trust) as Trust,
    source: weakerSource(fact.source, target.source),
    confidence: Math.min(fact.confidence, target.confidence),
  };
}

function sameSighting(a: MemoryRecord["provenance"][number], b: MemoryRecord["provenance"][number]): boolean {
  return a.session === b.session && a.turn === b.turn && a.extractor === b.extractor;
}
