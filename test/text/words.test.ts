import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexTokens, isSingleCharacter, queryTerms } from "../../src/text/words.ts";
import { anyText } from "../support/any-text.ts";

describe("indexTokens", () => {
  it.each([
    ["getUserName", "get user name getusernam"],
    ["user_service-factory", "user servic factory userservicefactory"],
    ["HTTPServer", "http serv httpserv"],
    ["src/store/driver.ts", "src stor driv ts"],
    ["C'est l'été", "cest lete"],
    ["Straße", "straße"],
    ["北京大学", "北京 京大 大学 学"],
    ["用Rust写", "用 rust 写"],
    ["v2.3.1", "v2 3 1"],
    ["", ""],
    ["… — !?", ""],
  ])("turns %s into %s", (text, words) => {
    expect(indexTokens(text)).toBe(words);
  });

  it.each([
    ["migrate", "migrating", "migration", "migrations", "migrated"],
    ["policy", "policies"],
    ["deploy", "deploys", "deployed", "deploying", "deployment"],
    ["stop", "stopped", "stopping"],
    ["class", "classes"],
    ["cache", "caches", "cached", "caching"],
  ])("gives the forms of %s one word", (...forms) => {
    expect(new Set(forms.map((form) => indexTokens(form))).size).toBe(1);
  });

  it.each([
    ["status", "stat"],
    ["bus", "bu"],
    ["thing", "th"],
  ])("does not turn %s into %s", (word, wrong) => {
    expect(indexTokens(word)).not.toBe(wrong);
  });

  it("reads plain and other text alike: a foreign letter elsewhere changes no word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), (text) => {
        expect(indexTokens(`${text} é`)).toBe(`${indexTokens(text)} e`.trim());
      }),
    );
  });
});

describe("queryTerms", () => {
  it("leaves out words that every text shares, unless the question has no others", () => {
    expect(queryTerms("How do I deploy the API?", { dropFunctionWords: true })).toEqual(["deploy", "api"]);
    expect(queryTerms("what is it", { dropFunctionWords: true })).toEqual(["what", "is", "it"]);
  });

  it("names each word once", () => {
    expect(queryTerms("deploy Deploy deploying")).toEqual(["deploy"]);
  });

  it("finds in any text every word that the question takes from it", () => {
    fc.assert(
      fc.property(anyText(60), (text) => {
        const held = new Set(indexTokens(text).split(" "));
        for (const word of queryTerms(text)) {
          const found =
            held.has(word) || (isSingleCharacter(word) && [...held].some((other) => other.startsWith(word)));
          expect(found, word).toBe(true);
        }
      }),
    );
  });

  it("leaves a word alone that is a word of the index already", () => {
    fc.assert(
      fc.property(anyText(60), (text) => {
        for (const word of queryTerms(text)) expect(queryTerms(word)).toEqual([word]);
      }),
    );
  });
});
