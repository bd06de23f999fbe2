import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNameCode, matchesNear, type NearPattern } from "../../../src/text/secrets/matches-near.ts";
import { findTokens } from "../../../src/text/secrets/token-patterns.ts";

const NAMED: NearPattern = {
  hint: /key|token/gi,
  reach: 6,
  between: isNameCode,
  pattern: /(?<!\w)([\w.-]{0,6}?(?:key|token)s?)\s{0,2}[:=]([^\s,]{2,8})/iy,
};

const PIECES = [
  "key",
  "Token",
  "s",
  "=",
  ":",
  " ",
  "\n",
  ",",
  ".",
  "-",
  "_",
  "a",
  "bc",
  "xyz9",
  "é",
  "keykey",
  "my_",
  "key=",
  "key: a1b2",
  "=abc ",
];

describe("matchesNear", () => {
  it("finds what a search at every place finds, in the same order", () => {
    const anywhere = new RegExp(NAMED.pattern.source, "gi");
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));
    let found = 0;
    fc.assert(
      fc.property(text, (value) => {
        const expected = Array.from(value.matchAll(anywhere), (match) => [match.index, ...match]);
        found += expected.length;
        expect(matchesNear(value, NAMED).map((match) => [match.index, ...match])).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(300);
  });
});

describe("tokens in a long text", () => {
  it("are found as in a short one, whatever stands around them", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    for (const filler of ["plain words and numbers 12 ", "Wörter, 語 und ∑ ", "gh hp p_ "]) {
      const around = filler.repeat(4_000);
      const [span] = findTokens(`${around}${token} ${around}`);
      expect(span).toMatchObject({ start: around.length, end: around.length + token.length, kind: "github_token" });
      expect(findTokens(around)).toEqual([]);
    }
  });
});
