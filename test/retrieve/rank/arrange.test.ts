import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import type { SearchHit } from "../../../src/core/query.ts";
import { collapseDuplicates } from "../../../src/retrieve/rank/collapse-duplicates.ts";
import { orderSuccessors } from "../../../src/retrieve/rank/order-successors.ts";
import { reserveSymbols } from "../../../src/retrieve/rank/reserve-symbols.ts";
import { aChunk, aMemory, chunkHit, factHit } from "../../support/records.ts";

const titles = (hits: readonly SearchHit[]): string[] =>
  hits.map((hit) => (hit.unit === "fact" ? hit.memory.title : hit.chunk.path));

describe("reserveSymbols", () => {
  it("lifts what carries a rare symbol into the first three places", () => {
    expect(reserveSymbols([1, 2, 3, 4, 5, 6], (unit) => unit === 6)).toEqual([1, 2, 6, 3, 4, 5]);
  });

  it("moves nothing that stands there already", () => {
    expect(reserveSymbols([1, 2, 3, 4], (unit) => unit === 2)).toEqual([1, 2, 3, 4]);
  });

  it("keeps every unit once, and three reserved ones at the top", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40)), fc.array(fc.nat(40)), (units, rare) => {
        const isReserved = (unit: number) => rare.includes(unit);
        const placed = reserveSymbols(units, isReserved);
        expect([...placed].sort()).toEqual([...units].sort());
        const expected = Math.min(3, units.filter(isReserved).length);
        expect(placed.slice(0, 3).filter(isReserved).length).toBeGreaterThanOrEqual(expected);
      }),
    );
  });
});

describe("orderSuccessors", () => {
  const newest = aMemory(1, { title: "newest" });
  const middle = aMemory(2, { title: "middle", status: "superseded", supersededBy: newest.id });
  const oldest = aMemory(3, { title: "oldest", status: "superseded", supersededBy: middle.id });

  it("lifts a whole chain so that the newest stands first, with the score of the place", () => {
    const hits = [
      factHit(oldest, 0.9),
      factHit(aMemory(4, { title: "other" }), 0.8),
      factHit(middle, 0.3),
      factHit(newest, 0.2),
    ];
    const ordered = orderSuccessors(hits);
    expect(titles(ordered)).toEqual(["newest", "middle", "oldest", "other"]);
    expect(ordered.map(({ score }) => score)).toEqual([0.9, 0.9, 0.9, 0.8]);
  });

  it("leaves a superseded memory alone whose successor was not found", () => {
    expect(titles(orderSuccessors([factHit(middle), factHit(aMemory(9, { title: "x" }))]))).toEqual(["middle", "x"]);
  });

  it("ends where a broken store has a loop", () => {
    const loop: MemoryRecord = { ...newest, supersededBy: oldest.id };
    expect(orderSuccessors([factHit(oldest), factHit(middle), factHit(loop)])).toHaveLength(3);
  });
});

describe("collapseDuplicates", () => {
  const claim = "The refund job must run after the ledger close, otherwise the totals are booked twice";

  it("shows one of two notes that say the same", () => {
    const twin = aMemory(2, { content: `${claim}.` });
    expect(collapseDuplicates([factHit(aMemory(1, { content: claim })), factHit(twin)])).toHaveLength(1);
  });

  it.each([
    ["a negation", claim.replace("must run", "must not run")],
    ["an order", claim.replace("after", "before")],
    ["a name", claim.replace("ledger", "Postgres")],
  ])("keeps two notes apart that differ by %s", (_, other) => {
    expect(
      collapseDuplicates([factHit(aMemory(1, { content: claim })), factHit(aMemory(2, { content: other }))]),
    ).toHaveLength(2);
  });

  it("keeps a superseded note beside its successor, however alike they read", () => {
    const next = aMemory(1, { content: claim });
    const past = aMemory(2, { content: claim, supersededBy: next.id });
    expect(collapseDuplicates([factHit(next), factHit(past)])).toHaveLength(2);
  });

  it("shows a piece of text once that stands in two files", () => {
    const copies = [chunkHit(aChunk(1)), chunkHit(aChunk(1, { path: "CLAUDE.md" })), chunkHit(aChunk(2))];
    expect(titles(collapseDuplicates(copies))).toEqual(["AGENTS.md", "AGENTS.md"]);
  });
});
