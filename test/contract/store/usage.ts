/** How memories were used, and what was said of that. */
import { describe, expect, it } from "vitest";
import type { UsageEvent } from "../../../src/core/findings/feedback.ts";
import { memoryId, sessionId } from "../../../src/core/ids.ts";
import { aMemory, NOW } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";
import { add } from "./changes.ts";

const [ONE, TWO] = [aMemory(1), aMemory(2)];

export function aUse(fields: Partial<UsageEvent> = {}): UsageEvent {
  const session = sessionId("s");
  return { memory: ONE.id, kind: "opened", who: "agent", session, host: "claude-code", at: NOW, ...fields };
}

export function usageContract(open: OpenStore): void {
  const filled = async () => {
    const store = await open();
    await store.memories.apply([add(ONE), add(TWO)], []);
    return store;
  };

  describe("usage", () => {
    it("gives back each event as it was, by memory, session and time, the oldest first", async () => {
      const { usage } = await filled();
      const later = new Date(NOW.getTime() + 1);
      const opened = aUse({ at: later });
      const helped = aUse({ kind: "helped" });
      const unknown = aUse({ memory: TWO.id, session: null, host: null, who: "user", kind: "stale" });
      for (const event of [opened, helped, unknown]) expect(await usage.add(event)).toBe(true);
      expect(await usage.list({ memory: ONE.id })).toEqual([helped, opened]);
      expect(await usage.list({ session: null })).toEqual([unknown]);
      expect(await usage.list({ session: sessionId("s"), since: later })).toEqual([opened]);
      expect(await usage.list({})).toHaveLength(3);
    });

    it("takes back what a voice said of a memory, and nothing else", async () => {
      const { usage } = await filled();
      const opened = aUse();
      const kept = [aUse({ kind: "helped" }), opened, aUse({ memory: TWO.id, kind: "stale", who: "user" })];
      for (const event of [...kept, aUse({ kind: "wrong", who: "user" })]) await usage.add(event);
      await usage.withdraw({ memory: ONE.id, who: "user" });
      expect(await usage.list({})).toEqual(expect.arrayContaining(kept));
      expect(await usage.list({})).toHaveLength(kept.length);
    });

    it("keeps one row for what comes again in one session", async () => {
      const { usage } = await filled();
      const again = aUse({ at: new Date(NOW.getTime() + 9) });
      await usage.add(aUse());
      await usage.add(again);
      expect(await usage.list({})).toEqual([again]);
    });

    it("counts one verdict a session of an agent: a worse one replaces a milder one, and stays", async () => {
      const { usage, memories } = await filled();
      expect(await usage.add(aUse({ kind: "helped" }))).toBe(true);
      expect(await usage.add(aUse({ kind: "helped" }))).toBe(false);
      expect((await memories.get(ONE.id))?.verdicts).toEqual({ helped: 1, harmed: 0 });
      expect(await usage.add(aUse({ kind: "wrong" }))).toBe(true);
      for (const kind of ["helped", "stale", "wrong"] as const) expect(await usage.add(aUse({ kind }))).toBe(false);
      expect((await memories.get(ONE.id))?.verdicts).toEqual({ helped: 0, harmed: 1 });
    });

    it("takes the user's last word, beside the agent's", async () => {
      const { usage, memories } = await filled();
      await usage.add(aUse({ kind: "wrong" }));
      for (const kind of ["stale", "helped"] as const) {
        expect(await usage.add(aUse({ kind, who: "user", session: null }))).toBe(true);
      }
      expect((await memories.get(ONE.id))?.verdicts).toEqual({ helped: 1, harmed: 1 });
    });

    it("gives the counts with the memories of a search, and none where nothing was said", async () => {
      const { usage, index, memories } = await filled();
      await usage.add(aUse());
      await usage.add(aUse({ memory: TWO.id, kind: "helped" }));
      await usage.add(aUse({ memory: TWO.id, kind: "stale", session: sessionId("t") }));
      await usage.add(aUse({ memory: TWO.id, kind: "irrelevant", session: sessionId("u") }));
      const keys = await index.keysOfMemories([ONE.id, TWO.id]);
      const found = [...(await index.memoriesByKey([...keys.values()])).values()];
      expect(found.map(({ id, verdicts }) => [id, verdicts])).toEqual([
        [ONE.id, undefined],
        [TWO.id, { helped: 1, harmed: 1 }],
      ]);
      expect(found[0]).not.toHaveProperty("verdicts");
      expect((await memories.list({ order: "stable" })).map(({ verdicts }) => verdicts?.helped)).toEqual([
        undefined,
        1,
      ]);
    });

    it("goes with a memory that is erased, and keeps nothing of one that is gone", async () => {
      const { usage, memories } = await filled();
      await usage.add(aUse());
      await usage.add(aUse({ kind: "wrong" }));
      await usage.add(aUse({ memory: TWO.id }));
      await memories.erase([ONE.id], NOW);
      expect((await usage.list({})).map(({ memory }) => memory)).toEqual([TWO.id]);
      expect(await usage.add(aUse())).toBe(false);
      expect(await usage.add(aUse({ memory: memoryId("nowhere"), kind: "wrong" }))).toBe(false);
    });
  });
}
