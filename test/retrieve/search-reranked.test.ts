import { afterEach, describe, expect, it } from "vitest";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { SearchAnswer } from "../../src/core/query.ts";
import type { RerankCandidate, Reranker } from "../../src/models/reranker.ts";
import { type SearchDeps, search } from "../../src/retrieve/search.ts";
import { type RetrievalSettings, settingsFor } from "../../src/retrieve/settings.ts";
import type { Store } from "../../src/store/store.ts";
import { filledStore } from "../support/filled-store.ts";
import { hashEmbedder } from "../support/hash-embedder.ts";
import { aMemory, NOW, PROJECT } from "../support/records.ts";

/** Nothing but the first hit survives the cut. */
const settings: RetrievalSettings = {
  ...settingsFor(undefined),
  thresholds: { trigger: 0.3, body: 0.3, piece: 0.3, coverage: 0.3, coverageAlone: 0.3 },
};
const nearest = aMemory(1, {
  title: "The refund job runs at four",
  content: "The refund job runs at four every night",
});
const far = Array.from({ length: 50 }, (_, at) =>
  aMemory(10 + at, { title: `The refund of tenant${at} waits`, content: `Tenant${at} has its own ledger${at}` }),
);

let open: Store | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

interface Asked {
  readonly text: string;
  readonly memories?: readonly MemoryRecord[];
  /** Titles that the reranker names, best first; handles that nobody has stand for unknown titles. */
  readonly chooses?: readonly string[];
  readonly deps?: Partial<SearchDeps>;
}

async function ask({ text, memories = [nearest, ...far], chooses, deps }: Asked) {
  await open?.close();
  const embedder = hashEmbedder({ dimensions: 256 });
  open = await filledStore({ embedder, memories });
  const seen: (readonly RerankCandidate[])[] = [];
  const reranker: Reranker = {
    name: "scripted",
    maxCandidates: 40,
    rerank: async ({ candidates }) => {
      seen.push(candidates);
      return (chooses ?? []).map((title) => candidates.find((candidate) => candidate.title === title)?.handle ?? 999);
    },
  };
  const rerank = chooses === undefined ? undefined : { reranker, timeoutMs: 5_000 };
  const answer = await search(
    { index: open.index, embedder, now: () => NOW, settings, rerank, ...deps },
    { projects: [PROJECT], text, limit: 8, explain: true },
  );
  return { answer, seen };
}

const titles = ({ hits }: SearchAnswer): string[] =>
  hits.map((hit) => (hit.unit === "fact" ? hit.memory.title : hit.chunk.text));
const QUESTION = "when does the refund job run at night";

describe("search with a reranker", () => {
  it("offers what the cut would drop, forty at most, and finds it when it is chosen", async () => {
    const plain = titles((await ask({ text: QUESTION })).answer);
    const dropped = far.map(({ title }) => title).filter((title) => !plain.includes(title));
    const all = await ask({ text: QUESTION, chooses: [] });
    expect(all.seen[0]?.length).toBe(40);
    expect(titles(all.answer)).toEqual(plain);
    const [title = ""] = dropped.filter((one) => all.seen[0]?.some((candidate) => candidate.title === one));
    const { answer } = await ask({ text: QUESTION, chooses: ["nobody's", title] });
    expect(titles(answer)).toEqual([title, ...plain].slice(0, 8));
    expect(answer.hits[0]?.explanation?.survivedBy).toContain("chosen by scripted");
    expect(answer.hits[1]?.explanation?.survivedBy.join()).not.toContain("chosen");
  });

  it("leaves what carries a rare symbol among the first three, whatever is chosen", async () => {
    const named = aMemory(2, { title: "A code of the ledger", content: "Seen once", symbols: ["ORA-00942"] });
    const text = "refund job fails with ORA-00942";
    const chooses = far.slice(0, 5).map(({ title }) => title);
    const { answer } = await ask({ text, chooses, memories: [nearest, named, ...far.slice(0, 20)] });
    expect(titles(answer).indexOf(named.title)).toBeGreaterThanOrEqual(0);
    expect(titles(answer).indexOf(named.title)).toBeLessThan(3);
    expect(titles(answer)).toContain(chooses[0]);
  });

  it("puts no superseded memory above its successor, even if it is chosen", async () => {
    const old = aMemory(3, { title: "The refund job ran at two", status: "superseded", supersededBy: nearest.id });
    const text = "when did the refund job run before four";
    const { answer } = await ask({ text, chooses: [old.title], memories: [nearest, old] });
    expect(titles(answer)).toEqual([nearest.title, old.title]);
  });

  it("is not asked where nothing fits", async () => {
    const { answer, seen } = await ask({ text: "zebra quagga okapi the", chooses: [nearest.title] });
    expect(answer.hits).toEqual([]);
    expect(seen).toEqual([]);
  });

  describe("where what is near does not answer for certain", () => {
    const limits = ["shelf", "loan"].map((name, at) =>
      aMemory(50 + at, {
        title: `Reading limit of the ${name} service is ${at}`,
        content: `The ${name} service reads ${at}`,
      }),
    );
    const answerTest = { standing: 0, doubtful: 0, remainder: 0, sure: 1, kin: 2, clear: 9, clearShare: 0.5 };
    const deps = { settings: { ...settings, answerTest } };
    const text = "reading limit of the parcel service";

    it("gives what is chosen for an answer", async () => {
      const [shelf] = limits.map(({ title }) => title);
      const { answer } = await ask({ text, chooses: [shelf ?? ""], memories: limits, deps });
      expect(titles(answer)).toEqual([shelf]);
      expect(answer.abstained).toBe(false);
    });

    it("stays with nothing where none is chosen", async () => {
      const { answer, seen } = await ask({ text, chooses: [], memories: limits, deps });
      expect(seen[0]?.length).toBe(2);
      expect(answer).toMatchObject({ hits: [], abstained: true });
      expect(answer.nearest?.length).toBe(2);
    });
  });

  it("keeps the fused order where the reranker fails, and says why", async () => {
    const plain = titles((await ask({ text: QUESTION })).answer);
    const rerank = {
      reranker: { name: "dead", maxCandidates: 40, rerank: () => Promise.reject(new Error("no answer")) },
      timeoutMs: 5_000,
    };
    const { answer } = await ask({ text: QUESTION, deps: { rerank } });
    expect(titles(answer)).toEqual(plain);
    expect(answer.degraded).toEqual(["reranker: no answer"]);
  });
});
