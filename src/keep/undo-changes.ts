/**
 * Taking back what a run did, or the last change of one memory. What was added is put away, what was changed gets back
 * text and standing. What somebody else has changed since is left alone, because that is a newer word.
 */
import { ArcticMemError } from "../core/errors.ts";
import type { MemoryId, RunId } from "../core/ids.ts";
import { changeOf, type MemoryChange, type MemoryEvent, type MemoryPatch } from "../core/lifecycle.ts";
import type { UndoReport } from "../core/memory.ts";
import { bodyOf, type MemoryRecord } from "../core/memory-record.ts";
import type { MemorySnapshot, Store } from "../store/store.ts";
import type { KeepDeps } from "./change-memory.ts";

/** The rule that events of an undo name. */
const UNDO = "undo";

export interface UndoDeps extends KeepDeps {
  readonly store: Pick<Store, "memories" | "usage">;
}

export type UndoTarget = { readonly run: RunId } | { readonly memory: MemoryId };

/**
 * All or nothing.
 *
 * @throws {ArcticMemError} `INPUT_INVALID` where there is nothing to take back; `STORE_LOCKED` when a worker was faster.
 */
export async function undoChanges(deps: UndoDeps, target: UndoTarget): Promise<UndoReport> {
  const verdict = "memory" in target ? await lastVerdict(deps, target.memory) : undefined;
  if (verdict !== undefined) return { changed: [verdict], left: [] };
  const steps = "run" in target ? await stepsOfRun(deps, target.run) : await lastStep(deps, target.memory);
  const changes = steps.flatMap(({ change }) => change ?? []);
  if (changes.length === 0) {
    const hint =
      steps.length === 0
        ? "`arcticmem runs show` and `arcticmem why` tell what was done."
        : "All that it did was changed or taken back since: `arcticmem why <handle>` tells by whom.";
    throw new ArcticMemError("INPUT_INVALID", "There is nothing to take back.", { hint });
  }
  const done = steps.filter(({ change }) => change !== undefined);
  const events = done.map(({ memory }) => eventOf(deps, memory, target));
  const result = await deps.store.memories.apply(changes, events);
  if (!result.applied) {
    throw new ArcticMemError("STORE_LOCKED", "The memories changed while they were being restored.", {
      hint: "Try again.",
    });
  }
  return {
    changed: await deps.store.memories.getMany(done.map(({ memory }) => memory.id)),
    left: steps.filter(({ change }) => change === undefined).map(({ memory }) => memory),
  };
}

/**
 * Takes back what the user said of a memory last, where it changed nothing: an older change is not what is meant then.
 *
 * @returns The memory; absent where the last thing was a change.
 */
async function lastVerdict({ store, now }: UndoDeps, id: MemoryId): Promise<MemoryRecord | undefined> {
  const [newest] = await store.memories.events({ memory: id });
  if (newest?.kind !== "judged" || newest.actor !== "user" || newest.rules.includes(UNDO)) return undefined;
  await store.usage.withdraw({ memory: id, who: "user" });
  const event = { memory: id, kind: "judged", run: null, actor: "user", rules: [UNDO], at: now() } as const;
  await store.memories.apply([], [{ ...event, reason: "What the user had said of it is taken back." }]);
  return store.memories.get(id);
}

interface Step {
  readonly memory: MemoryRecord;
  /** Undefined where somebody else has changed it since. */
  readonly change: MemoryChange | undefined;
}

async function stepsOfRun({ store, now }: KeepDeps, run: RunId): Promise<Step[]> {
  const events = await store.memories.events({ run });
  const steps: Step[] = [];
  for (const id of new Set(events.map(({ memory }) => memory))) {
    const memory = await store.memories.get(id);
    if (memory === undefined) continue;
    const history = await store.memories.history(id);
    const added = events.some((event) => event.memory === id && event.kind === "added");
    const step = stepBack(memory, { history, run, added, at: now() });
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

interface Past {
  readonly history: readonly MemorySnapshot[];
  readonly run: RunId;
  readonly added: boolean;
  readonly at: Date;
}

/** History is newest first; a state that another actor left after the run's own stands in the way. */
function stepBack(memory: MemoryRecord, { history, run, added, at }: Past): Step | undefined {
  const ownChanges = history.filter((snapshot) => snapshot.run === run);
  const [newest] = history;
  if (newest !== undefined && newest.run !== run) return { memory, change: undefined };
  if (added) return { memory, change: putAway(memory, at) };
  const before = ownChanges.at(-1);
  return before === undefined ? undefined : { memory, change: backTo(memory, before.memory) };
}

async function lastStep({ store, now }: KeepDeps, id: MemoryId): Promise<Step[]> {
  const memory = await store.memories.get(id);
  if (memory === undefined) throw new ArcticMemError("MEMORY_NOT_FOUND", `There is no memory ${id}.`);
  const events = await store.memories.events({ memory: id });
  const undos = events.filter(({ kind, rules }) => kind !== "judged" && rules.includes(UNDO));
  const undone = new Set(undos.map(({ at }) => at.getTime()));
  const before = standingStates(memory, await store.memories.history(id), undone).at(-2);
  return [{ memory, change: before === undefined ? putAway(memory, now()) : backTo(memory, before) }];
}

/**
 * The states that lead to this one, oldest first and it last, without those that an undo went back over: undoing again
 * goes further back, not forth.
 *
 * @param undone - When something was taken back, in ms since the epoch.
 */
function standingStates(
  memory: MemoryRecord,
  history: readonly MemorySnapshot[],
  undone: ReadonlySet<number>,
): readonly MemoryRecord[] {
  const oldestFirst = [...history].reverse();
  let states: readonly MemoryRecord[] = [];
  for (const [at, state] of [...oldestFirst.map((snapshot) => snapshot.memory), memory].entries()) {
    const isUndo = undone.has(oldestFirst[at - 1]?.until.getTime() ?? Number.NaN);
    states = isUndo ? wentBackTo(state, states.slice(0, -1)) : [...states, state];
  }
  return states;
}

function wentBackTo(state: MemoryRecord, earlier: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const wanted = comparable(state);
  const found = earlier.findLastIndex((one) => comparable(one) === wanted);
  if (found >= 0) return earlier.slice(0, found + 1);
  return state.status === "forgotten" ? [] : earlier;
}

function comparable(memory: MemoryRecord): string {
  return JSON.stringify([bodyOf(memory), standingOf(memory)]);
}

function putAway(memory: MemoryRecord, at: Date): MemoryChange | undefined {
  if (memory.status === "forgotten") return undefined;
  return changeOf(memory, { patch: { status: "forgotten", tombstonedAt: at, reason: "taken back" } });
}

/** Text only where it differs: a change of standing is no new version. */
function backTo(memory: MemoryRecord, before: MemoryRecord): MemoryChange {
  const patch = standingOf(before);
  const sameText = JSON.stringify(bodyOf(memory)) === JSON.stringify(bodyOf(before));
  return sameText ? changeOf(memory, { patch }) : changeOf(memory, { patch, body: bodyOf(before) });
}

function standingOf(memory: MemoryRecord): MemoryPatch {
  const { status, flags, pinned, humanEdited, source, trust, confidence, seen, confirmedAt, eventAt } = memory;
  const { expiresAt, supersededBy, tombstonedAt, reason, conflictsWith, citations, scope } = memory;
  return {
    ...{ status, flags, pinned, humanEdited, source, trust, confidence, seen, confirmedAt, eventAt },
    ...{ expiresAt, supersededBy, tombstonedAt, reason, conflictsWith, citations, scope },
  };
}

function eventOf({ now }: KeepDeps, memory: MemoryRecord, target: UndoTarget): MemoryEvent {
  const reason = "run" in target ? `run ${target.run} was taken back` : "the last change was taken back";
  return { memory: memory.id, kind: "restored", run: null, actor: "user", rules: [UNDO], reason, at: now() };
}
