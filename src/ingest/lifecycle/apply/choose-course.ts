/** Where each fact goes and which memories it would remove, after the guards that look at one fact alone. */
import type { MemoryId } from "../../../core/ids.ts";
import type { FactBody, MemoryRecord } from "../../../core/memory-record.ts";
import type { DecisionInput, IncomingFact, Operation, ProposedDecision, Verdict } from "../decision.ts";
import type { Likeness } from "../likeness.ts";
import { type Guard, isImmutable, mergedBody, operationFor, refuseMerge, refuseNone, refuseUpdate } from "./guards.ts";

/** Where a fact goes, and which memories it would remove. */
export interface Course {
  readonly incoming: IncomingFact;
  readonly home: Home;
  readonly removals: readonly MemoryRecord[];
  /** Memories of which the model can't tell whether they still hold, although their values differ. */
  readonly doubts: readonly MemoryRecord[];
  readonly decision: ProposedDecision | undefined;
  readonly proposed: string;
  readonly guards: readonly string[];
  /** What the trail names when the fact went elsewhere than proposed. */
  readonly link: MemoryRecord | null;
}

export type Home =
  | { readonly kind: "own" }
  | { readonly kind: "covered"; readonly target: MemoryRecord; readonly untouched: boolean }
  | { readonly kind: "merged"; readonly target: MemoryRecord; readonly body: FactBody };

/** The course of one fact. */
export function courseOf(incoming: IncomingFact, input: DecisionInput, likeness: Likeness): Course {
  const plain = { incoming, removals: [], doubts: [], decision: undefined, link: null };
  const settled = input.settled.get(incoming.handle);
  if (settled?.kind === "duplicate") {
    const untouched = isImmutable(settled.target) || settled.rule === "dup:tombstone";
    const home: Home = { kind: "covered", target: settled.target, untouched };
    return { ...plain, home, proposed: "duplicate", guards: [settled.rule] };
  }
  if (settled?.kind === "revival") {
    return { ...plain, home: { kind: "own" }, proposed: "revival", guards: [settled.rule], link: settled.target };
  }
  const addOnly = input.addOnly.get(incoming.handle);
  if (addOnly !== undefined) return { ...plain, home: { kind: "own" }, proposed: "ADD", guards: [addOnly] };
  if (input.proposal === null) return { ...plain, home: { kind: "own" }, proposed: "ADD", guards: [] };
  return courseProposed(incoming, input, likeness);
}

function courseProposed(incoming: IncomingFact, input: DecisionInput, likeness: Likeness): Course {
  const decision = chooseDecision(incoming, input);
  const verdicts = verdictsOn(incoming, input);
  const disproved = byId(verdicts.filter(({ stillTrue }) => stillTrue === "no").map(({ memory }) => memory));
  const doubts = byId(
    verdicts
      .filter(({ stillTrue, memory }) => stillTrue === "cant_tell" && likeness.differs(incoming.fact, memory))
      .map(({ memory }) => memory),
  );
  const common = { incoming, decision, doubts };
  if (decision === undefined) {
    return { ...common, ...own(["guard:no-decision"]), removals: disproved, proposed: "nothing", link: null };
  }
  const proposed = `${decision.op}${decision.relation === null ? "" : ` (${decision.relation})`}`;
  const { op, guard } = operationFor(decision);
  const guards: string[] = guard === undefined ? [] : [guard];
  const target = decision.target === null ? undefined : input.candidates.get(decision.target);
  if (op === "ADD") return { ...common, ...own(guards), removals: disproved, proposed, link: target ?? null };
  if (target === undefined) {
    return { ...common, ...own([...guards, "guard:unknown-target"]), removals: disproved, proposed, link: null };
  }
  if (op === "DELETE") {
    return { ...common, ...own(guards), removals: byId([target, ...disproved]), proposed, link: target };
  }
  if (disproved.some(({ id }) => id === target.id)) {
    return { ...common, ...own([...guards, "guard:verdict"]), removals: disproved, proposed, link: target };
  }
  const placed = place({ incoming, decision, op, target }, input, likeness);
  return {
    ...common,
    home: placed.home,
    guards: [...guards, ...placed.guards],
    removals: disproved,
    proposed,
    link: target,
  };
}

interface Placing {
  readonly incoming: IncomingFact;
  readonly decision: ProposedDecision;
  readonly op: "UPDATE" | "NONE";
  readonly target: MemoryRecord;
}

function place(
  { incoming, decision, op, target }: Placing,
  input: DecisionInput,
  likeness: Likeness,
): { readonly home: Home; readonly guards: readonly Guard[] } {
  if (op === "NONE") return placeCovered(refuseNone(incoming, target, likeness), target, []);
  const refused = refuseUpdate(incoming, target);
  if (refused !== undefined) return own([refused]);
  if (decision.merged === null) {
    const keeps = decision.relation === "same" || decision.relation === "refines";
    const why: Guard[] = ["guard:no-merged"];
    return keeps ? placeCovered(refuseNone(incoming, target, likeness), target, why) : own(why);
  }
  const body = mergedBody(target, incoming.fact, decision.merged);
  const spoiled = refuseMerge(incoming, decision, { target, merged: body, input });
  return spoiled === undefined ? { home: { kind: "merged", target, body }, guards: [] } : own([spoiled]);
}

function placeCovered(refused: Guard | undefined, target: MemoryRecord, guards: readonly Guard[]) {
  if (refused !== undefined) return own([...guards, refused]);
  return { home: { kind: "covered", target, untouched: isImmutable(target) } as const, guards };
}

function own<G extends string>(guards: readonly G[]): { readonly home: Home; readonly guards: readonly G[] } {
  return { home: { kind: "own" }, guards };
}

const OPERATIONS: readonly Operation[] = ["UPDATE", "DELETE", "NONE", "ADD"];

/** Of several decisions for one fact one counts: the same one in whatever order they came. */
function chooseDecision(
  { handle }: IncomingFact,
  { proposal, candidates }: DecisionInput,
): ProposedDecision | undefined {
  const key = (decision: ProposedDecision) =>
    [
      OPERATIONS.indexOf(decision.op),
      (decision.target === null ? undefined : candidates.get(decision.target)?.id) ?? "~",
      JSON.stringify({ ...decision, target: null }),
    ].join("\n");
  const ours = (proposal?.decisions ?? []).filter(({ fact }) => fact === handle);
  return ours.sort((a, b) => (key(a) < key(b) ? -1 : 1))[0];
}

/** What the model said about candidates, beside its decision. */
export function verdictsOn(
  { handle }: IncomingFact,
  { proposal, candidates }: DecisionInput,
): (Verdict & { readonly memory: MemoryRecord })[] {
  return (proposal?.verdicts ?? []).flatMap((verdict) => {
    const memory = candidates.get(verdict.candidate);
    return verdict.fact === handle && memory !== undefined ? [{ ...verdict, memory }] : [];
  });
}

function byId(memories: readonly MemoryRecord[]): MemoryRecord[] {
  const unique = new Map(memories.map((memory) => [memory.id, memory]));
  return [...unique.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A second merge into one memory would be written from the text that the first replaced: it is added instead. */
export function oneMergeEach(courses: readonly Course[]): Course[] {
  const merged = new Set<MemoryId>();
  return courses.map((course) => {
    if (course.home.kind !== "merged") return course;
    if (merged.has(course.home.target.id)) return { ...course, ...own([...course.guards, "guard:one-update"]) };
    merged.add(course.home.target.id);
    return course;
  });
}
