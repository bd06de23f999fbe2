import { expect, it } from "vitest";
import { dayOf, daysBetween, startOfDay } from "../../../src/core/time/days.ts";

it("counts days of UTC, whole ones, none backwards", () => {
  const evening = new Date("2026-03-02T23:30:00Z");
  expect(dayOf(evening)).toBe("2026-03-02");
  expect(startOfDay(evening)).toEqual(new Date("2026-03-02T00:00:00Z"));
  expect(startOfDay(startOfDay(evening))).toEqual(startOfDay(evening));
  expect(daysBetween(evening, new Date("2026-03-03T23:29:00Z"))).toBe(0);
  expect(daysBetween(evening, new Date("2026-03-04T23:30:00Z"))).toBe(2);
  expect(daysBetween(evening, new Date("2026-01-01T00:00:00Z"))).toBe(0);
});
