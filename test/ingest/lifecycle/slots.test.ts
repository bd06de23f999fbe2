import { describe, expect, it } from "vitest";
import { sweepSlots } from "../../../src/ingest/lifecycle/sweep-slots.ts";
import { slotClash, slotsOf } from "../../../src/text/conflicts/slots.ts";
import { aMemory, NOW, PROJECT } from "../../support/records.ts";

const note = (title: string, polarity: "do" | "avoid" | "fact" = "do") => ({ title, content: "", polarity });

describe("slotsOf", () => {
  it.each([
    ["Use pnpm, not npm, in this repository", "package-manager", "", "pnpm"],
    ["This repo uses pnpm workspaces", "package-manager", "", "pnpm"],
    ["Postgres runs on port 5433 locally", "port", "postgres", "5433"],
    ["Redis is mapped to 6380 on the host", "port", "redis", "6380"],
    ["Raise pull requests against develop", "branch", "", "develop"],
    ["Branches are cut from the trunk", "branch-point", "", "trunk"],
    ["Use `make check` to run the tests", "test-command", "", "make check"],
    ["Use Node 20 for builds", "version", "node", "20"],
    ["Tests use Vitest, not Jest", "test-runner", "", "vitest"],
    ["Run the integration tests with `make it`", "test-command", "integration", "make it"],
    ["Default branch is develop", "branch", "default", "develop"],
    ["billing is owned by @payments", "owner", "billing", "@payments"],
    ["Format with Biome instead of Prettier", "formatter", "", "biome"],
    ["Indent with two spaces", "indentation", "", "2 spaces"],
    ["Tests run against SQLite, not Postgres", "database", "tests", "sqlite"],
    ["The app deploys to fly from main", "deploy-target", "", "fly"],
  ])("reads from %j that %s of %j is %j", (...[title, relation, subject, value]) => {
    expect(slotsOf(note(title))).toEqual([{ relation, subject, value }]);
  });

  it.each([
    "Do not use npm here",
    "Run npm test before pushing",
    "Never run npm in this repository",
    "The api runs on 4000 nodes",
    "Something listens on port 8080",
    "npm install fails behind the proxy",
  ])("reads nothing from %j", (title) => {
    expect(slotsOf(note(title))).toEqual([]);
  });

  it("fills nothing from a prohibition, nor twice from one note", () => {
    expect(slotsOf(note("Use npm in this repository", "avoid"))).toEqual([]);
    expect(slotsOf(note("Use npm here; use pnpm here"))).toEqual([]);
  });
});

describe("slotClash", () => {
  it("names two values for one thing, and only those", () => {
    const pnpm = aMemory(1, note("Use pnpm in this repository"));
    expect(slotClash(note("Use npm in this repository"), pnpm)).toMatchObject({ values: ["npm", "pnpm"] });
    expect(slotClash(note("This repo uses pnpm workspaces"), pnpm)).toBeUndefined();
    expect(
      slotClash(note("Postgres runs on port 5433"), aMemory(2, note("The API runs on port 3000"))),
    ).toBeUndefined();
  });
});

describe("sweepSlots", () => {
  const pnpm = aMemory(1, note("Use pnpm in this repository"));
  const npm = aMemory(2, note("Use npm in this repository"));
  const at = { run: null, now: NOW };

  it("F9: marks both of two active memories that fill one slot differently", () => {
    const { conflicts, changes } = sweepSlots([pnpm, npm], at);
    expect(conflicts).toMatchObject([{ relation: "package-manager", values: ["pnpm", "npm"] }]);
    expect(changes.map((change) => (change.kind === "restate" ? change.patch.conflictsWith : []))).toEqual([
      [npm.id],
      [pnpm.id],
    ]);
  });

  it("leaves pinned memories as they are and names the conflict on the other", () => {
    const { changes } = sweepSlots([{ ...pnpm, pinned: true }, npm], at);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ id: npm.id });
  });

  it("marks nothing twice, nothing that is not active, nothing across scopes", () => {
    const marked = [
      { ...pnpm, conflictsWith: [npm.id] },
      { ...npm, conflictsWith: [pnpm.id] },
    ];
    expect(sweepSlots(marked, at).changes).toEqual([]);
    expect(sweepSlots([pnpm, { ...npm, status: "provisional" }], at).conflicts).toEqual([]);
    expect(sweepSlots([pnpm, { ...npm, scope: { kind: "user" } }], at).conflicts).toEqual([]);
    expect(pnpm.scope).toEqual({ kind: "project", project: PROJECT });
  });
});
