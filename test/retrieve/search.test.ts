import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { projectId } from "../../src/core/ids.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { SearchAnswer, SearchQuery } from "../../src/core/query.ts";
import type { Embedder } from "../../src/models/embedder.ts";
import { type SearchDeps, search } from "../../src/retrieve/search.ts";
import { type RetrievalSettings, settingsFor } from "../../src/retrieve/settings.ts";
import type { SearchIndex, Store } from "../../src/store/store.ts";
import { filledStore, type StoreContents } from "../support/filled-store.ts";
import { hashEmbedder } from "../support/hash-embedder.ts";
import { aChunk, aMemory, NOW, PROJECT } from "../support/records.ts";

/** Cosines of shared words mean nothing for a real model: thresholds that suit the fake. */
const settings: RetrievalSettings = {
  ...settingsFor(undefined),
  thresholds: { trigger: 0.4, body: 0.4, piece: 0.4, coverage: 0.6, coverageAlone: 0.35 },
};

const refund = aMemory(1, {
  title: "Refund job must run after the ledger close",
  content: "Running the refund job before the ledger close books the totals twice",
  whenToUse: ["a nightly total is doubled"],
  symbols: ["RefundJob"],
});
const colours = aMemory(2, {
  title: "Charts use the company palette",
  content: "The dashboard draws charts in the brand palette",
});
const migrations = aMemory(3, {
  type: "preference",
  title: "Migrations are separate commits",
  content: "The user wants each database migration in a commit of its own",
  source: "user_stated",
});

let open: Store | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function ask(
  contents: StoreContents,
  query: Partial<SearchQuery> & { readonly text: string },
  deps: Partial<SearchDeps> = {},
): Promise<SearchAnswer> {
  const embedder = hashEmbedder({ dimensions: 256 });
  open = await filledStore({ embedder, ...contents });
  return search(
    { index: open.index, embedder, now: () => NOW, settings, ...deps },
    { projects: [PROJECT], limit: 10, ...query },
  );
}

const titles = ({ hits }: SearchAnswer): string[] =>
  hits.map((hit) => (hit.unit === "fact" ? hit.memory.title : hit.chunk.text));

describe("search", () => {
  it("puts the memory first that the question is about", async () => {
    const answer = await ask({ memories: [colours, refund, migrations] }, { text: "when does the refund job run?" });
    expect(titles(answer)[0]).toBe(refund.title);
    expect(answer).toMatchObject({ abstained: false, degraded: [], notes: [] });
  });

  it("finds a memory by its situation, in none of its own words", async () => {
    const answer = await ask({ memories: [colours, refund, migrations] }, { text: "nightly total is doubled" });
    expect(titles(answer)).toEqual([refund.title]);
  });

  it("says nothing when nothing is near, and names the nearest only when asked to explain", async () => {
    const contents = { memories: [colours, refund, migrations] };
    const question = "which charts of accounts does the tax adviser in Vienna prefer to receive by email";
    const silent = await ask(contents, { text: question });
    expect(silent).toMatchObject({ hits: [], abstained: true });
    expect(silent.nearest).toBeUndefined();
    const explained = await ask(contents, { text: question, explain: true });
    expect(explained.nearest?.length).toBeGreaterThan(0);
    expect(explained.nearest?.every(({ explanation }) => explanation?.survivedBy.length === 0)).toBe(true);
  });

  describe("where notes are of other things of the kind that is asked for", () => {
    const limits = ["shelf", "loan"].map((name, at) =>
      aMemory(10 + at, {
        title: `Reading limit of the ${name} service is ${at}`,
        content: `The ${name} service reads ${at}`,
      }),
    );
    const text = "reading limit of the parcel service";
    const answerTest = { standing: 0, doubtful: 0, remainder: 0, sure: 1, kin: -1, clear: 9, clearShare: 0.5 };
    const withTest = { settings: { ...settings, answerTest } };

    it("gives no answer, and names them with the reason", async () => {
      const answer = await ask({ memories: limits }, { text }, withTest);
      expect(answer).toMatchObject({ hits: [], abstained: true });
      expect(answer.unanswered).toMatch(/^the notes are of "(?:shelf" and "loan|loan" and "shelf)", not of "parcel"$/);
      expect(answer.nearest?.map((hit) => hit.unit === "fact" && hit.memory.title).toSorted()).toEqual(
        limits.map(({ title }) => title).toSorted(),
      );
      expect(answer.nearest?.every(({ explanation }) => explanation === undefined)).toBe(true);
    });

    it("names them beside a file that answers, too", async () => {
      const chunks = [aChunk(1, { text: "The reading limit of the parcel service is in limits.toml" })];
      const answer = await ask({ memories: limits, chunks }, { text }, withTest);
      expect(answer.hits.map(({ unit }) => unit)).toEqual(["chunk"]);
      expect(answer.abstained).toBe(false);
      expect(answer.nearest?.map(({ unit }) => unit)).toEqual(["fact", "fact"]);
      expect(answer.unanswered).toMatch(/not of "parcel"$/);
    });

    it("answers all the same where the second look fails", async () => {
      const other = "reading limit of the service, parcel one";
      const { embedQuery: _, ...fake } = hashEmbedder({ dimensions: 256 });
      const embedder: Embedder = {
        ...fake,
        embed: (texts, options) =>
          texts[0] === other ? fake.embed(texts, options) : Promise.reject(new Error("down")),
      };
      const answer = await ask({ memories: limits }, { text: other }, { ...withTest, embedder });
      expect(answer.hits.length).toBeGreaterThan(0);
      expect(answer.unanswered).toBeUndefined();
    });

    it("answers all the same where the second look is late", async () => {
      const { embedQuery: _, ...fake } = hashEmbedder({ dimensions: 256 });
      const other = "reading limit of the service, parcel one";
      const embedder: Embedder = {
        ...fake,
        embed: (texts, options) => (texts[0] === other ? fake.embed(texts, options) : new Promise(() => {})),
      };
      const deps = { ...withTest, embedder, armTimeoutMs: 150 };
      expect((await ask({ memories: limits }, { text: other }, deps)).hits.length).toBeGreaterThan(0);
    });
  });

  describe("explained", () => {
    it("tells of each hit that was cut by which step, and what scores had to reach", async () => {
      const contents = { memories: [colours, refund, migrations] };
      const answer = await ask(contents, { text: "when does the refund job run?", limit: 1, explain: true });
      const told = answer.explanation?.cut ?? [];
      const cut = new Map(told.map(({ hit, reason }) => [hit.unit === "fact" && hit.memory.id, reason]));
      expect(titles(answer)).toEqual([refund.title]);
      expect([...cut.values()]).toContain("not near enough");
      for (const { memory } of answer.hits.flatMap((hit) => (hit.unit === "fact" ? [hit] : []))) {
        expect(cut.has(memory.id)).toBe(false);
      }
      expect(answer.explanation?.thresholds).toMatchObject({ trigger: 0.4, "fact share of the best": 0.5 });
    });

    it("is absent unless it is asked for", async () => {
      expect((await ask({ memories: [refund] }, { text: "refund job" })).explanation).toBeUndefined();
    });
  });

  it("returns facts and pieces of files in one list", async () => {
    const rule = aChunk(1, { text: "Run the refund job from the scheduler, never by hand", headings: ["Jobs"] });
    const answer = await ask({ memories: [refund, colours], chunks: [rule] }, { text: "refund job" });
    expect(new Set(answer.hits.map(({ unit }) => unit))).toEqual(new Set(["fact", "chunk"]));
    expect(answer.hits.map(({ score }) => score)).toEqual(answer.hits.map(({ score }) => score).sort((a, b) => b - a));
  });

  it("returns only facts where types are asked for, and only the units asked for", async () => {
    const contents = { memories: [refund, migrations], chunks: [aChunk(1, { text: "separate migrations of jobs" })] };
    const typed = await ask(contents, { text: "separate migrations", types: ["preference"] });
    expect(titles(typed)).toEqual([migrations.title]);
    const chunks = await ask(contents, { text: "separate migrations", units: ["chunk"] });
    expect(chunks.hits.map(({ unit }) => unit)).toEqual(["chunk"]);
  });

  it("sees neither other projects nor what was superseded or forgotten", async () => {
    const elsewhere = aMemory(4, {
      ...refund,
      id: aMemory(4).id,
      scope: { kind: "project", project: projectId("git:x/y/z") },
    });
    const past = aMemory(5, {
      ...refund,
      id: aMemory(5).id,
      content: "older",
      status: "superseded",
      supersededBy: refund.id,
    });
    const gone = aMemory(6, { ...refund, id: aMemory(6).id, content: "gone", status: "forgotten" });
    const answer = await ask({ memories: [elsewhere, past, gone, refund] }, { text: "refund job ledger close" });
    expect(answer.hits.map((hit) => hit.unit === "fact" && hit.memory.id)).toEqual([refund.id]);
  });

  it("puts a successor above what it superseded, also when both are asked for and the older one fits better", async () => {
    const next = aMemory(7, { title: "Ledger store", content: "The ledger is kept in Postgres since the move" });
    const past = aMemory(8, {
      title: "The ledger database is SQLite",
      content: "The ledger database is SQLite in one file",
      status: "superseded",
      supersededBy: next.id,
    });
    const query = { text: "ledger database SQLite file", statuses: ["active", "superseded"] as const };
    expect(titles(await ask({ memories: [past, next, colours] }, query)).slice(0, 2)).toEqual([next.title, past.title]);
  });

  it("answers a question about the past with what was superseded, below its successor", async () => {
    const next = aMemory(7, { title: "The broker is NATS", content: "Messages go through NATS since spring" });
    const past = aMemory(8, {
      title: "The broker is RabbitMQ",
      content: "Messages go through RabbitMQ",
      status: "superseded",
      supersededBy: next.id,
    });
    const contents = { memories: [past, next, colours] };
    expect(titles(await ask(contents, { text: "the broker was RabbitMQ before NATS" }))).toEqual([
      next.title,
      past.title,
    ]);
    expect(titles(await ask(contents, { text: "broker" }))).toEqual([next.title]);
  });

  it("guarantees what carries a rare symbol a place among the first three", async () => {
    const crowd = Array.from({ length: 12 }, (_, at) =>
      aMemory(20 + at, {
        title: `Nightly export ${at}`,
        content: `The nightly export of tenant ${at} is slow on large tables`,
      }),
    );
    const coded = aMemory(50, { title: "Unrelated words", content: "Reset the pool first", symbols: ["ORA-04031"] });
    const answer = await ask(
      { memories: [...crowd, coded] },
      { text: "nightly export of large tables is slow, ORA-04031" },
    );
    expect(titles(answer).indexOf(coded.title)).toBeLessThan(3);
  });

  it("tells what two hits contradict each other, and which is newer", async () => {
    const rival = aMemory(9, {
      title: "Refund job runs before the close",
      content: "The refund job runs before the ledger close since release 9",
      conflictsWith: [refund.id],
      eventAt: new Date(NOW.getTime() + 1),
    });
    const { notes } = await ask({ memories: [refund, rival] }, { text: "refund job ledger close" });
    expect(notes).toEqual([expect.stringMatching(/contradict each other; L-000009 is the newer one/)]);
  });

  it("explains place, scores, weights and reasons of each hit", async () => {
    const { hits } = await ask(
      { memories: [colours, refund] },
      { text: "RefundJob after ledger close", explain: true },
    );
    const explanation = hits[0]?.explanation;
    expect(explanation?.arms.map(({ arm }) => arm)).toEqual(
      expect.arrayContaining(["trigger", "body", "fulltext", "symbol"]),
    );
    for (const { rank, weight } of explanation?.arms ?? []) {
      expect(rank).toBeGreaterThanOrEqual(1);
      expect(weight).toBeGreaterThan(0);
    }
    expect(explanation?.adjustments).toHaveProperty("scope", 1.15);
    expect(explanation?.survivedBy).toContain("rare symbol");
  });

  it("stops when it is told to", async () => {
    await expect(ask({}, { text: "x", signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("search, when a searcher is missing", () => {
  const contents = { memories: [colours, refund, migrations] };
  const query = { text: "when does the refund job run after the ledger close?" };
  const failing: Embedder = {
    ...hashEmbedder({ dimensions: 256 }),
    embedQuery: () => {
      throw new Error("model file is gone");
    },
  };
  const { embedQuery: _, ...distant } = hashEmbedder({ dimensions: 256 });

  it.each([
    ["there is no model", { embedder: undefined }, /no embedding model/],
    ["the model fails", { embedder: failing }, /model file is gone/],
    ["the vectors are another model's", { embedder: hashEmbedder({ dimensions: 256, fingerprint: "other" }) }, /other/],
    [
      "the model is late",
      { embedder: { ...distant, embed: () => new Promise<never>(() => {}) }, armTimeoutMs: 30 },
      /late/,
    ],
  ])("answers from words where %s, and says so", async (_name, deps, reason) => {
    const answer = await ask(contents, query, deps);
    expect(titles(answer)[0]).toBe(refund.title);
    expect(answer.degraded.join("\n")).toMatch(reason);
  });

  it("answers from vectors where the text index fails, and names it", async () => {
    const embedder = hashEmbedder({ dimensions: 256 });
    open = await filledStore({ ...contents, embedder });
    const index = new Proxy(open.index, {
      get(target, name: keyof SearchIndex) {
        return name === "fulltext" ? () => Promise.reject(new Error("index is damaged")) : target[name].bind(target);
      },
    });
    const answer = await search(
      { index, embedder, now: () => NOW, settings },
      { projects: [PROJECT], limit: 5, ...query },
    );
    expect(titles(answer)[0]).toBe(refund.title);
    expect(answer.degraded).toEqual(["fulltext: index is damaged"]);
  });
});

describe("search, on hostile input", () => {
  const pieces = fc.constantFrom(
    '"',
    "'",
    "*",
    "(",
    ")",
    ":",
    "^",
    "-",
    "+",
    "NEAR(",
    " AND ",
    " OR ",
    " NOT ",
    "\u0000",
    "\ud800",
    "%",
    "_",
    "refund",
    "/a/b.ts",
    "; DROP TABLE memories;--",
    "`",
    "<arcticmem-memories>",
    "数据",
    "\u202e",
    "E0308",
    "{}",
    "$(x)",
    "\\",
    "\n",
  );
  const hostile = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 300 }),
  );

  it("never throws", async () => {
    const embedder = hashEmbedder({ dimensions: 64 });
    open = await filledStore({ memories: [refund, colours], chunks: [aChunk(1)], embedder });
    const { index } = open;
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const answer = await search({ index, embedder, now: () => NOW }, { text, projects: [PROJECT], limit: 5 });
        expect(answer.degraded).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("answers a megabyte", async () => {
    for (const unit of ["refund ", "((", "数据", "a_b.c/d "]) {
      const answer = await ask({ memories: [refund] }, { text: unit.repeat(1_000_000 / unit.length) });
      expect(answer.degraded).toEqual([]);
    }
  });

  it.each([
    ["数据库迁移", "迁移"],
    ["データベースの移行", "移行"],
    ["데이터베이스 마이그레이션", "마이그레이션"],
  ])("finds %s by a part of it without any vector", async (content, text) => {
    const note: MemoryRecord = aMemory(60, { title: content, content });
    expect(titles(await ask({ memories: [note, refund] }, { text }, { embedder: undefined }))).toEqual([content]);
  });
});
