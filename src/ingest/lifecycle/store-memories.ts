/**
 * Writes what was decided, in one transaction that compares versions. When another process was faster, the facts whose
 * memory moved are decided once more; what loses again is added, so that no fact is lost to a race.
 */
import { ArcticMemError } from "../../core/errors.ts";
import type { MemoryId } from "../../core/ids.ts";
import { isLive, type MemoryRecord } from "../../core/memory-record.ts";
import type { ApplyResult, MemoryTable } from "../../store/store.ts";
import { applyDecisions } from "./apply-decisions.ts";
import type { DecisionInput, DecisionPlan, Settlement } from "./decision.ts";

export interface StoreMemoriesDeps {
  readonly memories: Pick<MemoryTable, "apply" | "getMany" | "get">;
  /** Asks again about facts whose target moved; candidates as they are now. Called at most once. */
  readonly decideAgain: (
    handles: ReadonlySet<string>,
  ) => Promise<Pick<DecisionInput, "candidates" | "proposal" | "similarity"> | undefined>;
}

export interface StoredPlan {
  readonly plan: DecisionPlan;
  /** How often the store said that something had moved. */
  readonly lostRaces: number;
}

/** Additions can collide with one writer each; more rounds mean that something else is wrong. */
const MAX_ROUNDS = 8;

/** @throws {ArcticMemError} what the store throws; `STORE_LOCKED` when others kept winning. Then nothing was written. */
export async function storeMemories(deps: StoreMemoriesDeps, first: DecisionInput): Promise<StoredPlan> {
  let input = first;
  let askedAgain = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const plan = applyDecisions(input);
    if (plan.changes.length === 0 && plan.events.length === 0) return { plan, lostRaces: round };
    const result = await deps.memories.apply(plan.changes, plan.events);
    if (result.applied) return { plan, lostRaces: round };
    input = await withoutDuplicates(deps, input, { plan, result });
    const losers = losersOf(plan, result);
    if (losers.size === 0) continue;
    input = await refreshed(deps, input, { losers, askAgain: !askedAgain });
    askedAgain = true;
  }
  throw new ArcticMemError("STORE_LOCKED", "other processes kept changing the same memories", {
    hint: "The session stays in the queue and is tried again later.",
  });
}

interface Failed {
  readonly plan: DecisionPlan;
  readonly result: Extract<ApplyResult, { applied: false }>;
}

/** Another run has added the same text meanwhile: the fact becomes one more sighting of that memory. */
async function withoutDuplicates(
  { memories }: StoreMemoriesDeps,
  input: DecisionInput,
  { plan, result }: Failed,
): Promise<DecisionInput> {
  const settled = new Map<string, Settlement>(input.settled);
  const collided: string[] = [];
  for (const { change, existing } of result.duplicates) {
    const target = await memories.get(existing);
    const handle = plan.factByAddition.get(change);
    const changed = plan.changes[change];
    if (changed?.kind === "revise") collided.push(...(plan.factsByTarget.get(changed.id) ?? []));
    if (target !== undefined && handle !== undefined)
      settled.set(handle, { kind: "duplicate", target, rule: "dup:race" });
  }
  return { ...input, settled, addOnly: beaten(input, collided) };
}

function losersOf(plan: DecisionPlan, result: Failed["result"]): ReadonlySet<string> {
  return new Set(result.lost.flatMap((id) => plan.factsByTarget.get(id) ?? []));
}

interface Losers {
  readonly losers: ReadonlySet<string>;
  readonly askAgain: boolean;
}

async function refreshed(
  deps: StoreMemoriesDeps,
  input: DecisionInput,
  { losers, askAgain }: Losers,
): Promise<DecisionInput> {
  const current = await recordsNow(deps, input);
  const settled = new Map(
    [...input.settled].flatMap(([handle, settlement]): [string, Settlement][] => {
      const target = current.get(settlement.target.id);
      const stands = target !== undefined && (isLive(target) || !isLive(settlement.target));
      return stands ? [[handle, { ...settlement, target }]] : [];
    }),
  );
  const candidates = new Map(
    [...input.candidates].flatMap(([number, { id }]): [number, MemoryRecord][] => {
      const memory = current.get(id);
      return memory === undefined || !isLive(memory) ? [] : [[number, memory]];
    }),
  );
  const open = new Set([...losers].filter((handle) => !settled.has(handle)));
  const again = askAgain && open.size > 0 && input.proposal !== null ? await deps.decideAgain(open) : undefined;
  if (again === undefined) {
    return { ...input, settled, candidates, addOnly: beaten(input, open) };
  }
  return { ...input, settled, ...merged({ ...input, candidates }, again, open) };
}

function beaten(input: DecisionInput, handles: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...input.addOnly, ...[...handles].map((handle): [string, string] => [handle, "guard:lost-race"])]);
}

type Answer = Pick<DecisionInput, "candidates" | "proposal" | "similarity">;

/** The second answer speaks for the facts that lost; its numbers are moved behind those of the first. */
function merged(first: Answer, second: Answer, open: ReadonlySet<string>): Answer {
  const offset = Math.max(0, ...first.candidates.keys());
  const shift = (number: number | null) => (number === null ? null : number + offset);
  const keptDecisions = (first.proposal?.decisions ?? []).filter(({ fact }) => !open.has(fact));
  const keptVerdicts = (first.proposal?.verdicts ?? []).filter(({ fact }) => !open.has(fact));
  const newDecisions = (second.proposal?.decisions ?? []).filter(({ fact }) => open.has(fact));
  const newVerdicts = (second.proposal?.verdicts ?? []).filter(({ fact }) => open.has(fact));
  return {
    candidates: new Map([
      ...first.candidates,
      ...[...second.candidates].map(([number, memory]): [number, MemoryRecord] => [number + offset, memory]),
    ]),
    proposal: {
      decisions: [...keptDecisions, ...newDecisions.map((item) => ({ ...item, target: shift(item.target) }))],
      verdicts: [...keptVerdicts, ...newVerdicts.map((item) => ({ ...item, candidate: item.candidate + offset }))],
      dropped: (first.proposal?.dropped ?? 0) + (second.proposal?.dropped ?? 0),
    },
    similarity: (fact, memory) => second.similarity(fact, memory) ?? first.similarity(fact, memory),
  };
}

async function recordsNow(
  { memories }: StoreMemoriesDeps,
  input: DecisionInput,
): Promise<ReadonlyMap<MemoryId, MemoryRecord>> {
  const ids = [...input.candidates.values(), ...[...input.settled.values()].map(({ target }) => target)].map(
    ({ id }) => id,
  );
  const records = await memories.getMany([...new Set(ids)]);
  return new Map(records.map((memory) => [memory.id, memory]));
}
