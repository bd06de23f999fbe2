import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchHit } from "../../src/core/query.ts";
import type { Reranker } from "../../src/models/reranker.ts";
import { rerankHits } from "../../src/retrieve/rerank.ts";
import { aMemory } from "../support/records.ts";

const hit = (id: number, parts: object = {}): SearchHit => ({
  unit: "fact",
  memory: aMemory(id, parts),
  score: 1 / id,
});
const HITS = [hit(1), hit(2), hit(3), hit(4)];
const says = (handles: readonly number[], maxCandidates = 40): Reranker => ({
  name: "scripted",
  maxCandidates,
  rerank: async () => handles,
});
const places = (hits: readonly SearchHit[]): number[] => hits.map((one) => HITS.indexOf(one) + 1);
const rerank = (reranker: Reranker, hits = HITS, timeoutMs = 5_000) =>
  rerankHits({ reranker, timeoutMs }, { query: "ledger", shown: hits, hits });

describe("rerankHits", () => {
  it("puts what was selected first, and keeps the fused order of all else", async () => {
    expect(places((await rerank(says([3, 1]))).hits)).toEqual([3, 1, 2, 4]);
  });

  it("loses and adds nothing, whatever the reranker names", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.integer(), fc.double())), async (handles) => {
        expect(places((await rerank(says(handles))).hits).sort()).toEqual([1, 2, 3, 4]);
      }),
    );
  });

  it("shows no more candidates than the reranker reads", async () => {
    const seen: number[] = [];
    const reranker = {
      ...says([], 2),
      rerank: async ({ candidates }: { candidates: readonly unknown[] }) => {
        seen.push(candidates.length);
        return [];
      },
    };
    await rerank(reranker);
    expect(seen).toEqual([2]);
  });

  it("keeps the fused order where the reranker fails or is late, and says why", async () => {
    const failing = { ...says([]), rerank: () => Promise.reject(new Error("no answer")) };
    expect(await rerank(failing)).toEqual({ hits: HITS, chosen: [], degraded: ["reranker: no answer"] });
    const silent = { ...says([]), rerank: () => new Promise<number[]>(() => {}) };
    const late = await rerank(silent, HITS, 20);
    expect(late.hits).toEqual(HITS);
    expect(late.degraded.join()).toMatch(/^reranker: .*timeout/i);
  });

  it("chooses from more than is found without it, and drops the rest of that", async () => {
    const chosen = await rerankHits(
      { reranker: says([4]), timeoutMs: 5_000 },
      { query: "ledger", shown: HITS, hits: HITS.slice(0, 2) },
    );
    expect(places(chosen.hits)).toEqual([4, 1, 2]);
  });

  it("asks nobody about a single hit", async () => {
    const failing = { ...says([]), rerank: () => Promise.reject(new Error("asked")) };
    expect((await rerank(failing, [hit(1)])).degraded).toEqual([]);
  });
});
