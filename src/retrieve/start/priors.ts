/** What is worth a place in the block whatever the work at hand is. */
import type { MemoryRecord } from "../../core/memory-record.ts";
import { DAY_MS, dayOf } from "../../core/time/days.ts";
import { SURELY_USEFUL, utilityFactor } from "../rank/adjust-scores.ts";

export interface Prior {
  readonly memory: MemoryRecord;
  /** On the scale of a match, 0 … 1. */
  readonly score: number;
  readonly reason: string;
}

const MOST_A_KIND = 3;
const NEWEST = 2;
const EXPIRES_WITHIN_DAYS = 14;
/** Seen again this often, a lesson has proved itself. */
const PROVEN_SEEN = 3;

const SCORES = { pinned: 0.9, preference: 0.45, expiring: 0.4, newest: 0.35, proven: 0.3, useful: 0.3 } as const;

/** At most three of each kind, and two newest of the project. A memory of several kinds stands under the first. */
export function priorsOf(trusted: readonly MemoryRecord[], now: Date): Prior[] {
  const newest = [...trusted].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const mostUseful = [...newest].sort((a, b) => utilityFactor(b.verdicts) - utilityFactor(a.verdicts));
  const seenMost = [...mostUseful].sort((a, b) => b.seen - a.seen);
  const kinds: readonly (readonly [keyof typeof SCORES, readonly MemoryRecord[], (memory: MemoryRecord) => string])[] =
    [
      ["pinned", newest.filter(({ pinned }) => pinned), () => "pinned"],
      ["preference", newest.filter(isStatedPreference), () => ""],
      ["expiring", newest.filter((memory) => expiresSoon(memory, now)), ({ expiresAt }) => expiry(expiresAt)],
      ["newest", newest.filter(({ scope }) => scope.kind === "project").slice(0, NEWEST), () => "newest"],
      [
        "proven",
        seenMost.filter(({ type, seen }) => type === "lesson" && seen >= PROVEN_SEEN),
        ({ seen }) => `proved right ${seen} times`,
      ],
      [
        "useful",
        mostUseful.filter(({ type, verdicts }) => type === "lesson" && utilityFactor(verdicts) > SURELY_USEFUL),
        ({ verdicts }) => `helped ${verdicts?.helped} times`,
      ],
    ];
  const priors = new Map<string, Prior>();
  for (const [kind, memories, reason] of kinds) {
    for (const memory of memories.slice(0, MOST_A_KIND)) {
      if (!priors.has(memory.id)) priors.set(memory.id, { memory, score: SCORES[kind], reason: reason(memory) });
    }
  }
  return [...priors.values()];
}

export function isStatedPreference({ type, source }: MemoryRecord): boolean {
  return type === "preference" && source === "user_stated";
}

function expiresSoon({ type, expiresAt }: MemoryRecord, now: Date): boolean {
  return (
    type === "context" && expiresAt !== null && expiresAt.getTime() - now.getTime() <= EXPIRES_WITHIN_DAYS * DAY_MS
  );
}

function expiry(at: Date | null): string {
  return at === null ? "" : `ends ${dayOf(at)}`;
}
