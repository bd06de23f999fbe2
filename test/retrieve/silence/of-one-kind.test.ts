import { describe, expect, it } from "vitest";
import { slotOf, standsInSlot } from "../../../src/retrieve/silence/of-one-kind.ts";

describe("slotOf", () => {
  it.each([
    ["Reading limit of the shelf service is 40", "Reading limit of the loan service is 25", "shelf / loan"],
    ["Surcharge for islands is 4.90", "Surcharge for mountain huts is 11", "islands / mountain huts"],
    ["Poll interval of radar gauges is five minutes", "Poll interval of float gauges is ten minutes", "radar / float"],
    ["Anna reviews changes of the billing module", "Bo reviews changes of the search module", "billing / search"],
    [
      "Owner of the module headcast is Maren Dufour",
      "Owner of the module farmhand is Ilja Korsak",
      "headcast / farmhand",
    ],
  ])("finds the place in which %s and %s differ", (title, other, expected) => {
    const slot = slotOf(title, other);
    expect(`${slot?.ours} / ${slot?.theirs}`).toBe(expected);
    expect(slotOf(other, title)).toEqual({ ...slot, ours: slot?.theirs, theirs: slot?.ours });
  });

  it.each([
    ["Tests run on vitest", "Deploys wait for the duty editor"],
    ["The shop uses Postgres for orders and stock", "The shop uses Redis for sessions and rate limits"],
    ["Kiln K4 fires at 980 degrees", "Kiln K7 fires at 1040 degrees"],
    ["Sessions end after 8 minutes", "Sessions end after 20 minutes"],
    ["", "Sessions end"],
  ])("sees no one place in %s and %s", (title, other) => {
    expect(slotOf(title, other)).toBeUndefined();
    expect(slotOf(other, title)).toBeUndefined();
  });
});

describe("standsInSlot", () => {
  const dome = slotOf("The dome at Lowenbruck has 10 seats", "The dome at Tessaly has 7 seats");
  const gauge = slotOf("Poll interval of radar gauges is five minutes", "Poll interval of float gauges is ten minutes");
  if (dome === undefined || gauge === undefined) throw new Error("siblings");

  it("sees a third thing by the words beside it", () => {
    expect(standsInSlot("How many seats does the dome at Saltreach have?", "Saltreach", dome)).toBe(true);
    expect(standsInSlot("How often are ultrasonic gauges polled?", "ultrasonic", gauge)).toBe(true);
  });

  it("does not take any other word for one", () => {
    expect(standsInSlot("How many lamps hang in the dome?", "lamps", dome)).toBe(false);
    expect(standsInSlot("at what price", "price", dome)).toBe(false);
    expect(standsInSlot("How often are gauges cleaned?", "cleaned", gauge)).toBe(false);
    expect(standsInSlot("", "gone", gauge)).toBe(false);
  });
});
