import { describe, expect, it } from "vitest";
import { queryTerms } from "../../../src/retrieve/query/query-terms.ts";
import { remainder, wordSet } from "../../../src/retrieve/silence/remainder.ts";

function left(question: string, ...notes: readonly string[]): string[] {
  const telling = new Set(queryTerms(question).words.fact.map(({ text }) => text));
  return remainder(question, telling, notes.map(wordSet));
}

describe("remainder", () => {
  it("keeps what the note does not share, as it stands", () => {
    expect(left("Which supplier leases the vans to us?", "Electric vans are planned at 60 %")).toEqual([
      "supplier",
      "leases",
    ]);
  });

  it("sees through endings and case, and needs all notes to lack a word", () => {
    expect(left("How are Parcels weighed?", "A parcel is weighed at the dock")).toEqual([]);
    expect(left("weight of the parcel", "Parcels travel by van", "The weight is printed")).toEqual([]);
  });

  it("leaves out words that every text shares, and those that ask when", () => {
    expect(left("What is the current latest printer?", "Vans")).toEqual(["printer"]);
  });

  it("is empty for a question in nothing but function words, and bears any text", () => {
    expect(left("what is it?", "what is it")).toEqual([]);
    expect(left("\ud800 \u0000 ???", "note")).toEqual([]);
  });
});
