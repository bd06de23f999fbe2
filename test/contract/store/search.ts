/** The word, symbol and trigram searchers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectId } from "../../../src/core/ids.ts";
import { MEMORY_STATUSES, type MemoryRecord } from "../../../src/core/memory-record.ts";
import type { RankedUnit } from "../../../src/core/query.ts";
import type { Store, UnitFilter } from "../../../src/store/store.ts";
import { queryTerms } from "../../../src/text/words.ts";
import { anyText } from "../../support/any-text.ts";
import { aChunk, aMemory, NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add, restate } from "./changes.ts";

const OTHER = projectId("git:example.com/acme/other");
const FILTER: UnitFilter = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] };

async function filled(open: OpenStore, memories: readonly MemoryRecord[]): Promise<Store> {
  const store = await open();
  await store.memories.apply(memories.map(add), []);
  return store;
}

/** Ids in the order of the ranking. */
async function idsOf(store: Store, ranked: readonly RankedUnit[]): Promise<string[]> {
  const found = await store.index.memoriesByKey(ranked.map(({ key }) => key));
  return ranked.map(({ key }) => found.get(key)?.id ?? "");
}

async function askWords(store: Store, question: string, filter: Partial<UnitFilter> = {}): Promise<string[]> {
  const terms = queryTerms(question).map((text) => ({ text }));
  return idsOf(store, await store.index.fulltext(terms, { ...FILTER, ...filter }, 50));
}

export function searchContract(open: OpenStore): void {
  describe("words", () => {
    it("puts what a title says before what a reason mentions", async () => {
      const inTitle = aMemory(1, { title: "The ledger closes first" });
      const inWhy = aMemory(2, { why: "The ledger closes first" });
      const store = await filled(open, [inWhy, inTitle, aMemory(3)]);
      expect(await askWords(store, "ledger")).toEqual([inTitle.id, inWhy.id]);
    });

    it("finds any of the words, rare ones first, and gives positive scores from high to low", async () => {
      const common = Array.from({ length: 8 }, (_, at) => aMemory(at + 1, { content: `deploy number ${at}` }));
      const rare = aMemory(20, { content: "deploy the zeppelin" });
      const store = await filled(open, [...common, rare]);
      const terms = [{ text: "deploy" }, { text: "zeppelin" }, { text: "absent" }];
      const ranked = await store.index.fulltext(terms, FILTER, 5);
      expect(ranked).toHaveLength(5);
      expect((await idsOf(store, ranked))[0]).toBe(rare.id);
      const scores = ranked.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(Math.min(...scores)).toBeGreaterThan(0);
    });

    it("counts a word more that comes twice in the question", async () => {
      const one = aMemory(1, { content: "heron otter otter" });
      const two = aMemory(2, { content: "walrus otter otter" });
      const store = await filled(open, [one, two]);
      const terms = ["heron", "walrus", "walrus"].map((text) => ({ text }));
      expect(await idsOf(store, await store.index.fulltext(terms, FILTER, 9))).toEqual([two.id, one.id]);
    });

    it.each([
      ["getUserName", "user"],
      ["getUserName", "getUserName"],
      ["user_service_factory", "service"],
      ["user_service_factory", "userServiceFactory"],
      ["`src/store/driver.ts`", "driver"],
      ["naïve café", "cafe"],
      ["deploying the migrations", "deploy migration"],
      ["北京大学在海淀区", "大学"],
      ["北京大学在海淀区", "区"],
      ["東京でデプロイする", "デプロイ"],
      ["배포 스크립트를 실행한다", "스크립트"],
      ["ติดตั้งแพ็กเกจด้วย pnpm", "แพ็กเกจ"],
      ["C++ と Rust のコンパイラ", "コンパイラ"],
      ["don't use don’t", "dont"],
    ])("finds %s by %s", async (content, question) => {
      const memory = aMemory(1, { content });
      const store = await filled(open, [memory, aMemory(2, { content: "nothing of the kind" })]);
      expect(await askWords(store, question)).toEqual([memory.id]);
    });

    it("finds words by their beginning where that is asked", async () => {
      const memory = aMemory(1, { content: "kubernetes" });
      const store = await filled(open, [memory, aMemory(2)]);
      const ask = async (prefix: boolean) =>
        idsOf(store, await store.index.fulltext([{ text: "kube", prefix }], FILTER, 9));
      expect(await ask(true)).toEqual([memory.id]);
      expect(await ask(false)).toEqual([]);
    });

    it("tells in how many memories a word stands, and what share of a question each covers", async () => {
      const both = aMemory(1, { content: "heron walrus" });
      const one = aMemory(2, { content: "heron" });
      const store = await filled(open, [both, one, aMemory(3)]);
      const terms = [{ text: "heron" }, { text: "walrus" }, { text: "absent" }, { text: "…" }];
      expect(await store.index.documentFrequencies(terms, "fact")).toEqual({ documents: 3, counts: [2, 1, 0, 0] });
      const keys = await store.index.keysOfMemories([both.id, one.id]);
      const shares = await store.index.coverage(terms.slice(0, 2), [...keys.values()], "fact");
      expect(shares.get(keys.get(both.id) ?? 0)).toBe(1);
      expect(shares.get(keys.get(one.id) ?? 0)).toBeGreaterThan(0.1);
      expect(shares.get(keys.get(one.id) ?? 0)).toBeLessThan(0.5);
    });

    it("sees a change at once, in what it finds and in how often words stand", async () => {
      const memory = aMemory(1, { content: "heron" });
      const store = await filled(open, [memory]);
      expect(await askWords(store, "heron")).toHaveLength(1);
      await store.memories.apply([add(aMemory(2, { content: "a second heron" }))], []);
      expect(await askWords(store, "heron")).toHaveLength(2);
      await store.memories.apply([restate(memory, { status: "forgotten" })], []);
      expect(await askWords(store, "heron")).toEqual([aMemory(2).id]);
    });
  });

  describe("filters", () => {
    it("shows only the projects, statuses and types asked for, in every searcher", async () => {
      const text = { content: "heron", symbols: ["heron.ts"] } as const;
      const memories = [
        aMemory(1, text),
        aMemory(2, { ...text, scope: { kind: "user" }, type: "preference" }),
        aMemory(3, { ...text, scope: { kind: "project", project: OTHER } }),
        ...MEMORY_STATUSES.slice(1).map((status, at) =>
          aMemory(at + 4, { ...text, content: `heron ${status}`, status }),
        ),
      ];
      const store = await filled(open, memories);
      const ask = async (filter: Partial<UnitFilter>): Promise<string[][]> => {
        const asked = { ...FILTER, ...filter };
        const rankings = [
          await store.index.fulltext([{ text: "heron" }], asked, 50),
          await store.index.symbols(["heron.ts"], asked, 50),
          await store.index.trigrams(["hero"], asked, 50),
        ];
        return Promise.all(
          rankings.map(async (ranking) => (await idsOf(store, ranking)).map((id) => id.slice(5, 6)).sort()),
        );
      };
      expect(await ask({})).toEqual(Array(3).fill(["1", "2"]));
      expect(await ask({ user: false })).toEqual(Array(3).fill(["1"]));
      expect(await ask({ projects: [OTHER], user: false })).toEqual(Array(3).fill(["3"]));
      expect(await ask({ projects: [], user: false })).toEqual(Array(3).fill([]));
      expect(await ask({ types: ["preference"] })).toEqual(Array(3).fill(["2"]));
      expect(await ask({ statuses: ["superseded", "forgotten"] })).toEqual(Array(3).fill(["7", "8"]));
    });

    it("answers with what was current at a moment, whatever has become of it", async () => {
      const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
      const clock = { now: at(0) };
      const store = await open();
      const old = aMemory(1, { content: "heron", createdAt: at(0) });
      const young = aMemory(2, { content: "heron too", createdAt: at(10) });
      await store.memories.apply([add(old)], []);
      clock.now = at(10);
      const event = {
        memory: old.id,
        kind: "superseded",
        run: null,
        actor: "user",
        rules: [],
        reason: null,
        at: at(10),
      } as const;
      await store.memories.apply([restate(old, { status: "superseded", supersededBy: young.id }), add(young)], [event]);
      expect(await askWords(store, "heron")).toEqual([young.id]);
      expect(await askWords(store, "heron", { asOf: at(5) })).toEqual([old.id]);
      expect(await askWords(store, "heron", { asOf: at(20) })).toEqual([young.id]);
      expect(await askWords(store, "heron", { asOf: at(-1) })).toEqual([]);
    });
  });

  describe("symbols and trigrams", () => {
    it("finds a symbol under its forms, exactly, and says how rare it is", async () => {
      const memory = aMemory(1, { symbols: ["src/store/driver.ts", "app.orders"] });
      const store = await filled(open, [memory, aMemory(2, { symbols: ["driver.ts"] }), aMemory(3)]);
      const ask = async (form: string) => store.index.symbols([form], FILTER, 9);
      expect(await idsOf(store, await ask("Driver.TS"))).toHaveLength(2);
      expect(await ask("orders")).toEqual([
        { key: expect.any(Number), score: expect.any(Number), documentFrequency: 1 },
      ]);
      expect(await ask("drive")).toEqual([]);
    });

    it("puts a memory with the rarer symbol first", async () => {
      const rare = aMemory(1, { symbols: ["rare_fn"] });
      const store = await filled(open, [rare, ...[2, 3, 4].map((at) => aMemory(at, { symbols: ["common_fn"] }))]);
      const ranked = await store.index.symbols(["common_fn", "rare_fn"], FILTER, 9);
      expect((await idsOf(store, ranked))[0]).toBe(rare.id);
      expect(ranked.map(({ documentFrequency }) => documentFrequency)).toEqual([1, 3, 3, 3]);
    });

    it("finds a piece in the middle of a word, in any case, from three characters on", async () => {
      const memory = aMemory(1, { content: "kube-controller-Manager" });
      const store = await filled(open, [memory, aMemory(2)]);
      expect(await idsOf(store, await store.index.trigrams(["TROLLER-man"], FILTER, 9))).toEqual([memory.id]);
      expect(await store.index.trigrams(["ku", ""], FILTER, 9)).toEqual([]);
    });

    it("finds chunks by words, symbols, path and pieces", async () => {
      const store = await open();
      const file = {
        project: PROJECT,
        path: "docs/guide.md",
        contentHash: "h",
        bytes: 1,
        modifiedAtMs: 0,
        loadedBy: [],
      };
      await store.files.replace(file, [aChunk(1, { path: "docs/guide.md", text: "heron", symbols: ["run_it"] })]);
      const filter = { ...FILTER, unit: "chunk" } as const;
      const hits = await Promise.all([
        store.index.fulltext([{ text: "heron" }], filter, 9),
        store.index.symbols(["run_it"], filter, 9),
        store.index.symbols(["guide.md"], filter, 9),
        store.index.trigrams(["eron"], filter, 9),
        store.index.fulltext([{ text: "heron" }], { ...filter, projects: [OTHER] }, 9),
      ]);
      expect(hits.map((ranking) => ranking.length)).toEqual([1, 1, 1, 1, 0]);
    });
  });

  describe("hostile input", () => {
    it("throws at no query, and finds a plain word beside any of them", async () => {
      const memory = aMemory(1, { content: "heron", symbols: ["heron.ts"] });
      const store = await filled(open, [memory]);
      const hostile = fc.oneof(
        anyText(60),
        fc.constantFrom(
          '"',
          "'",
          "a AND b",
          "NEAR(",
          "title:x",
          "*",
          "^a",
          "-a",
          "(",
          "x OR",
          "\u0000",
          "{}",
          "%",
          "_",
          "a/b 'c' -d .e",
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(hostile, { maxLength: 6 }), async (texts) => {
          const terms = [...texts, "heron"].map((text) => ({ text }));
          expect(await store.index.fulltext(terms, FILTER, 5)).toHaveLength(1);
          expect((await store.index.symbols([...texts, "heron.ts"], FILTER, 5)).length).toBe(1);
          expect(await store.index.trigrams([...texts, "heron"], FILTER, 5)).toHaveLength(1);
          await store.index.fulltext(
            texts.map((text) => ({ text, prefix: true })),
            FILTER,
            5,
          );
          await store.index.documentFrequencies(terms, "fact");
          await store.index.coverage(terms, [1], "chunk");
        }),
        { numRuns: 60 },
      );
    });

    it("stores any text, and gives back what SQLite can hold of it", async () => {
      const store = await open();
      let number = 0;
      await fc.assert(
        fc.asyncProperty(anyText(80), anyText(20), async (content, title) => {
          number += 1;
          const memory = aMemory(number, {
            content: `${number} ${content}`,
            title,
            whenToUse: [title],
            symbols: [content],
          });
          expect(await store.memories.apply([add(memory)], [])).toEqual({ applied: true });
          const read = await store.memories.get(memory.id);
          const held = (text: string): string => text.replaceAll("\u0000", "").replace(/\p{Surrogate}/gu, "\ufffd");
          expect(read?.content).toBe(held(memory.content));
          expect(read?.title).toBe(held(title));
        }),
        { numRuns: 60 },
      );
    });
  });
}
