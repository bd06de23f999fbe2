import { describe, expect, it } from "vitest";
import { isForeign, sharedBeginning } from "../../../src/retrieve/query/foreign-text.ts";
import { queryTerms } from "../../../src/retrieve/query/query-terms.ts";

describe("isForeign", () => {
  it.each([
    "Wann werden Rechnungen bezahlt",
    "quel est le port du serveur",
    "cómo se llama la tabla",
    "какой порт у сервера",
    "什么时候付款",
    "サーバーのポート",
  ])("hears another language in %s", (text) => {
    expect(isForeign(text)).toBe(true);
  });

  it.each(["When are invoices paid?", "the die is cast for the par value", "refund job", "E4312", ""])(
    "hears English, or none, in %s",
    (text) => {
      expect(isForeign(text)).toBe(false);
    },
  );
});

describe("sharedBeginning", () => {
  it("leaves of a long word what its other forms begin with", () => {
    expect(sharedBeginning("rechnungen")).toBe("rechnun");
    expect(sharedBeginning("оплата")).toBe("опла");
    expect(sharedBeginning("zahlt")).toBeUndefined();
    expect(sharedBeginning("ora1234567")).toBeUndefined();
  });
});

describe("queryTerms", () => {
  it("asks for all words that begin like a long one, in another language only", () => {
    expect(queryTerms("Wann werden Rechnungen bezahlt").words.fact).toContainEqual({ text: "rechnun", prefix: true });
    expect(queryTerms("When are invoices paid").words.fact.some(({ prefix }) => prefix)).toBe(false);
  });
});
