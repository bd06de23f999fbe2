import { describe, expect, it } from "vitest";
import { swapsWords } from "../../../src/text/conflicts/word-swaps.ts";

describe("swapsWords", () => {
  it.each([
    ["an exchanged word", "The cache is cleared on a swap", "The cache is kept on a swap"],
    ["exchanged places", "Sorted by status, then by time", "Sorted by time, then by status"],
    ["a part of a name", "Reports query the replica db-r2", "Reports query the replica db-r1"],
    ["a letter that is a name", "Barcodes of labs begin with Q", "Barcodes of labs begin with K"],
  ])("sees %s", (_, a, b) => {
    expect(swapsWords(a, b)).toBe(true);
    expect(swapsWords(b, a)).toBe(true);
  });

  it.each([
    ["the same words", "The cache is cleared on a swap.", "the cache is cleared on swaps"],
    ["more words", "Use pnpm in this repository", "Always use pnpm in this repository"],
    ["another wording", "Refunds run after the ledger has closed", "Wait for the close before any money goes back"],
  ])("lets %s pass", (_, a, b) => {
    expect(swapsWords(a, b)).toBe(false);
  });
});
