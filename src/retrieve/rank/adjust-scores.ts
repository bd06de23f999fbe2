/**
 * What a memory's standing adds to its likeness: scope, age, evidence, use, trust, pinning. Bounded, so that standing orders
 * near hits and never makes a far one near.
 */
import type { Chunk } from "../../core/chunk.ts";
import type { ProjectId } from "../../core/ids.ts";
import type { FactType, MemoryRecord, Scope, VerdictCounts } from "../../core/memory-record.ts";
import { DAY_MS } from "../../core/time/days.ts";

export interface AdjustContext {
  /** The current project first; the others were linked by the user. */
  readonly projects: readonly ProjectId[];
  readonly now: Date;
  /** Default: the ones of most domains. */
  readonly halfLifeDays?: HalfLifeDays;
}

/** Days after which a memory that nobody confirmed has lost half of its freshness; null: never. */
export type HalfLifeDays = Readonly<Partial<Record<FactType, number | null>>>;

export interface Adjustment {
  /** Product of the parts, 0.6 … 1.35. */
  readonly factor: number;
  /** Only those that differ from 1. */
  readonly parts: Readonly<Record<string, number>>;
}

const LEAST = 0.6;
const MOST = 1.35;

const SCOPE = { current: 1.15, user: 1, sameOwner: 0.95, linked: 0.8 } as const;
const PROVISIONAL = 0.85;
const DISPUTED = 0.6;
const PINNED = 1.1;
/** Reached when a memory was seen again and again. */
const MOST_FOR_EVIDENCE = 0.05;
const MOST_FOR_AGE = 0.2;
/** Fewer verdicts than that are chance: they decide between equals only. */
const ENOUGH_VERDICTS = 10;
const MOST_FOR_UTILITY = 0.1;
const MOST_FOR_FEW_VERDICTS = 0.001;
/** A utility factor above this is no chance. */
export const SURELY_USEFUL = 1 + MOST_FOR_FEW_VERDICTS;
/** 95%. */
const WILSON_Z = 1.96;
const HALF_LIFE_DAYS: HalfLifeDays = { preference: null, pointer: 365, lesson: 180, context: 60 };

export function adjustMemory(memory: MemoryRecord, context: AdjustContext): Adjustment {
  return combine({
    scope: scopeFactor(memory.scope, context.projects),
    age: ageFactor(memory, context),
    evidence: 1 + MOST_FOR_EVIDENCE * (1 - 1 / Math.max(1, memory.seen)),
    utility: utilityFactor(memory.verdicts),
    status: memory.status === "provisional" ? PROVISIONAL : memory.status === "disputed" ? DISPUTED : 1,
    pinned: memory.pinned ? PINNED : 1,
  });
}

export function adjustChunk(chunk: Chunk, context: AdjustContext): Adjustment {
  const scope: Scope = chunk.path.startsWith("~") ? { kind: "user" } : { kind: "project", project: chunk.project };
  return combine({ scope: scopeFactor(scope, context.projects) });
}

function combine(factors: Readonly<Record<string, number>>): Adjustment {
  const parts: Record<string, number> = {};
  let product = 1;
  for (const [name, factor] of Object.entries(factors)) {
    product *= factor;
    if (factor !== 1) parts[name] = factor;
  }
  return { factor: Math.min(MOST, Math.max(LEAST, product)), parts };
}

function scopeFactor(scope: Scope, [current, ...linked]: readonly ProjectId[]): number {
  if (scope.kind === "user") return SCOPE.user;
  if (scope.project === current) return SCOPE.current;
  const owner = ownerOf(current);
  return owner !== undefined && linked.includes(scope.project) && ownerOf(scope.project) === owner
    ? SCOPE.sameOwner
    : SCOPE.linked;
}

/** `host/owner` of a project that is known by its remote. */
function ownerOf(project: ProjectId | undefined): string | undefined {
  return /^git:(.+)\/[^/]+$/.exec(project ?? "")?.[1];
}

function ageFactor(memory: MemoryRecord, { now, halfLifeDays }: AdjustContext): number {
  const { [memory.type]: own } = { ...HALF_LIFE_DAYS, ...halfLifeDays };
  const halfLife = (memory.polarity === "avoid" ? null : own) ?? Number.POSITIVE_INFINITY;
  const days = Math.max(0, (now.getTime() - memory.confirmedAt.getTime()) / DAY_MS);
  return 1 + MOST_FOR_AGE * (0.5 ** (days / halfLife) - 0.5);
}

/**
 * What is said of a memory after its use: within 0.1% by its utility, `(helped + 1) / (helped + harmed + 2)`, and from ten
 * verdicts on within 10% by as much as the prevailing ones surely prevail. Who is asked, and who answers, is no fair sample.
 */
export function utilityFactor({ helped, harmed }: VerdictCounts = { helped: 0, harmed: 0 }): number {
  const count = helped + harmed;
  const few = MOST_FOR_FEW_VERDICTS * ((2 * (helped + 1)) / (count + 2) - 1);
  if (count < ENOUGH_VERDICTS) return 1 + few;
  const surplus = Math.max(0, 2 * wilsonLow(Math.max(helped, harmed), count) - 1);
  return 1 + few + Math.sign(helped - harmed) * (MOST_FOR_UTILITY - MOST_FOR_FEW_VERDICTS) * surplus;
}

/** Lower bound of Wilson's score interval (1927) for a share of `hits` in `of`, which is not 0; 1 minus that of the rest is the upper one. */
export function wilsonLow(hits: number, of: number): number {
  const share = hits / of;
  const spread = WILSON_Z * Math.sqrt((share * (1 - share)) / of + WILSON_Z ** 2 / (4 * of ** 2));
  return (share + WILSON_Z ** 2 / (2 * of) - spread) / (1 + WILSON_Z ** 2 / of);
}
