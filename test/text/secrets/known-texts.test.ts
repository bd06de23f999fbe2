import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKnownTexts, SHORTEST_KNOWN } from "../../../src/text/secrets/known-texts.ts";

function replace(known: readonly string[], text: string): string {
  const texts = createKnownTexts();
  for (const [at, one] of known.entries()) texts.add(one, `<${at}>`);
  return texts.replaceIn(text);
}

/** The same without any cleverness: the first place, of several there the longest. */
function replacePlainly(known: readonly string[], text: string): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const found = known.filter((one) => text.startsWith(one, at)).sort((a, b) => b.length - a.length)[0];
    result += found === undefined ? text[at] : `<${known.indexOf(found)}>`;
    at += found?.length ?? 1;
  }
  return result;
}

describe("createKnownTexts", () => {
  it("replaces every known text, at the ends too, of two at one place the longer", () => {
    expect(replace(["kelp-4711"], "kelp-4711 is kelp-4711")).toBe("<0> is <0>");
    expect(replace(["kelp-4711", "kelp-4711-Harbour"], "a kelp-4711-Harbour, a kelp-4711")).toBe("a <1>, a <0>");
  });

  it("leaves a text alone that holds none, is shorter than any, or where none is known", () => {
    for (const text of ["", "kelp", "kelp-471 and kelp_4711"]) expect(replace(["kelp-4711"], text)).toBe(text);
    expect(replace([], "kelp-4711")).toBe("kelp-4711");
  });

  it("does what looking at every place for every text does", () => {
    const unit = fc.constantFrom("a", "b", "\ud83e", "\u00e9");
    const word = fc.string({ unit, minLength: SHORTEST_KNOWN, maxLength: 12 });
    const text = fc.array(fc.oneof(word, fc.string({ unit, maxLength: 5 })), { maxLength: 12 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 8 }), text, fc.nat(), (known, parts, pick) => {
        const whole = [...parts, known[pick % Math.max(1, known.length)] ?? "", ...parts].join("");
        expect(replace(known, whole)).toBe(replacePlainly(known, whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no longer for ten thousand known texts than for ten", () => {
    const known = (count: number) => {
      const texts = createKnownTexts();
      for (let at = 0; at < count; at += 1) texts.add(`secret-number-${at * 7_919}-x`, "x");
      return texts;
    };
    const text = "a line of a log with nothing in it, number 12345\n".repeat(4_000);
    const cpuOf = (count: number) => {
      const texts = known(count);
      const runs = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        texts.replaceIn(text);
        return process.cpuUsage(before).user;
      });
      return Math.min(...runs);
    };
    cpuOf(10);
    expect(cpuOf(10_000) / Math.max(cpuOf(10), 300)).toBeLessThan(20);
  });
});
