import { describe, expect, it } from "vitest";
import { claimSets, sameClaimSets } from "../../src/text/claims.ts";

describe("sameClaimSets", () => {
  it.each([
    ["a negation", "Migrations run before the deploy.", "Migrations do not run before the deploy."],
    ["a number", "Retry after 30 seconds.", "Retry after 60 seconds."],
    ["a number word", "Retry three times.", "Retry four times."],
    ["a version", "The endpoint needs v3.", "The endpoint needs v4."],
    ["a tool", "The project uses npm.", "The project uses pnpm."],
    ["which of two is meant", "Use pnpm, not npm.", "Use npm, not pnpm."],
    ["the order", "Run lint before build.", "Run build before lint."],
    ["what replaces what", "Use tabs instead of spaces.", "Use spaces instead of tabs."],
    ["an identifier", "Call closeLedger first.", "Call openLedger first."],
    ["an opposite", "The cache is enabled.", "The cache is disabled."],
    ["a prohibition", "Never push to main.", "Push to main."],
    ["a name", "Ask Maria about it.", "Ask Peter about it."],
  ])("sees a difference in %s", (_, a, b) => {
    expect(sameClaimSets(a, b)).toBe(false);
  });

  it.each([
    ["wording", "Use pnpm for installs.", "For installs, use pnpm."],
    ["contractions", "Don't use npm.", "Do not use npm."],
    ["letter case", "The importer keys readings by minute.", "the importer keys readings by minute"],
  ])("sees none where only %s differs", (_, a, b) => {
    expect(sameClaimSets(a, b)).toBe(true);
  });
});

describe("claimSets", () => {
  it("collects prohibitions", () => {
    const sets = claimSets("Usually skip it, but never on Fridays unless the board is red.");
    expect(sets.prohibitions).toEqual(["never"]);
  });
});
