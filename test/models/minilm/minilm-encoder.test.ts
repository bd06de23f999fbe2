import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MiniLmEncoder } from "../../../src/models/minilm/minilm-encoder.ts";
import { readReference } from "./reference.ts";

/** SHA-256 of our vectors of all reference texts, one behind the other: WASM floats are the same everywhere. */
const VECTORS_SHA256 = "17efe1b710b0f81652504334a1d5cad5efe328c6cbf41abb9b64d332fb2b426c";
/** Texts that are no sentences: quantisation shows most where the model has least to hold on to. */
const ODD = new Set(["empty", "punctuation", "symbols", "control", "long word", "identifiers"]);
/** Scripts of which the vocabulary holds little more than single letters. */
const FOREIGN = new Set(["thai", "korean", "arabic", "hebrew", "hindi", "chinese", "japanese", "past the limit"]);

let encoder: MiniLmEncoder;
beforeAll(() => {
  encoder = new MiniLmEncoder();
});
afterAll(() => encoder.close());

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? Number.NaN), 0);
}

describe("MiniLmEncoder", () => {
  it("agrees with the fp32 reference: cosine of .999 on the mean of all texts and on every ordinary one", () => {
    const cosines = readReference().map(({ kind, text, vector }) => ({
      kind,
      text,
      cosine: cosine(encoder.embedStart(text), vector),
    }));
    const mean = cosines.reduce((sum, entry) => sum + entry.cosine, 0) / cosines.length;
    expect(mean).toBeGreaterThan(0.999);
    const ordinary = cosines.filter(({ kind }) => !ODD.has(kind) && !FOREIGN.has(kind));
    expect(ordinary.length).toBeGreaterThan(30);
    expect(ordinary.filter((entry) => entry.cosine < 0.999)).toEqual([]);
    expect(cosines.filter((entry) => entry.cosine < 0.996)).toEqual([]);
  });

  it("gives the same bits on every machine and in every run", () => {
    const hash = createHash("sha256");
    for (const { text } of readReference()) hash.update(new Uint8Array(encoder.embedStart(text).buffer));
    expect(hash.digest("hex")).toBe(VECTORS_SHA256);
  });

  it("leaves no trace of one text in the vector of the next", () => {
    const [short, long] = ["refund job", "ledger and refunds ".repeat(90)];
    const before = encoder.embedStart(short);
    encoder.embedStart(long);
    expect(encoder.embedStart(short)).toEqual(before);
  });

  it("reads a text beyond the limit in windows, a shorter one whole", () => {
    const end = "The password rotation happens on the first Monday of March.";
    const long = `${"Unrelated notes about gardening and soup. ".repeat(60)}${end}`;
    const question = encoder.embedStart("when are passwords rotated");
    expect(encoder.tokenize(long, 10_000).length).toBeGreaterThan(400);
    expect(cosine(encoder.embedWhole(long), question)).toBeGreaterThan(
      cosine(encoder.embedStart(long), question) + 0.05,
    );
    expect(encoder.embedWhole(end)).toEqual(encoder.embedStart(end));
  });

  it("gives unit length at every number of tokens around the limit", () => {
    for (const words of [252, 253, 254, 255, 256, 257, 318, 319, 2000]) {
      const vector = encoder.embedWhole("word ".repeat(words));
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });
});
