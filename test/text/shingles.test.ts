import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText, containment, jaccard, wordShingles } from "../../src/text/shingles.ts";

describe("canonicalText", () => {
  it("folds case, quotes, dashes, sentence punctuation and white space", () => {
    expect(canonicalText("“Run”  the TESTS — first!")).toBe(canonicalText("run the tests - first"));
  });

  it.each([
    ["not", "do not deploy", "do deploy"],
    ["an operator", "x < 5", "x > 5"],
    ["a negation sign", "a != b", "a = b"],
    ["a version", "v3.1", "v31"],
    ["a sign", "offset -5", "offset 5"],
  ])("keeps two texts apart that differ in %s", (_, a, b) => {
    expect(canonicalText(a)).not.toBe(canonicalText(b));
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        expect(canonicalText(canonicalText(text))).toBe(canonicalText(text));
      }),
    );
  });
});

describe("wordShingles", () => {
  it("makes one shingle of a text shorter than three words", () => {
    expect([...wordShingles("use pnpm")]).toEqual(["use pnpm"]);
  });

  it("treats characters of unspaced scripts as words", () => {
    expect(jaccard(wordShingles("潮位計算方法"), wordShingles("潮位計算方式"))).toBeGreaterThan(0.5);
  });

  it("measures how much of a part stands in a whole", () => {
    const whole = wordShingles("always run the tests of the importer before a commit");
    expect(containment(wordShingles("run the tests of the importer"), whole)).toBe(1);
    expect(jaccard(wordShingles(""), wordShingles(""))).toBe(0);
  });
});
