import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asksForOne, type Nearness, standing } from "../../../src/retrieve/silence/stand-out.ts";

const units = (...likeness: readonly number[]): Nearness[] => likeness.map((one) => ({ likeness: one, coverage: 0 }));

describe("standing", () => {
  it("is high where one unit is ahead of the rest, and low where ten are equally near, however near they are", () => {
    expect(standing(units(0.5, 0.2, 0.2, 0.2))).toBeGreaterThan(0.3);
    expect(standing(units(...new Array(10).fill(0.5)))).toBeLessThan(0.15);
  });

  it("counts the words that a unit shares with the query beside its meaning", () => {
    const alike = units(0.4, 0.4, 0.4);
    expect(standing([{ likeness: 0.4, coverage: 0.8 }, ...alike])).toBeGreaterThan(
      standing(units(0.4, ...[0.4, 0.4, 0.4])),
    );
  });

  it("lets a few near notes of one subject answer: where there are no rivals, nearness is enough", () => {
    expect(standing(units(0.4))).toBeGreaterThan(0.4);
    expect(standing([])).toBe(0);
  });

  it("needs no order, and never falls when the best comes nearer", () => {
    const nearness = fc.record({
      likeness: fc.double({ min: -1, max: 1, noNaN: true }),
      coverage: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(nearness, { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, more) => {
          expect(standing([...all].reverse())).toBeCloseTo(standing(all), 9);
          const [best, ...rest] = [...all].sort(
            (a, b) => b.likeness + 0.5 * b.coverage - (a.likeness + 0.5 * a.coverage),
          );
          if (best === undefined) return;
          expect(standing([{ ...best, likeness: best.likeness + more }, ...rest])).toBeGreaterThanOrEqual(
            standing(all) - 1e-9,
          );
        },
      ),
    );
  });
});

describe("asksForOne", () => {
  it.each([
    "Which printer do we use",
    "the port of the gateway?",
    "Wie heißt der Dienst",
    "¿Qué puerto usa?",
    "使う鍵はどれ？",
  ])("hears one thing asked for in %s", (text) => {
    expect(asksForOne(text)).toBe(true);
  });

  it.each([
    "a nightly total is doubled",
    "island resize script",
    "How do the services differ?",
    "What are the rules for commits?",
    "describe the whole architecture",
  ])("hears no such thing in %s", (text) => {
    expect(asksForOne(text)).toBe(false);
  });
});
