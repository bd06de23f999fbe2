/**
 * Which memories a model is shown beside the new facts. Models overlook the memory that a fact makes untrue far more
 * often than they invent one, so every way of finding it has its turn: the arms are interleaved, never fused, and a
 * memory that only one arm finds is not outvoted.
 */
import { sha256 } from "../../core/hash.ts";
import { isLive, type MemoryRecord } from "../../core/memory-record.ts";
import { shareSlot } from "../../text/conflicts/slots.ts";
import type { IncomingFact } from "./decision.ts";

/** In the order of their turns; `slot` is filled here, the others by search. */
const CANDIDATE_ARMS = ["slot", "body", "trigger", "symbol", "fulltext"] as const;
export type CandidateArm = (typeof CANDIDATE_ARMS)[number];

/** Best first, live memories of the fact's scope and of the user's. */
export type ArmRankings = Readonly<Partial<Record<CandidateArm, readonly MemoryRecord[]>>>;

const PER_FACT = 6;
const PER_CALL = 30;

export interface FactCandidates {
  readonly incoming: IncomingFact;
  readonly memories: readonly MemoryRecord[];
}

/** Memories that fill one of the fact's slots, newest first. */
export function slotRanking({ fact }: IncomingFact, memories: readonly MemoryRecord[]): MemoryRecord[] {
  return memories.filter((memory) => shareSlot(fact, memory)).sort((a, b) => b.eventAt.getTime() - a.eventAt.getTime());
}

/** At most six for one fact: each arm's first, then each arm's second, and so on. */
export function interleaveArms(arms: ArmRankings): MemoryRecord[] {
  const chosen = new Map<string, MemoryRecord>();
  const longest = Math.max(0, ...CANDIDATE_ARMS.map((arm) => arms[arm]?.length ?? 0));
  for (let rank = 0; rank < longest && chosen.size < PER_FACT; rank += 1) {
    for (const arm of CANDIDATE_ARMS) {
      const memory = arms[arm]?.[rank];
      if (memory === undefined || chosen.size === PER_FACT || !isLive(memory)) continue;
      chosen.set(memory.id, memory);
    }
  }
  return [...chosen.values()];
}

/**
 * The candidates of one call, numbered from 1. Their order is shuffled, because models prefer what stands first; it
 * depends on the seed and on which memories they are, on nothing else.
 *
 * @param seed - The run's id.
 */
export function numberCandidates(perFact: readonly FactCandidates[], seed: string): ReadonlyMap<number, MemoryRecord> {
  const union = new Map<string, MemoryRecord>();
  for (let rank = 0; rank < PER_FACT; rank += 1) {
    for (const { memories } of perFact) {
      const memory = memories[rank];
      if (memory !== undefined && union.size < PER_CALL) union.set(memory.id, memory);
    }
  }
  const shuffled = [...union.values()]
    .map((memory) => ({ memory, key: sha256(`${seed}\n${memory.id}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(shuffled.map(({ memory }, at) => [at + 1, memory]));
}
