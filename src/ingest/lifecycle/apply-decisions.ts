/**
 * The only code that turns proposals into changes of memories. Pure, total, deterministic: for whatever a model replied,
 * nothing active disappears without a stored successor, pinned and user-written memories never change, and every fact
 * ends stored or as NONE with a memory that says it.
 */
import type { DecisionTrail } from "../../core/report.ts";
import { type Course, courseOf, type Home, oneMergeEach } from "./apply/choose-course.ts";
import { ChangeDraft } from "./apply/draft-changes.ts";
import { type Removal, removeAll } from "./apply/remove-memories.ts";
import { settle } from "./apply/settle-facts.ts";
import type { DecisionInput, DecisionPlan, Operation } from "./decision.ts";
import { likenessAmong } from "./likeness.ts";

/** Plans what the store is asked to do. Never throws; the order of decisions and candidates does not matter. */
export function applyDecisions(input: DecisionInput): DecisionPlan {
  const likeness = likenessAmong(input);
  const facts = [...input.facts].sort((a, b) => (a.handle < b.handle ? -1 : 1));
  const courses = oneMergeEach(facts.map((incoming) => courseOf(incoming, input, likeness)));
  const draft = new ChangeDraft(input);
  for (const course of courses) settle(course, { input, draft });
  const removed = removeAll(courses, { input, draft, likeness });
  const trail = courses.map((course) => trailOf(course, removed.get(course.incoming.handle)));
  return { ...draft.finish(), trail, guards: countGuards(trail, strayDecisions(input)) };
}

function trailOf(
  { incoming, home, decision, proposed, guards, link }: Course,
  removal: Removal | undefined,
): DecisionTrail {
  const removed = removal?.removed ?? [];
  const applied = removed.length > 0 ? "DELETE" : OWN_OPERATION[home.kind];
  return {
    title: incoming.fact.title,
    type: incoming.fact.type,
    proposed,
    applied,
    memory: home.kind === "own" ? incoming.id : home.target.id,
    target: removed[0]?.id ?? (home.kind === "own" ? (link?.id ?? null) : home.target.id),
    guards: [...guards, ...(removal?.guards ?? [])],
    reason: decision === undefined || decision.reason.trim() === "" ? null : decision.reason.trim(),
  };
}

const OWN_OPERATION: Readonly<Record<Home["kind"], Operation>> = { own: "ADD", covered: "NONE", merged: "UPDATE" };

/** Decisions for facts that do not exist. */
function strayDecisions({ facts, proposal }: DecisionInput): number {
  const known = new Set(facts.map(({ handle }) => handle));
  return (proposal?.decisions ?? []).filter(({ fact }) => !known.has(fact)).length;
}

function countGuards(trail: readonly DecisionTrail[], stray: number): Record<string, number> {
  const counts: Record<string, number> = stray === 0 ? {} : { "guard:unknown-fact": stray };
  for (const guard of trail.flatMap(({ guards }) => guards)) counts[guard] = (counts[guard] ?? 0) + 1;
  return counts;
}
