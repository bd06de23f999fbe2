import { describe, expect, it } from "vitest";
import type { Fact, MemoryRecord } from "../../../src/core/memory-record.ts";
import type { IncomingFact } from "../../../src/ingest/lifecycle/decision.ts";
import { findDuplicates } from "../../../src/ingest/lifecycle/find-duplicates.ts";
import { filledStore } from "../../support/filled-store.ts";
import { aFact, incoming } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo, PROJECT } from "../../support/records.ts";

const memory = (fields: Partial<MemoryRecord> = {}) => {
  const { scope: _s, evidence: _e, resolvedAt: _r, expires: _x, ...body } = aFact();
  return aMemory(1, { ...body, eventAt: daysAgo(20), updatedAt: daysAgo(20), ...fields });
};

async function find(fact: IncomingFact, memories: readonly MemoryRecord[], cosine: number | null = null) {
  const store = await filledStore({ memories });
  return findDuplicates(
    {
      similarity: () => cosine,
      findByContent: (scope, hash) => store.memories.findByContent(scope, hash),
      erasedAt: async (hash) => (await store.memories.findTombstone(PROJECT, hash))?.erasedAt,
    },
    [fact],
    new Map([[fact.handle, memories]]),
  );
}

const ruleFor = async (fact: Partial<Fact>, fields: Partial<MemoryRecord> = {}, cosine: number | null = null) =>
  (await find(incoming("A", fact), [memory(fields)], cosine)).settled.get("A");

describe("findDuplicates", () => {
  it("knows the same words again, whatever their case and punctuation", async () => {
    expect(await ruleFor({ content: `${aFact().content.toUpperCase()}!` })).toMatchObject({ rule: "dup:hash" });
  });

  it("F11: knows near copies by their shingles, and paraphrases by their vectors", async () => {
    const longer = `${aFact().content} Nobody knows why the tunnel was put there in the first place, it just was.`;
    const copy = longer.replace("it just was", "it just stood");
    expect(await ruleFor({ content: copy }, { content: longer })).toMatchObject({ rule: "dup:shingles" });
    const paraphrase = "The test database is Postgres on port 5433, because the tunnel has taken 5432 already.";
    expect(await ruleFor({ content: paraphrase }, {}, 0.95)).toMatchObject({ rule: "dup:cosine" });
    expect(await ruleFor({ content: paraphrase }, {}, 0.8)).toBeUndefined();
  });

  it.each([
    ["a number", "The test database is Postgres on port 5434, because 5432 is taken by the tunnel."],
    ["a negation", "The test database is not Postgres on port 5433, because 5432 is taken by the tunnel."],
    ["a name", "The test database is MariaDB on port 5433, because 5432 is taken by the tunnel."],
  ])("leaves to the decision call what differs in %s only", async (_, content) => {
    const result = await find(incoming("A", { content }), [memory()], 0.99);
    expect(result.settled.size).toBe(0);
    expect(result.open).toHaveLength(1);
  });

  it("does not let a copy from outside stand for what is said by better evidence", async () => {
    const copy = aFact().content.replace("because", "since");
    expect(await ruleFor({ content: copy }, { trust: 1 }, 0.99)).toBeUndefined();
  });

  it("knows a fact again that an agent noted in the same session from the same words, once the note is trusted", async () => {
    const [evidence] = incoming("A").provenance;
    const note = {
      kind: "agent" as const,
      session: evidence?.session ?? null,
      quote: "test database moved to port 5433",
    };
    const provenance = evidence === undefined ? [] : [{ ...evidence, ...note }];
    const said = { content: "Since May the test database listens on 5433." };
    expect(await ruleFor(said, { provenance, trust: 3 })).toMatchObject({ rule: "dup:note" });
    expect(await ruleFor(said, { provenance, trust: 1 })).toBeUndefined();
  });

  describe("against what was put away", () => {
    const forgotten = { status: "forgotten", tombstonedAt: daysAgo(3) } as const;

    it("does not learn again what was forgotten", async () => {
      expect(await ruleFor({ source: "tool_verified", trust: 2 }, forgotten)).toMatchObject({ rule: "dup:tombstone" });
    });

    it("revives it by the user's word, when that is later", async () => {
      expect(await ruleFor({}, forgotten)).toMatchObject({ kind: "revival" });
      const early = incoming("A", {}, { eventAt: daysAgo(9) });
      expect((await find(early, [memory(forgotten)])).settled.get("A")).toMatchObject({ kind: "duplicate" });
    });

    it.each(["superseded", "archived"] as const)(
      "lets what was %s come true again, unless outside content says so",
      async (status) => {
        const put = { status, tombstonedAt: daysAgo(3) };
        expect(await ruleFor({ source: "tool_verified", trust: 2 }, put)).toBeUndefined();
        expect(await ruleFor({ source: "agent_inferred", trust: 1 }, put)).toMatchObject({
          rule: "dup:tombstone",
        });
      },
    );

    it("F18: stores nothing that was erased, and says that it was", async () => {
      const store = await filledStore({ memories: [memory()] });
      await store.memories.erase([memory().id], daysAgo(1));
      const deps = {
        similarity: () => null,
        findByContent: store.memories.findByContent.bind(store.memories),
        erasedAt: async (hash: string) => (await store.memories.findTombstone(PROJECT, hash))?.erasedAt,
      };
      const inferred = incoming("A", { source: "agent_inferred", trust: 2 });
      const result = await findDuplicates(deps, [inferred], new Map());
      expect(result.erased).toEqual([inferred]);
      expect((await findDuplicates(deps, [incoming("A")], new Map())).open).toHaveLength(1);
    });
  });
});
