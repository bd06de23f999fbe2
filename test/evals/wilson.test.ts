import { describe, expect, it } from "vitest";
import { rateOf, showRate } from "../../evals/score/wilson.ts";

describe("a rate", () => {
  it("carries Wilson's interval", () => {
    const { rate, low, high } = rateOf(8, 10);
    expect(rate).toBe(0.8);
    expect(low).toBeCloseTo(0.4902, 3);
    expect(high).toBeCloseTo(0.9433, 3);
  });

  it("says of none in few cases that it may be many", () => {
    expect(rateOf(0, 5)).toMatchObject({ rate: 0, low: 0 });
    expect(rateOf(0, 5).high).toBeGreaterThan(0.4);
  });

  it("says nothing where there was nothing to count", () => {
    expect(showRate(rateOf(0, 0))).toBe("– (0 cases)");
    expect(showRate(rateOf(3, 4))).toBe("75% (30–95%, 3 of 4)");
  });
});
