import { expect, it } from "vitest";
import { dot } from "../../../src/core/vectors/dot.ts";

it("is the cosine of unit vectors, and nothing where one is missing or of another model", () => {
  expect(dot(Float32Array.of(0.5, 0.5), Float32Array.of(1, 0.5))).toBe(0.75);
  expect(dot(Float32Array.of(1), undefined)).toBe(0);
  expect(dot(Float32Array.of(1), Float32Array.of(1, 0))).toBe(0);
});
