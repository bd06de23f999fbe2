/** Settings, what was shown, what was spent; and the store as a whole. */
import { describe, expect, it } from "vitest";
import { sessionId } from "../../../src/core/ids.ts";
import { embedAll } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aChunk, aMemory, NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add } from "./changes.ts";

const FILTER = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] } as const;

export function smallTableContract(open: OpenStore): void {
  describe("the rest", () => {
    it("keeps the last value of a setting", async () => {
      const { settings } = await open();
      expect(await settings.get("a")).toBeUndefined();
      await settings.set("a", "1");
      await settings.set("a", "2");
      expect(await settings.get("a")).toBe("2");
    });

    it("remembers what a session was shown, each once", async () => {
      const { sessions } = await open();
      await sessions.markShown(sessionId("s"), [aMemory(1).id], NOW);
      await sessions.markShown(sessionId("s"), [aMemory(1).id, aMemory(2).id], new Date(NOW.getTime() + 1));
      expect(await sessions.shown(sessionId("s"))).toEqual([aMemory(1).id, aMemory(2).id]);
      expect(await sessions.shown(sessionId("t"))).toEqual([]);
    });

    it("adds up what was spent, and says that it does not know the cost when one price is unknown", async () => {
      const { sessions } = await open();
      const entry = {
        run: null,
        session: null,
        model: "m",
        calls: 1,
        inputTokens: 10,
        outputTokens: 5,
        cost: 0.5,
        at: NOW,
      };
      expect(await sessions.usageSince(NOW)).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 });
      await sessions.addUsage(entry);
      await sessions.addUsage({ ...entry, at: new Date(0), cost: null });
      expect(await sessions.usageSince(NOW)).toEqual({ calls: 1, inputTokens: 10, outputTokens: 5, cost: 0.5 });
      expect(await sessions.usageSince(new Date(0))).toEqual({
        calls: 2,
        inputTokens: 20,
        outputTokens: 10,
        cost: null,
      });
    });

    it("builds everything derived again, and then answers as before", async () => {
      const store = await open();
      const embedder = hashEmbedder();
      await store.memories.apply([add(aMemory(1, { content: "walrus", symbols: ["walrus.ts"] })), add(aMemory(2))], []);
      const file = { project: PROJECT, path: "AGENTS.md", contentHash: "h", bytes: 1, modifiedAtMs: 0, loadedBy: [] };
      await store.files.replace(file, [aChunk(1)]);
      await embedAll(store, embedder);
      const ask = async () => ({
        words: await store.index.fulltext([{ text: "walrus" }], FILTER, 9),
        symbols: await store.index.symbols(["walrus.ts"], FILTER, 9),
        trigrams: await store.index.trigrams(["alru"], FILTER, 9),
        vectors: await store.index.vectors(embedder.embedQuery("walrus"), "trigger", FILTER, 9),
      });
      const before = await ask();
      const progress: number[] = [];
      await store.rebuildDerived((done, total) => progress.push(done, total));
      expect(progress.slice(-2)).toEqual([3, 3]);
      expect(await ask()).toEqual(before);
      expect(await store.index.countMissing(embedder.fingerprint)).toBe(0);
    });

    it("knows how much room it takes", async () => {
      expect(await (await open()).bytes()).toBeGreaterThanOrEqual(0);
    });
  });
}
