import { describe, expect, it } from "vitest";
import { interleaveArms, numberCandidates, slotRanking } from "../../../src/ingest/lifecycle/choose-candidates.ts";
import { incoming } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo } from "../../support/records.ts";

const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => aMemory(from + at));
const numbersOf = (memories: readonly { readonly title: string }[]) =>
  memories.map(({ title }) => Number(title.replace(/\D/g, "")));

describe("interleaveArms", () => {
  it("takes each arm's first before any arm's second, so that no arm is outvoted", () => {
    const chosen = interleaveArms({ slot: many(1, 1), body: many(10, 5), trigger: many(20, 5), fulltext: many(30, 1) });
    expect(numbersOf(chosen)).toEqual([1, 10, 20, 30, 11, 21]);
  });

  it("counts a memory that several arms find once, and leaves out what is put away", () => {
    const gone = aMemory(3, { status: "superseded" });
    expect(numbersOf(interleaveArms({ body: many(1, 2), symbol: [aMemory(1), gone] }))).toEqual([1, 2]);
  });
});

describe("numberCandidates", () => {
  const perFact = [0, 1, 2, 3, 4, 5].map((fact) => ({ incoming: incoming("A"), memories: many(fact * 10, 6) }));

  it("shows thirty at most, the best of each fact among them", () => {
    const numbered = numberCandidates(perFact, "run-1");
    expect([...numbered.keys()]).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    const shown = numbersOf([...numbered.values()]);
    for (const { memories } of perFact) expect(shown).toContain(numbersOf(memories)[0]);
  });

  it("shuffles by the run's id: the same run gives the same order, another run another", () => {
    const order = (seed: string) => numbersOf([...numberCandidates(perFact, seed).values()]);
    expect(order("run-1")).toEqual(order("run-1"));
    expect(order("run-1")).not.toEqual(order("run-2"));
    expect(order("run-1")).not.toEqual([...order("run-1")].sort((a, b) => a - b));
  });
});

describe("slotRanking", () => {
  it("finds the memory that fills the same slot, though no word of the value is shared", () => {
    const yarn = aMemory(1, { title: "Use yarn in this repository", eventAt: daysAgo(9) });
    const fact = incoming("A", { title: "The package manager is pnpm", content: "pnpm is the package manager now." });
    expect(slotRanking(fact, [yarn, aMemory(2)])).toEqual([yarn]);
  });
});
