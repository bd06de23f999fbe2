import { describe, expect, it } from "vitest";
import { modalityViolations } from "../../src/text/modality.ts";

const merge = (target: string, merged: string, others: readonly string[] = []): string[] =>
  modalityViolations({ target, merged, others });

describe("modalityViolations", () => {
  it.each([
    ["a hedge", "The job usually takes an hour.", "The job takes an hour.", "loses hedge"],
    ["a prohibition", "Never restart the broker.", "Restart the broker.", "loses prohibition"],
    ["a negation", "The export has no header.", "The export has a header.", "loses negation"],
    ["a condition", "Flush if the queue is full.", "Flush the queue.", "loses condition"],
    ["an exception", "Cache all but tides, unless stale.", "Cache all but tides.", "loses exception"],
    ["a version", "From 4.2 on the offset is sent.", "The offset is sent.", "loses version 4.2"],
  ])("notices that %s is lost", (_, ...[target, merged, violation]) => {
    expect(merge(target, merged)).toContain(violation);
  });

  it("notices a claim that became stronger than any source", () => {
    expect(merge("Gauges answer slowly.", "Gauges always answer slowly.")).toEqual(["adds always"]);
  });

  it("accepts what one of the sources says", () => {
    expect(merge("Gauges answer slowly.", "Gauges must be polled slowly.", ["Gauges must be polled slowly"])).toEqual(
      [],
    );
  });

  it("accepts a merge that keeps everything", () => {
    expect(merge("Usually skip it when the board is red.", "Skip it, usually, whenever the board is red.")).toEqual([]);
  });
});
