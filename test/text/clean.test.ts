import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanLine, cleanText, escapeForBlock } from "../../src/text/clean.ts";
import { anyText } from "../support/any-text.ts";

describe("cleanText", () => {
  it.each([
    ["terminal sequences", "\u001b[31mred\u001b[0m", "red"],
    ["terminal titles", "\u001b]0;title\u0007text", "text"],
    ["control characters", "a\u0000b\u0008c", "abc"],
    ["zero-width characters", "pass\u200bword", "password"],
    ["bidi overrides", "a\u202eb\u202c", "ab"],
    ["tag characters", "ok\u{e0041}\u{e0042}", "ok"],
    ["carriage returns", "a\r\nb\rc", "a\nb\nc"],
  ])("removes %s", (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it("composes characters and marks lone surrogates", () => {
    expect(cleanText("e\u0301 \ud800!")).toBe("\u00e9 \ufffd!");
  });

  it("keeps tabs, line ends and emoji", () => {
    expect(cleanText("a\tb\n🌊")).toBe("a\tb\n🌊");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(anyText(200), (text) => {
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
    );
  });
});

describe("cleanLine", () => {
  it("gives one line, cut at a word", () => {
    expect(cleanLine("Refund job must run\nafter the ledger closes", 30)).toBe("Refund job must run after the…");
  });

  it("is never longer than asked for, and never splits a pair", () => {
    fc.assert(
      fc.property(anyText(80), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const line = cleanLine(text, most);
        expect(line.length).toBeLessThanOrEqual(most);
        expect(/\p{Cs}|\n/u.test(line)).toBe(false);
      }),
    );
  });
});

describe("escapeForBlock", () => {
  it("leaves nothing in a text that opens or closes a tag", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("<", ">", "/", " ", "arcticmem-memories", "b", "!", "-")), (parts) => {
        expect(escapeForBlock(parts.join(""))).not.toMatch(/<\s*[/!?]|<[A-Za-z]|arcticmem-memories/);
      }),
    );
  });

  it("keeps comparisons and arrows readable", () => {
    expect(escapeForBlock("a < b, x -> y, n >= 2, Map<K, V>")).toBe("a < b, x -> y, n >= 2, Map‹K, V›");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(escapeForBlock(escapeForBlock(text))).toBe(escapeForBlock(text));
      }),
    );
  });
});
