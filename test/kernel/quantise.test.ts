import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantise } from "../../src/kernel/quantise.ts";

describe("quantise", () => {
  it("keeps every value to within half a step", () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 64 });
    const vectors = values.map((integers) => Float32Array.from(integers, (value) => value / 700));
    fc.assert(
      fc.property(vectors, (vector) => {
        const { code, scale } = quantise(vector);
        for (const [index, value] of vector.entries()) {
          expect(Math.abs((code[index] ?? 0) * scale - value)).toBeLessThanOrEqual(scale * 0.501);
        }
      }),
    );
  });

  it("uses the whole range, for the largest value", () => {
    expect([...quantise(Float32Array.of(0.5, -1, 0.25)).code]).toEqual([64, -127, 32]);
  });

  it("gives zeros for a vector of zeros", () => {
    expect(quantise(new Float32Array(3))).toEqual({ code: new Int8Array(3), scale: 0 });
  });
});
