/**
 * What becomes of memories that were there: those that a session makes untrue have to go, all others to stay. The two
 * errors stand first and side by side, because each is easily bought with the other.
 */
import type { Expectation, GoldenCase } from "../datasets/golden.ts";
import { type Rate, rateOf } from "../score/wilson.ts";
import { holdsAll } from "./match-facts.ts";
import type { CaseRun } from "./run-case.ts";

export type Became = "superseded" | "updated" | "unchanged" | "disputed" | "lost";

export interface LifecycleScore {
  readonly cases: number;
  /** Memories that had to stay and were changed, superseded or lost. */
  readonly harmful: Rate;
  /** Memories that had to be superseded or updated and still stand as they were. */
  readonly omission: Rate;
  /** Of the omissions, those that are marked as in conflict with something. */
  readonly flagged: Rate;
  /** Memories that are no longer true and are still served as true by a search for them. */
  readonly staleServed: Rate;
  /** Restated memories that count as seen again. */
  readonly seenAgain: Rate;
  /** Expected, then what became of it. */
  readonly confusion: Readonly<Record<string, Readonly<Record<Became, number>>>>;
}

export interface SeedFinding {
  readonly name: string;
  readonly repeat: number;
  readonly seed: string;
  readonly expected: Expectation["becomes"];
  readonly became: Became;
}

const BECAME: readonly Became[] = ["superseded", "updated", "unchanged", "disputed", "lost"];

interface Judged extends SeedFinding {
  readonly isConflicting: boolean;
  readonly isServed: boolean;
  /** Undefined where nothing is asked about it. */
  readonly isSeenAgain: boolean | undefined;
}

export function hasLifecycle({ expected }: GoldenCase): boolean {
  return expected.lifecycle !== undefined;
}

export function judgeSeeds({ golden, seeds, served, repeat }: CaseRun): Judged[] {
  return (golden.expected.lifecycle?.expect ?? []).map((expectation) => {
    const seed = seeds.get(expectation.seed);
    const after = seed?.after;
    return {
      name: golden.name,
      repeat,
      seed: expectation.seed,
      expected: expectation.becomes,
      became: becameOf(seed, expectation),
      isConflicting: (after?.conflictsWith.length ?? 0) > 0,
      isServed: served.has(expectation.seed),
      isSeenAgain: expectation.seenAgain === undefined ? undefined : (after?.seen ?? 0) > (seed?.before.seen ?? 0),
    };
  });
}

function becameOf(seed: ReturnType<CaseRun["seeds"]["get"]>, { words }: Expectation): Became {
  const after = seed?.after;
  if (seed === undefined || after === undefined || after.status === "forgotten" || after.status === "archived")
    return "lost";
  if (after.status === "superseded") return after.supersededBy === null ? "lost" : "superseded";
  if (after.status === "disputed") return "disputed";
  if (after.version === seed.before.version) return "unchanged";
  return holdsAll(`${after.title}\n${after.content}\n${after.howToApply}`, words ?? []) ? "updated" : "lost";
}

export function scoreLifecycle(runs: readonly CaseRun[]): LifecycleScore {
  const seeds = runs.flatMap(judgeSeeds);
  const toStay = seeds.filter(({ expected }) => expected === "unchanged");
  const toChange = seeds.filter(({ expected }) => expected !== "unchanged");
  const omitted = toChange.filter(({ became }) => became === "unchanged");
  const harmed = toStay.filter(({ became }) => became !== "unchanged" && became !== "disputed");
  const lost = toChange.filter(({ became }) => became === "lost");
  const untrue = seeds.filter(({ expected }) => expected === "superseded");
  const again = seeds.filter(({ isSeenAgain }) => isSeenAgain !== undefined);
  return {
    cases: new Set(runs.map(({ golden }) => golden.name)).size,
    harmful: rateOf(harmed.length + lost.length, toStay.length + lost.length),
    omission: rateOf(omitted.length, toChange.length),
    flagged: rateOf(omitted.filter(({ isConflicting }) => isConflicting).length, omitted.length),
    staleServed: rateOf(untrue.filter(({ isServed }) => isServed).length, untrue.length),
    seenAgain: rateOf(again.filter(({ isSeenAgain }) => isSeenAgain).length, again.length),
    confusion: confusionOf(seeds),
  };
}

function confusionOf(seeds: readonly SeedFinding[]): LifecycleScore["confusion"] {
  const count = (expected: string, became: Became): number =>
    seeds.filter((seed) => seed.expected === expected && seed.became === became).length;
  const row = (expected: string): Record<Became, number> => ({
    superseded: count(expected, "superseded"),
    updated: count(expected, "updated"),
    unchanged: count(expected, "unchanged"),
    disputed: count(expected, "disputed"),
    lost: count(expected, "lost"),
  });
  return { superseded: row("superseded"), updated: row("updated"), unchanged: row("unchanged") };
}

export function becameNames(): readonly Became[] {
  return BECAME;
}
