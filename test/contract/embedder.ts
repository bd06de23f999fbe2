/** What every adapter of `Embedder` owes, as a suite: an adapter's test calls it with a way to open one. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/models/embedder.ts";

const TEXTS = ["The refund job runs after the ledger is closed.", "", "Grüße 🚀", "refunds wait for the ledger"];

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  if (left === undefined || right === undefined) return Number.NaN;
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? Number.NaN), 0);
}

export function embedderContract(name: string, open: () => Embedder | Promise<Embedder>): void {
  describe(`${name} as an Embedder`, () => {
    let embedder: Embedder;
    beforeEach(async () => {
      embedder = await open();
    });
    afterEach(() => embedder.close());

    it("says who it is and what it takes", () => {
      expect(embedder.fingerprint).toMatch(/\S/);
      expect(embedder.dimensions).toBeGreaterThan(0);
      expect(embedder.maxTokens).toBeGreaterThan(0);
    });

    it("gives one unit-length vector per text, an empty text too", async () => {
      const vectors = await embedder.embed(TEXTS);
      expect(vectors).toHaveLength(TEXTS.length);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    });

    it("keeps the order, and a vector does not depend on its neighbours", async () => {
      const many = Array.from({ length: 20 }, (_, index) => `${TEXTS[index % TEXTS.length]} ${index}`);
      const together = await embedder.embed(many);
      const alone = await embedder.embed(many.slice(7, 8));
      expect(cosine(together[7], alone[0])).toBeCloseTo(1, 4);
    });

    it("takes no texts, and texts of any length", async () => {
      expect(await embedder.embed([])).toEqual([]);
      const [long] = await embedder.embed(["one two three ".repeat(2000)]);
      expect(cosine(long, long)).toBeCloseTo(1, 5);
    });

    it("embeds a query at once as it embeds it later", async () => {
      const [query] = await embedder.embed(["where is the ledger closed"], { kind: "query" });
      expect(query).toHaveLength(embedder.dimensions);
      if (embedder.embedQuery === undefined) return;
      expect(cosine(query, embedder.embedQuery("where is the ledger closed"))).toBeCloseTo(1, 5);
    });

    it("stops when it is told to, with the signal's reason", async () => {
      const reason = new Error("no longer wanted");
      await expect(embedder.embed(TEXTS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it("can be closed twice", async () => {
      await embedder.close();
      await expect(embedder.close()).resolves.toBeUndefined();
    });
  });
}
