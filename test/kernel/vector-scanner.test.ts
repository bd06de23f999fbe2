import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openKernel } from "../../src/kernel/kernel.ts";
import { quantise } from "../../src/kernel/quantise.ts";
import { VectorScanner } from "../../src/kernel/vector-scanner.ts";
import { seededRandom } from "../support/seeded-random.ts";

interface Packed {
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

function randomVector(random: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function pack(vectors: readonly Float32Array[], dimensions: number): Packed {
  const codes = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  for (const [index, vector] of vectors.entries()) {
    const { code, scale } = quantise(vector);
    codes.set(code, index * dimensions);
    scales[index] = scale;
  }
  return { codes, scales };
}

/** Cosine of the query with the stored code of vector `index`, in double precision. */
function storedScore({ codes, scales }: Packed, query: Float32Array, index: number): number {
  let sum = 0;
  for (const [at, value] of query.entries()) sum += value * (codes[index * query.length + at] ?? 0);
  return sum * (scales[index] ?? 0);
}

function bestByReference(packed: Packed, query: Float32Array, mask: Uint8Array): { index: number; score: number }[] {
  return [...mask.keys()]
    .filter((index) => mask[index] !== 0)
    .map((index) => ({ index, score: storedScore(packed, query, index) }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

describe("VectorScanner", () => {
  it("finds what a plain search over the same codes finds, for any size, mask and limit", () => {
    const cases = fc.record({
      seed: fc.integer(),
      dimensions: fc.constantFrom(1, 7, 16, 100, 384),
      size: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1000, max: 2100 })),
      limit: fc.integer({ min: 1, max: 30 }),
      share: fc.constantFrom(0, 0.1, 0.9, 1),
    });
    fc.assert(
      fc.property(cases, ({ seed, dimensions, size, limit, share }) => {
        const random = seededRandom(seed);
        const packed = pack(
          Array.from({ length: size }, () => randomVector(random, dimensions)),
          dimensions,
        );
        const mask = Uint8Array.from({ length: size }, () => (random() < share ? 1 : 0));
        const query = randomVector(random, dimensions);
        const scanner = new VectorScanner(dimensions);
        scanner.append(packed.codes, packed.scales);
        const { indices, scores } = scanner.scan({ query, limit, mask });
        const expected = bestByReference(packed, query, mask).slice(0, limit);
        expect(indices.length).toBe(expected.length);
        for (const [rank, index] of indices.entries()) {
          expect(mask[index]).toBe(1);
          expect(scores[rank]).toBeCloseTo(storedScore(packed, query, index), 4);
          expect(scores[rank]).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 4);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is exact where float32 would round: the largest codes in all dimensions", () => {
    const { exports, memory } = openKernel(65_536 * 2);
    for (const stride of [16, 384, 4096]) {
      const largest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * stride)));
      const query = new Int16Array(memory.buffer, exports.QUERY.value, stride);
      const codes = new Int8Array(memory.buffer, exports.BLOCKS.value, stride);
      query.fill(largest);
      codes.fill(-127);
      expect(exports.dot(exports.BLOCKS.value, stride)).toBe(-127 * largest * stride);
      query[stride - 1] = largest - 1;
      expect(exports.dot(exports.BLOCKS.value, stride)).toBe(-127 * (largest * stride - 1));
    }
  });

  it("puts the earlier of two equal vectors first, across blocks too", () => {
    const random = seededRandom(3);
    const twin = randomVector(random, 32);
    const vectors = Array.from({ length: 1500 }, () => randomVector(random, 32));
    for (const index of [9, 10, 1023, 1024, 1499]) vectors[index] = twin;
    const packed = pack(vectors, 32);
    const scanner = new VectorScanner(32);
    scanner.append(packed.codes, packed.scales);
    expect([...scanner.scan({ query: twin, limit: 5 }).indices]).toEqual([9, 10, 1023, 1024, 1499]);
    expect([...scanner.scan({ query: twin, limit: 2 }).indices]).toEqual([9, 10]);
  });

  it("finds the same whether vectors came one by one or all at once", () => {
    const random = seededRandom(4);
    const packed = pack(
      Array.from({ length: 1100 }, () => randomVector(random, 24)),
      24,
    );
    const [whole, pieces] = [new VectorScanner(24), new VectorScanner(24)];
    whole.append(packed.codes, packed.scales);
    for (let index = 0; index < 1100; index++) {
      const code = packed.codes.subarray(index * 24, (index + 1) * 24);
      expect(pieces.append(code, packed.scales.subarray(index, index + 1))).toBe(index);
    }
    const query = randomVector(random, 24);
    expect(pieces.size).toBe(1100);
    expect(pieces.scan({ query, limit: 20 })).toEqual(whole.scan({ query, limit: 20 }));
    expect(pieces.scanSigns({ query, limit: 20 })).toEqual(whole.scanSigns({ query, limit: 20 }));
  });

  it("forgets the mask of the scan before", () => {
    const random = seededRandom(5);
    const packed = pack(
      Array.from({ length: 10 }, () => randomVector(random, 16)),
      16,
    );
    const scanner = new VectorScanner(16);
    scanner.append(packed.codes, packed.scales);
    const query = randomVector(random, 16);
    expect(scanner.scan({ query, limit: 10, mask: new Uint8Array(10) }).indices.length).toBe(0);
    expect(scanner.scan({ query, limit: 10 }).indices.length).toBe(10);
  });

  it("loses little to the codes: the true nearest stay among the first", () => {
    const random = seededRandom(6);
    const vectors = Array.from({ length: 3000 }, () => randomVector(random, 384));
    const packed = pack(vectors, 384);
    const scanner = new VectorScanner(384);
    scanner.append(packed.codes, packed.scales);
    let kept = 0;
    for (let round = 0; round < 20; round++) {
      const query = randomVector(random, 384);
      const exact = vectors
        .map((vector, index) => ({
          index,
          score: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 10);
      const found = new Set(scanner.scan({ query, limit: 10 }).indices);
      kept += exact.filter(({ index }) => found.has(index)).length;
    }
    expect(kept / 200).toBeGreaterThan(0.97);
  });

  it("finds nearly all of the same by sign codes, with the same scores and the mask obeyed", () => {
    const random = seededRandom(8);
    const centres = Array.from({ length: 40 }, () => randomVector(random, 384));
    const near = () => {
      const centre = centres[Math.floor(random() * centres.length)] ?? new Float32Array(384);
      return randomVector(random, 384).map((value, index) => value * 0.7 + (centre[index] ?? 0) * 0.7);
    };
    const packed = pack(Array.from({ length: 20_000 }, near), 384);
    const scanner = new VectorScanner(384);
    scanner.append(packed.codes, packed.scales);
    const mask = Uint8Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? 0 : 1));
    let kept = 0;
    for (let round = 0; round < 20; round++) {
      const request = { query: near(), limit: 10, mask };
      const exact = scanner.scan(request);
      const quick = scanner.scanSigns(request);
      const scores = new Map([...exact.indices].map((index, rank) => [index, exact.scores[rank]]));
      for (const [rank, index] of quick.indices.entries()) {
        expect(mask[index]).toBe(1);
        if (!scores.has(index)) continue;
        kept++;
        expect(quick.scores[rank]).toBe(scores.get(index));
      }
    }
    expect(kept / 200).toBeGreaterThan(0.95);
  });

  it("measures Hamming distances exactly", () => {
    const random = seededRandom(9);
    const stride = 48;
    const { exports, memory } = openKernel(65_536 * 4);
    const block = exports.BLOCKS.value;
    const codes = new Int8Array(memory.buffer, block + 1024 + 4096, 5 * stride);
    const query = new Int16Array(memory.buffer, exports.QUERY.value, stride);
    for (const target of [codes, query]) for (const at of target.keys()) target[at] = Math.floor(random() * 200) - 100;
    new Uint8Array(memory.buffer, block, 5).fill(1);
    exports.packSigns(block, 0, 5, stride);
    exports.beginSigns(stride);
    exports.measureBlock(block, 5, stride);
    const distances = new Uint16Array(memory.buffer, block + 1024 * (5 + stride + stride / 8), 5);
    const expected = [0, 1, 2, 3, 4].map(
      (vector) => [...query].filter((value, at) => value < 0 !== (codes[vector * stride + at] ?? 0) < 0).length,
    );
    expect([...distances]).toEqual(expected);
    expect(exports.distanceWithin(5, stride)).toBe(Math.max(...expected));
    expect(exports.distanceWithin(1, stride)).toBe(Math.min(...expected));
  });

  it("gives a vector back as its code tells it, in any block and at any width", () => {
    const random = seededRandom(4);
    const scanner = new VectorScanner(20);
    const vectors = Array.from({ length: 1_100 }, () => randomVector(random, 20));
    const { codes, scales } = pack(vectors, 20);
    scanner.append(codes, scales);
    for (const index of [0, 1, 1_023, 1_024, 1_099]) {
      const told = [...codes.subarray(index * 20, (index + 1) * 20)].map((code) =>
        Math.fround(code * (scales[index] ?? 0)),
      );
      expect([...scanner.vectorAt(index)]).toEqual(told);
    }
  });

  it("refuses what does not fit", () => {
    const scanner = new VectorScanner(16);
    expect(() => scanner.append(new Int8Array(17), new Float32Array(1))).toThrow("17 codes");
    expect(() => scanner.scan({ query: new Float32Array(15), limit: 1 })).toThrow("query of 15");
    expect(() => scanner.scan({ query: new Float32Array(16), limit: 1, mask: new Uint8Array(1) })).toThrow("mask of 1");
    expect(() => new VectorScanner(0)).toThrow("0 dimensions");
    expect(() => new VectorScanner(5000)).toThrow("5000 dimensions");
  });
});
