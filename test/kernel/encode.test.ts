/** Each loop of the encoder beside a plain reference in double precision. */
import { beforeEach, describe, expect, it } from "vitest";
import { type KernelExports, type KernelInstance, openKernel } from "../../src/kernel/kernel.ts";
import { seededRandom } from "../support/seeded-random.ts";

const WIDTH = 384;
let kernel: KernelInstance;
let exports: KernelExports;
let random: () => number;

function floats(address: number, length: number): Float32Array {
  return new Float32Array(kernel.memory.buffer, address, length);
}

/** Fills `length` floats at `address` with values of −`size`…`size` and returns a copy. */
function fill(address: number, length: number, size = 1): number[] {
  const values = floats(address, length);
  for (let index = 0; index < length; index++) values[index] = (random() * 2 - 1) * size;
  return [...values];
}

function largestDifference(actual: Iterable<number>, expected: readonly number[]): number {
  let largest = 0;
  let index = 0;
  for (const value of actual) largest = Math.max(largest, Math.abs(value - (expected[index++] ?? Number.NaN)));
  return index === expected.length ? largest : Number.NaN;
}

function layerNorm(values: readonly number[], gain: readonly number[], bias: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value, index) => ((value - mean) / Math.sqrt(variance)) * (gain[index] ?? 0) + (bias[index] ?? 0));
}

/** erf by its Taylor series; good to 1e-12 up to 3, and 1 beyond 6. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function dotProduct(left: readonly number[], right: ArrayLike<number>): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

/** Puts a random int8 matrix where the weights begin, packed as the model file is. @returns It row by row. */
function fillPacked({ inputs, outputs }: { readonly inputs: number; readonly outputs: number }): Int8Array {
  const packed = new Int8Array(kernel.memory.buffer, exports.DENSE.value, inputs * outputs);
  const weights = new Int8Array(inputs * outputs);
  for (const at of weights.keys()) {
    const [output, input] = [Math.floor(at / inputs), at % inputs];
    weights[at] = Math.floor(random() * 255) - 127;
    const panel = Math.floor(output / 8) * 8 * inputs;
    packed[panel + Math.floor(input / 2) * 16 + (output % 8) * 2 + (input % 2)] = weights[at] ?? 0;
  }
  return weights;
}

function softmax(values: readonly number[]): number[] {
  const peak = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - peak));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

beforeEach(() => {
  kernel = openKernel(65_536 * 256);
  exports = kernel.exports;
  random = seededRandom(7);
});

describe("the encoder's kernel", () => {
  it("keeps its buffers inside the memory it asks for, one behind the other", () => {
    const addresses = [exports.DENSE, exports.ROWS, exports.VECTOR, exports.HIDDEN, exports.QKV, exports.MIXED];
    const values = [...addresses, exports.WIDE, exports.ENCODE_BYTES].map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(exports.DENSE.value + exports.DENSE_BYTES.value).toBe(exports.ROWS.value);
  });

  it("normalises the sum of two rows", () => {
    const row = fill(exports.HIDDEN.value, WIDTH, 3);
    const added = fill(exports.MIXED.value, WIDTH, 3);
    const gain = fill(exports.DENSE.value, WIDTH);
    const bias = fill(exports.DENSE.value + WIDTH * 4, WIDTH);
    exports.normaliseRow(exports.HIDDEN.value, exports.MIXED.value, exports.DENSE.value);
    const expected = layerNorm(
      row.map((value, index) => value + (added[index] ?? 0)),
      gain,
      bias,
    );
    expect(largestDifference(floats(exports.HIDDEN.value, WIDTH), expected)).toBeLessThan(2e-6);
  });

  it("turns a word row and its position into a hidden state", () => {
    const gain = fill(exports.DENSE.value, WIDTH);
    const bias = fill(exports.DENSE.value + WIDTH * 4, WIDTH);
    const position = fill(exports.DENSE.value + WIDTH * 8 + 3 * WIDTH * 4, WIDTH);
    const word = exports.ROWS.value + 3 * exports.ROW_BYTES.value;
    floats(word, 1)[0] = 0.01;
    const codes = new Int8Array(kernel.memory.buffer, word + 4, WIDTH).map(() => Math.floor(random() * 255) - 127);
    new Int8Array(kernel.memory.buffer, word + 4, WIDTH).set(codes);
    exports.embedToken(3);
    const expected = layerNorm(
      position.map((value, index) => value + (codes[index] ?? 0) * Math.fround(0.01)),
      gain,
      bias,
    );
    expect(largestDifference(floats(exports.HIDDEN.value + 3 * WIDTH * 4, WIDTH), expected)).toBeLessThan(2e-6);
  });

  it("quantises a row to within half a step and interleaves it with three others", () => {
    const row = fill(exports.HIDDEN.value, WIDTH, 5);
    const scale = exports.quantiseRow(exports.HIDDEN.value, exports.QKV.value + 8, WIDTH, 32_767);
    const codes = new Int16Array(kernel.memory.buffer, exports.QKV.value, WIDTH * 4);
    const restored = row.map((_, index) => (codes[Math.floor(index / 2) * 8 + 4 + (index % 2)] ?? 0) * scale);
    expect(largestDifference(restored, row)).toBeLessThanOrEqual(scale * 0.501);
    expect(Math.max(...codes.map(Math.abs))).toBe(32_767);
  });

  it("quantises a row of zeros to zeros", () => {
    expect(exports.quantiseRow(exports.HIDDEN.value, exports.QKV.value, WIDTH, 32_767)).toBe(0);
  });

  for (const { inputs, outputs } of [
    { inputs: 384, outputs: 24 },
    { inputs: 1536, outputs: 16 },
  ]) {
    it(`multiplies ${inputs} inputs for any number of tokens, with row scales and biases`, () => {
      const matrix = exports.DENSE.value;
      const weights = fillPacked({ inputs, outputs });
      const scales = fill(matrix + inputs * outputs, outputs, 0.01);
      const biases = fill(matrix + inputs * outputs + outputs * 4, outputs);
      for (const tokens of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const values = fill(exports.QKV.value, tokens * inputs, 2);
        exports.multiply(exports.QKV.value, matrix, tokens, inputs, outputs, exports.WIDE.value);
        const expected = Array.from({ length: tokens * outputs }, (_, at) => {
          const token = Math.floor(at / outputs);
          const row = weights.subarray((at % outputs) * inputs, ((at % outputs) + 1) * inputs);
          const sum = dotProduct(values.slice(token * inputs, (token + 1) * inputs), row);
          return sum * (scales[at % outputs] ?? 0) + (biases[at % outputs] ?? 0);
        });
        expect(largestDifference(floats(exports.WIDE.value, tokens * outputs), expected)).toBeLessThan(0.01);
      }
    });

    it(`does not overflow when ${inputs} inputs and weights are all at their largest`, () => {
      const matrix = exports.DENSE.value;
      new Int8Array(kernel.memory.buffer, matrix, inputs * 8).fill(127);
      floats(matrix + inputs * 8, 8).fill(1);
      floats(exports.QKV.value, inputs).fill(1);
      exports.multiply(exports.QKV.value, matrix, 1, inputs, 8, exports.WIDE.value);
      expect(floats(exports.WIDE.value, 1)[0]).toBeCloseTo(inputs * 127, 0);
    });
  }

  it("activates like GELU with erf", () => {
    const inputs = floats(exports.WIDE.value, 1536).map((_, index) => (index - 768) / 96);
    floats(exports.WIDE.value, 1536).set(inputs);
    exports.activate(exports.WIDE.value, 1536 * 4);
    const expected = [...inputs].map((x) => 0.5 * x * (1 + erf(x / Math.SQRT2)));
    expect(largestDifference(floats(exports.WIDE.value, 1536), expected)).toBeLessThan(1.5e-6);
  });

  it("makes weights that add up to one and forget what lies behind the last token", () => {
    for (const tokens of [1, 7, 8, 9, 256]) {
      const values = fill(exports.WIDE.value, 256, 20).slice(0, tokens);
      exports.softmaxRow(exports.WIDE.value, tokens);
      expect(largestDifference(floats(exports.WIDE.value, tokens), softmax(values))).toBeLessThan(1e-6);
    }
  });

  it("attends: every head mixes the values by the softmax of query times key", () => {
    for (const { head, tokens } of [
      { head: 0, tokens: 1 },
      { head: 5, tokens: 6 },
      { head: 11, tokens: 21 },
    ]) {
      const stacked = fill(exports.QKV.value, 260 * 1152);
      exports.attendHead(head, tokens);
      const part = (token: number, which: number) => {
        const start = token * 1152 + which * 384 + head * 32;
        return stacked.slice(start, start + 32);
      };
      for (let token = 0; token < tokens; token++) {
        const query = part(token, 0);
        const scores = Array.from({ length: tokens }, (_, other) =>
          part(other, 1).reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0),
        );
        const weights = softmax(scores);
        const expected = query.map((_, index) =>
          weights.reduce((sum, weight, other) => sum + weight * (part(other, 2)[index] ?? 0), 0),
        );
        const actual = floats(exports.MIXED.value + (token * WIDTH + head * 32) * 4, 32);
        expect(largestDifference(actual, expected)).toBeLessThan(3e-6);
      }
    }
  });

  it("pools to the unit-length mean", () => {
    const states = fill(exports.HIDDEN.value, 5 * WIDTH);
    exports.pool(5);
    const sums = Array.from({ length: WIDTH }, (_, index) =>
      [0, 1, 2, 3, 4].reduce((sum, token) => sum + (states[token * WIDTH + index] ?? 0), 0),
    );
    const length = Math.hypot(...sums);
    expect(
      largestDifference(
        floats(exports.VECTOR.value, WIDTH),
        sums.map((sum) => sum / length),
      ),
    ).toBeLessThan(1e-6);
  });
});
