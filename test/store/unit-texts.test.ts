import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkTexts, factTexts } from "../../src/store/unit-texts.ts";
import { aMemory } from "../support/records.ts";

const windows = (text: string, headings: readonly string[] = []) =>
  chunkTexts({ headings, text }, []).map((one) => one.text);

describe("chunkTexts", () => {
  it("gives a short piece one text, under its titles", () => {
    expect(windows("Use pnpm.", ["Guide", "Tools"])).toEqual(["Guide › Tools\nUse pnpm."]);
  });

  it("lets what stands around it shade a short piece, not a long one", () => {
    const around = ["before", "after"];
    const shades = chunkTexts({ headings: [], text: "yes, do it" }, around)[0]?.around;
    expect(shades?.map(({ text }) => text)).toEqual(around);
    expect(chunkTexts({ headings: [], text: "alone ".repeat(100) }, around)[0]?.around).toBeUndefined();
    expect(chunkTexts({ headings: [], text: "yes, do it" }, [])[0]?.around).toBeUndefined();
  });

  it("gives a long piece overlapping windows, each under the titles, cut between words", () => {
    const text = Array.from({ length: 700 }, (_, at) => `word${at}`).join(" ");
    const found = windows(text, ["Log"]);
    expect(found.length).toBeGreaterThan(3);
    for (const window of found) expect(window).toMatch(/^Log\n/);
    expect(found[0]).toMatch(/word\d+$/);
    expect(text).toContain(found[1]?.slice(4) ?? "none");
    const end = found[0]?.slice(-100) ?? "none";
    expect(found[1]).toContain(end);
  });

  it("covers every character up to the most windows, and never splits one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 5_000 }), (text) => {
        const found = windows(text);
        expect(found.length).toBeLessThanOrEqual(8);
        let from = 0;
        for (const window of found) {
          const at = text.indexOf(window, Math.max(0, from - 1_300));
          expect(at).toBeLessThanOrEqual(from);
          from = Math.max(from, at + window.length);
        }
        expect(from).toBe(text.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe("factTexts", () => {
  const triggers = (whenToUse: readonly string[]) =>
    factTexts(
      aMemory(1, { title: "Refunds follow ledger close", content: "Run the refund job after it.", whenToUse }),
      "",
    ).filter(({ slot }) => slot === "trigger");

  it("gives the situations of a fact one text, shaded by each of them, together as much as by one", () => {
    const [one, ...others] = triggers(["refund job retries", "a ledger stays open"]);
    expect(others).toEqual([]);
    expect(one?.text).toBe(
      "Refunds follow ledger close. refund job retries. a ledger stays open. Run the refund job after it.",
    );
    expect(one?.around?.map(({ text }) => text)).toEqual(["refund job retries", "a ledger stays open"]);
    const total = (phrases: readonly string[]) =>
      (triggers(phrases)[0]?.around ?? []).reduce((sum, { weight }) => sum + weight, 0);
    expect(total(["one", "two", "three"])).toBeCloseTo(total(["one"]));
  });

  it("lets a fact without situations be known by its title as well", () => {
    expect(triggers([]).map(({ text, around }) => [text, around])).toEqual([
      ["Refunds follow ledger close", undefined],
      ["Refunds follow ledger close. Run the refund job after it.", undefined],
    ]);
  });
});
