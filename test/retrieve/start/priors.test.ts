import { describe, expect, it } from "vitest";
import { priorsOf } from "../../../src/retrieve/start/priors.ts";
import { aMemory, daysAgo, NOW } from "../../support/records.ts";

const userScope = { scope: { kind: "user" } } as const;
const reasons = (...memories: Parameters<typeof priorsOf>[0]) =>
  priorsOf(memories, NOW).map(({ memory, reason }) => [memory.title, reason]);
const old = (number: number, fields: Parameters<typeof aMemory>[1] = {}) =>
  aMemory(number, { createdAt: daysAgo(100 + number), ...fields });

describe("priorsOf", () => {
  it("takes what is pinned, stated preferences, context that ends soon, proven lessons, and the two newest of the project", () => {
    const pinned = old(1, { title: "pinned", pinned: true });
    const stated = old(2, { title: "stated", type: "preference", source: "user_stated", ...userScope });
    const ending = old(3, { title: "ending", type: "context", expiresAt: daysAgo(-14) });
    const proven = old(4, { title: "proven", seen: 4 });
    const fresh = [aMemory(5, { title: "fresh" }), aMemory(6, { title: "fresher" })];
    expect(reasons(pinned, stated, ending, proven, ...fresh, old(7))).toEqual([
      ["pinned", "pinned"],
      ["stated", ""],
      ["ending", "ends 2026-03-16"],
      ["fresh", "newest"],
      ["fresher", "newest"],
      ["proven", "proved right 4 times"],
    ]);
  });

  it("leaves out preferences that an agent concluded, context that ends later, lessons seen once, and the user's newest", () => {
    const concluded = old(1, { type: "preference" });
    const later = old(2, { type: "context", expiresAt: daysAgo(-15) });
    const lesson = old(3, { expiresAt: daysAgo(-3) });
    const own = aMemory(4, userScope);
    const fresh = [aMemory(5, { title: "fresh" }), aMemory(6, { title: "fresher" })];
    expect(reasons(concluded, later, lesson, own, ...fresh).map(([title]) => title)).toEqual(["fresh", "fresher"]);
  });

  it("takes lessons that have surely helped, the surest first, and none on the word of a few", () => {
    const judged = (number: number, helped: number, harmed = 0) =>
      old(number, { title: `${helped} of ${helped + harmed}`, verdicts: { helped, harmed }, ...userScope });
    const noLesson = { ...judged(5, 30), type: "context" } as const;
    expect(reasons(judged(1, 9), judged(2, 10), judged(3, 12, 8), judged(4, 20), noLesson)).toEqual([
      ["20 of 20", "helped 20 times"],
      ["10 of 10", "helped 10 times"],
    ]);
    const seen = [old(1, { title: "a", seen: 4 }), old(2, { title: "b", seen: 4, verdicts: { helped: 1, harmed: 0 } })];
    expect(reasons(...seen.map((one) => ({ ...one, ...userScope }))).map(([title]) => title)).toEqual(["b", "a"]);
  });

  it("gives each kind three places at most", () => {
    const pinned = Array.from({ length: 9 }, (_, at) => old(at, { pinned: true, ...userScope }));
    expect(reasons(...pinned)).toHaveLength(3);
  });
});
