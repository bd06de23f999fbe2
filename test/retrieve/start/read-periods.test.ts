import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fallsInto, mentionsRelease, readPeriods } from "../../../src/retrieve/start/read-periods.ts";

/** A Wednesday. */
const AT = new Date("2026-03-18T15:00:00Z");
const read = (text: string, lastRelease?: Date) =>
  readPeriods(text, { at: AT, lastRelease }).map(({ from, to }) => [day(from), day(to)]);
const day = (at: Date): string => at.toISOString().slice(0, 10);

describe("readPeriods", () => {
  it.each([
    ["what broke today", "2026-03-18", "2026-03-19"],
    ["Continue what we did yesterday", "2026-03-17", "2026-03-18"],
    ["as of the day before yesterday", "2026-03-16", "2026-03-17"],
    ["fails since yesterday", "2026-03-17", "2026-03-18"],
    ["two weeks ago it worked", "2026-03-01", "2026-03-08"],
    ["in the last 3 days", "2026-03-15", "2026-03-19"],
    ["refactor of last week", "2026-03-09", "2026-03-16"],
    ["this month's ledger", "2026-03-01", "2026-04-01"],
    ["last quarter", "2025-10-01", "2026-01-01"],
    ["the outage on Monday", "2026-03-16", "2026-03-17"],
    ["last Wednesday's deploy", "2026-03-11", "2026-03-12"],
    ["migrated in November", "2025-11-01", "2025-12-01"],
    ["migrated in May 2024", "2024-05-01", "2024-06-01"],
    ["the change of 2026-02-03", "2026-02-03", "2026-02-04"],
  ])("reads %s", (text, from, to) => {
    expect(read(text)).toEqual([[from, to]]);
  });

  it("lets since reach until the text was written", () => {
    const [period] = readPeriods("totals are doubled since March", { at: AT });
    expect(period?.from).toEqual(new Date("2026-03-01T00:00:00Z"));
    expect(fallsInto(new Date("2026-03-18T14:00:00Z"), period === undefined ? [] : [period])).toBe(true);
    const [early] = readPeriods("broken since 2026-01-05", { at: AT });
    expect(early).toEqual({ from: new Date("2026-01-05T00:00:00Z"), to: AT });
  });

  it("dates the last release where it is known, and says nothing of it where it is not", () => {
    const text = "slow since the last release";
    expect(mentionsRelease(text)).toBe(true);
    expect(read(text)).toEqual([]);
    expect(read(text, new Date("2026-02-20T09:00:00Z"))).toEqual([["2026-02-20", "2026-03-18"]]);
  });

  it.each(["may fail", "mark the invoice", "release notes", "refund 12 days", "sundry items", "2026-99-99"])(
    "takes %s for no date",
    (text) => {
      expect(read(text)).toEqual([]);
      expect(mentionsRelease(text)).toBe(false);
    },
  );

  it("takes any text", () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(read(text))));
  });
});
