import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectId } from "../../../src/core/ids.ts";
import { adjustChunk, adjustMemory } from "../../../src/retrieve/rank/adjust-scores.ts";
import { aChunk, aMemory, daysAgo, NOW, PROJECT } from "../../support/records.ts";

const sibling = projectId("git:example.com/acme/ledger");
const stranger = projectId("git:example.com/other/tool");
const context = { projects: [PROJECT, sibling, stranger], now: NOW };

describe("adjustMemory", () => {
  it("prefers the current project to the user's own notes, and those to linked projects", () => {
    const inScope = (scope: Parameters<typeof aMemory>[1] & {}) => adjustMemory(aMemory(1, scope), context).factor;
    const current = inScope({});
    const user = inScope({ scope: { kind: "user" } });
    const sameOwner = inScope({ scope: { kind: "project", project: sibling } });
    const linked = inScope({ scope: { kind: "project", project: stranger } });
    expect([current, user, sameOwner, linked]).toEqual([current, user, sameOwner, linked].sort((a, b) => b - a));
    expect(new Set([current, user, sameOwner, linked]).size).toBe(4);
  });

  it("lets a lesson age from its last confirmation, not from its making", () => {
    const old = aMemory(1, { createdAt: daysAgo(900), confirmedAt: daysAgo(360) });
    const renewed = aMemory(1, { createdAt: daysAgo(900), confirmedAt: daysAgo(0) });
    expect(adjustMemory(old, context).parts.age).toBeCloseTo(1 + 0.2 * (0.25 - 0.5));
    expect(adjustMemory(renewed, context).parts.age).toBeCloseTo(1.1);
  });

  it("never ages preferences and prohibitions", () => {
    const age = (fields: Parameters<typeof aMemory>[1]) =>
      adjustMemory(aMemory(1, { confirmedAt: daysAgo(2_000), ...fields }), context).parts.age;
    expect(age({ type: "preference" })).toBeCloseTo(1.1);
    expect(age({ polarity: "avoid" })).toBeCloseTo(1.1);
  });

  it("takes the half-lives of the domain's profile, and its own for types that the profile leaves out", () => {
    const halfLifeDays = { context: 10, lesson: null };
    const age = (fields: Parameters<typeof aMemory>[1]) =>
      adjustMemory(aMemory(1, { confirmedAt: daysAgo(20), ...fields }), { ...context, halfLifeDays }).parts.age;
    expect(age({ type: "context" })).toBeCloseTo(1 + 0.2 * (0.25 - 0.5));
    expect(age({ type: "lesson" })).toBeCloseTo(1.1);
    expect(age({ type: "pointer" })).toBeCloseTo(1 + 0.2 * (0.5 ** (20 / 365) - 0.5));
  });

  it("lowers what is unconfirmed or disputed, and raises what is pinned or was seen again", () => {
    const plain = adjustMemory(aMemory(1), context).factor;
    expect(adjustMemory(aMemory(1, { status: "provisional" }), context).factor).toBeLessThan(plain);
    expect(adjustMemory(aMemory(1, { status: "disputed" }), context).factor).toBeLessThan(plain * 0.7);
    expect(adjustMemory(aMemory(1, { pinned: true }), context).factor).toBeGreaterThan(plain);
    expect(adjustMemory(aMemory(1, { seen: 9 }), context).parts.evidence).toBeLessThanOrEqual(1.05);
  });

  it("lets fewer than ten verdicts decide between equals only, and none nothing", () => {
    const utility = (helped: number, harmed: number) =>
      adjustMemory(aMemory(1, { verdicts: { helped, harmed } }), context).parts.utility;
    expect(adjustMemory(aMemory(1), context).parts).not.toHaveProperty("utility");
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), (helped, harmed) => {
        fc.pre(helped + harmed < 10);
        expect(Math.abs((utility(helped, harmed) ?? 1) - 1)).toBeLessThan(0.001);
      }),
    );
    expect(utility(9, 0)).toBeCloseTo(1 + 0.001 * (2 * (10 / 11) - 1), 9);
    expect(utility(1, 0)).toBeGreaterThan(1);
    expect(utility(0, 1)).toBeLessThan(1);
  });

  it("weighs ten and more within a tenth, by how surely they prevail", () => {
    const utility = (helped: number, harmed: number) =>
      adjustMemory(aMemory(1, { verdicts: { helped, harmed } }), context).parts.utility ?? 1;
    expect(utility(10, 0)).toBeCloseTo(1.045, 3);
    expect(utility(0, 10)).toBeCloseTo(0.955, 3);
    expect(utility(100, 0)).toBeGreaterThan(utility(20, 0));
    expect(utility(8, 2)).toBeLessThan(1.001);
    expect(utility(500, 500)).toBe(1);
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (helped, harmed) => {
        fc.pre(helped + harmed >= 10);
        const factor = utility(helped, harmed);
        expect(Math.abs(factor - 1)).toBeLessThanOrEqual(0.1);
        expect(Math.sign(factor - 1)).toBe(Math.sign(helped - harmed));
        expect(factor - 1).toBeCloseTo(1 - utility(harmed, helped), 9);
        expect(utility(helped + 1, harmed)).toBeGreaterThanOrEqual(factor);
      }),
    );
  });

  it("stays within its bounds however much speaks for or against a memory", () => {
    const best = aMemory(1, { pinned: true, seen: 1_000, type: "preference" });
    const worst = aMemory(1, {
      status: "disputed",
      scope: { kind: "project", project: stranger },
      confirmedAt: daysAgo(9_000),
    });
    expect(adjustMemory(best, context).factor).toBe(1.35);
    expect(adjustMemory(worst, context).factor).toBe(0.6);
  });
});

describe("adjustChunk", () => {
  it("takes a file of the user's home for the user's own", () => {
    expect(adjustChunk(aChunk(1, { path: "~/.claude/CLAUDE.md" }), context)).toEqual({ factor: 1, parts: {} });
    expect(adjustChunk(aChunk(1), context).factor).toBe(1.15);
  });
});
