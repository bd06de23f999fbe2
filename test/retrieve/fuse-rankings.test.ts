import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARMS, type Arm, type Ranking } from "../../src/core/query.ts";
import { type FusionKind, fuseRankings, sureness, type WeightedRanking } from "../../src/retrieve/fuse-rankings.ts";

function ranking(arm: Arm, scores: Readonly<Record<number, number>>): Ranking {
  const units = Object.entries(scores).map(([key, score]) => ({ key: Number(key), score }));
  return { arm, units: units.sort((a, b) => b.score - a.score) };
}

const anyRanking = (arm: Arm): fc.Arbitrary<WeightedRanking> =>
  fc.record({
    ranking: fc
      .uniqueArray(fc.record({ key: fc.nat(30), score: fc.double({ min: -5, max: 40, noNaN: true }) }), {
        selector: ({ key }) => key,
        maxLength: 60,
      })
      .map((units) => ({ arm, units: units.sort((a, b) => b.score - a.score) })),
    weight: fc.double({ min: 0.01, max: 3, noNaN: true }),
  });
const anyRankings = fc.tuple(...ARMS.map(anyRanking));
const anyKind = fc.constantFrom<FusionKind>("min-max", "rrf");

describe("fuseRankings", () => {
  it("puts the unit first that every searcher puts first, with score 1", () => {
    const rankings = [
      { ranking: ranking("body", { 1: 0.9, 2: 0.5 }), weight: 1 },
      { ranking: ranking("fulltext", { 1: 12, 3: 4 }), weight: 0.5 },
    ];
    for (const kind of ["min-max", "rrf"] as const) {
      expect(fuseRankings(kind, rankings)[0]).toEqual({ key: 1, score: 1 });
    }
  });

  it("scales by scores, so that a wide lead counts more than a narrow one", () => {
    const wide = ranking("body", { 1: 1, 2: 0.1, 9: 0 });
    const narrow = ranking("fulltext", { 2: 10, 1: 9.9, 9: 0 });
    const fused = fuseRankings("min-max", [
      { ranking: wide, weight: 1 },
      { ranking: narrow, weight: 1 },
    ]);
    expect(fused.map(({ key }) => key)).toEqual([1, 2, 9]);
  });

  it("counts one hit, or equal hits, fully", () => {
    const fused = fuseRankings("min-max", [{ ranking: ranking("symbol", { 4: 2, 5: 2 }), weight: 1 }]);
    expect(fused).toEqual([
      { key: 4, score: 1 },
      { key: 5, score: 1 },
    ]);
  });

  it("keeps units with equal scores in the order in which they were seen", () => {
    const rankings = [
      { ranking: ranking("body", { 7: 1 }), weight: 1 },
      { ranking: ranking("fulltext", { 3: 1 }), weight: 1 },
    ];
    expect(fuseRankings("rrf", rankings).map(({ key }) => key)).toEqual([7, 3]);
  });

  it("leaves the weight of an empty ranking to the others", () => {
    const words = { ranking: ranking("fulltext", { 1: 3, 2: 1 }), weight: 1 };
    const silent = { ranking: ranking("body", {}), weight: 0 };
    expect(fuseRankings("min-max", [words, silent])).toEqual(fuseRankings("min-max", [words]));
  });

  it("holds each unit once, best first, with scores from 0 to 1", () => {
    fc.assert(
      fc.property(anyKind, anyRankings, (kind, rankings) => {
        const fused = fuseRankings(kind, rankings);
        expect(new Set(fused.map(({ key }) => key)).size).toBe(fused.length);
        for (const [at, { score }] of fused.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-9);
          expect(score).toBeLessThanOrEqual(fused[at - 1]?.score ?? 2);
        }
      }),
    );
  });

  it("gives the same order for weights of the same proportions", () => {
    fc.assert(
      fc.property(anyKind, anyRankings, (kind, rankings) => {
        const doubled = rankings.map(({ ranking, weight }) => ({ ranking, weight: weight * 2 }));
        expect(fuseRankings(kind, doubled)).toEqual(fuseRankings(kind, rankings));
      }),
    );
  });

  it("never lowers a unit that one searcher moves up", () => {
    fc.assert(
      fc.property(anyRankings, fc.nat(30), (rankings, key) => {
        const place = (list: readonly WeightedRanking[]) => {
          const at = fuseRankings("rrf", list).findIndex((unit) => unit.key === key);
          return at === -1 ? Number.POSITIVE_INFINITY : at;
        };
        const lifted = rankings.map(({ ranking, weight }, at) => {
          if (at > 0) return { ranking, weight };
          const others = ranking.units.filter((unit) => unit.key !== key);
          return { ranking: { ...ranking, units: [{ key, score: 99 }, ...others] }, weight };
        });
        expect(place(lifted)).toBeLessThanOrEqual(place(rankings));
      }),
    );
  });
});

describe("sureness", () => {
  const tied = ranking("body", Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at + 1, 0.5])));

  it("gives no say to a searcher that cannot tell its first ten hits apart", () => {
    expect(sureness(tied, 0.2)).toBe(0);
    expect(sureness(ranking("body", {}), 0.2)).toBe(0);
  });

  it("gives a say of one for the typical lead, more for a wider one, and never more than 2.5", () => {
    const led = (best: number) => ({ ...tied, units: [{ key: 99, score: best }, ...tied.units] });
    expect(sureness(led(0.625), 0.2)).toBeCloseTo(1);
    expect(sureness(led(0.7), 0.2)).toBeGreaterThan(1);
    expect(sureness(led(50), 0.2)).toBe(2.5);
  });

  it("counts fewer than ten hits as a lead over nothing", () => {
    expect(sureness(ranking("fulltext", { 1: 3, 2: 2.9 }), 0.4)).toBe(2.5);
  });
});
