/**
 * What becomes of memories that were there: those that a session makes untrue have to go, all others to stay. The two
 * errors stand first and side by side, because each is easily bought with the other.
 */
import type { Expectation, GoldenCase } from "../datasets/golden.ts";
import { type Rate, rateOf } from "../score/wilson.ts";
import { holdsAll, isWanted } from "./match-facts.ts";
import type { CaseRun, SeedRun } from "./run/run-case.ts";
import { nameOfOrder, type SequenceRun } from "./run/run-sequence.ts";
import type { Serving } from "./run/served.ts";

export type Became = "superseded" | "updated" | "unchanged" | "disputed" | "lost";

/** Where a change got lost: its fact was not extracted, nobody proposed the change, or a guard refused it. */
export type LostAt = "extraction" | "decision" | "guard";

export interface LifecycleScore {
  readonly cases: number;
  /** Memories that had to stay and were changed, superseded or lost. */
  readonly harmful: Rate;
  /** Memories that had to be superseded or updated and still stand as they were. */
  readonly omission: Rate;
  /** Of the omissions, those that are marked as in conflict with something. */
  readonly flagged: Rate;
  /** F15: of the changes to be made, those whose fact was extracted; of these, those that were made. */
  readonly extractedChanges: Rate;
  readonly updatesGivenFact: Rate;
  readonly lostAt: Readonly<Record<LostAt, number>>;
  /** F16: values that no longer hold and are still served, of golden cases and of sequences in every order. */
  readonly staleServed: Rate;
  /** Of those, the ones that come with a mark that something contradicts them. */
  readonly staleMarked: Rate;
  readonly staleInCases: Rate;
  readonly staleInOrders: Rate;
  /** Orders of sequences in which the value that holds is served. */
  readonly currentServed: Rate;
  readonly orders: number;
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
  /** Of an omission. */
  readonly lostAt?: LostAt;
}

/** An order of a sequence after which something is served that no longer holds, or what holds is not. */
export interface OrderFinding {
  readonly name: string;
  readonly repeat: number;
  readonly stale: readonly string[];
  readonly isCurrentServed: boolean;
}

const BECAME: readonly Became[] = ["superseded", "updated", "unchanged", "disputed", "lost"];

interface Judged extends SeedFinding {
  readonly isConflicting: boolean;
  /** Whether the fact that brings the change was extracted; undefined where none is named. */
  readonly isFactThere: boolean | undefined;
  readonly served: Serving;
  /** Undefined where nothing is asked about it. */
  readonly isSeenAgain: boolean | undefined;
}

export function hasLifecycle({ expected }: GoldenCase): boolean {
  return expected.lifecycle !== undefined;
}

export function judgeSeeds(run: CaseRun): Judged[] {
  const { golden, seeds, repeat } = run;
  return (golden.expected.lifecycle?.expect ?? []).map((expectation) => {
    const seed = seeds.get(expectation.seed);
    const after = seed?.after;
    const became = becameOf(seed, expectation);
    const isOmission = expectation.becomes !== "unchanged" && became === "unchanged";
    return {
      name: golden.name,
      repeat,
      seed: expectation.seed,
      expected: expectation.becomes,
      became,
      ...(isOmission ? { lostAt: lostAt(run, expectation) } : {}),
      isConflicting: (after?.conflictsWith.length ?? 0) > 0,
      isFactThere: expectation.by === undefined ? undefined : bringers(run, expectation).length > 0,
      served: seed?.served ?? "not",
      isSeenAgain: expectation.seenAgain === undefined ? undefined : (after?.seen ?? 0) > (seed?.before.seen ?? 0),
    };
  });
}

/** Ids of the memories that say what changes a seed. */
function bringers({ golden, facts }: CaseRun, { by }: Expectation): string[] {
  const { mustHave, mayHave } = golden.expected;
  const wanted = [...mustHave, ...mayHave].find(({ id }) => id === by);
  return wanted === undefined ? [] : facts.filter((fact) => isWanted(fact, wanted)).map(({ id }) => id);
}

function lostAt(run: CaseRun, expectation: Expectation): LostAt {
  const ids = bringers(run, expectation);
  if (ids.length === 0) return "extraction";
  const trails = run.reports.flatMap(({ decisions }) => decisions.filter(({ memory }) => ids.includes(memory ?? "")));
  return trails.some(({ proposed }) => /^(?:UPDATE|DELETE)/.test(proposed)) ? "guard" : "decision";
}

function becameOf(seed: SeedRun | undefined, { words }: Expectation): Became {
  const after = seed?.after;
  if (seed === undefined || after === undefined || after.status === "forgotten" || after.status === "archived")
    return "lost";
  if (after.status === "superseded") return after.supersededBy === null ? "lost" : "superseded";
  if (after.status === "disputed") return "disputed";
  if (after.version === seed.before.version) return "unchanged";
  return holdsAll(`${after.title}\n${after.content}\n${after.howToApply}`, words ?? []) ? "updated" : "lost";
}

export function scoreLifecycle(runs: readonly CaseRun[], sequences: readonly SequenceRun[]): LifecycleScore {
  const seeds = runs.flatMap(judgeSeeds);
  const toStay = seeds.filter(({ expected }) => expected === "unchanged");
  const toChange = seeds.filter(({ expected }) => expected !== "unchanged");
  const omitted = toChange.filter(({ became }) => became === "unchanged");
  const harmed = toStay.filter(({ became }) => became !== "unchanged" && became !== "disputed");
  const lost = toChange.filter(({ became }) => became === "lost");
  const again = seeds.filter(({ isSeenAgain }) => isSeenAgain !== undefined);
  return {
    cases: new Set(runs.map(({ golden }) => golden.name)).size,
    harmful: rateOf(harmed.length + lost.length, toStay.length + lost.length),
    omission: rateOf(omitted.length, toChange.length),
    flagged: rateOf(omitted.filter(({ isConflicting }) => isConflicting).length, omitted.length),
    ...operations(toChange),
    ...staleness(seeds, sequences),
    seenAgain: rateOf(again.filter(({ isSeenAgain }) => isSeenAgain).length, again.length),
    confusion: confusionOf(seeds),
  };
}

function operations(
  toChange: readonly Judged[],
): Pick<LifecycleScore, "extractedChanges" | "updatesGivenFact" | "lostAt"> {
  const told = toChange.filter(({ isFactThere }) => isFactThere !== undefined);
  const extracted = told.filter(({ isFactThere, became, expected }) => isFactThere || became === expected);
  const count = (stage: LostAt): number => toChange.filter((one) => one.lostAt === stage).length;
  return {
    extractedChanges: rateOf(extracted.length, told.length),
    updatesGivenFact: rateOf(extracted.filter(({ became, expected }) => became === expected).length, extracted.length),
    lostAt: { extraction: count("extraction"), decision: count("decision"), guard: count("guard") },
  };
}

type Staleness = "staleServed" | "staleMarked" | "staleInCases" | "staleInOrders" | "currentServed" | "orders";

function staleness(seeds: readonly Judged[], sequences: readonly SequenceRun[]): Pick<LifecycleScore, Staleness> {
  const inCases = seeds.filter(({ expected }) => expected === "superseded").map(({ served }) => served);
  const inOrders = sequences.flatMap(({ served }) => served.slice(0, -1));
  const all = [...inCases, ...inOrders];
  const stale = (list: readonly Serving[]): number => list.filter((serving) => serving !== "not").length;
  const current = sequences.filter(({ served }) => served.at(-1) !== "not");
  return {
    staleServed: rateOf(stale(all), all.length),
    staleMarked: rateOf(all.filter((serving) => serving === "marked").length, stale(all)),
    staleInCases: rateOf(stale(inCases), inCases.length),
    staleInOrders: rateOf(stale(inOrders), inOrders.length),
    currentServed: rateOf(current.length, sequences.length),
    orders: new Set(sequences.map(({ sequence, order }) => nameOfOrder(sequence, order))).size,
  };
}

/** Nothing where all went well. */
export function judgeOrder({ sequence, order, repeat, served }: SequenceRun): OrderFinding[] {
  const stale = sequence.values.slice(0, -1).flatMap(({ value }, at) => (served[at] === "not" ? [] : [value]));
  const isCurrentServed = served.at(-1) !== "not";
  if (stale.length === 0 && isCurrentServed) return [];
  return [{ name: nameOfOrder(sequence, order), repeat, stale, isCurrentServed }];
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
