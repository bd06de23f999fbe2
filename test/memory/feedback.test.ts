import { describe, expect, it } from "vitest";
import { memoryId } from "../../src/core/ids.ts";
import { runTool } from "../../src/mcp/server.ts";
import type { Tool } from "../../src/mcp/tool.ts";
import { memoryFeedback } from "../../src/mcp/tools/memory-feedback.ts";
import { memoryGet } from "../../src/mcp/tools/memory-get.ts";
import { openDriver } from "../../src/store/sqlite/open-driver.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-store.ts";
import { openTestHome, type TestHome } from "../support/open-test-memory.ts";

const BUSY_MS = 4_000;

/** A server's process of its own for each call. */
async function call(home: TestHome, tool: Tool, { session = "s-1", ...input }: Readonly<Record<string, string>>) {
  await using memory = await home.open({ storeWaitMs: BUSY_MS });
  const caller = { host: "claude-code", session };
  return await runTool(tool, { open: async () => memory, input, caller, signal: new AbortController().signal });
}

async function noted(home: TestHome): Promise<string> {
  await using memory = await home.open();
  return (await memory.add({ text: "The zanzibar tariff applies to barges.", by: "agent", quote: "q" })).memory.id;
}

const storeOf = (home: TestHome): string => `${home.folder}/arcticmem/memory.db`;

async function usesIn(home: TestHome) {
  const store = await openSqliteStore({ path: storeOf(home) });
  const events = await store.usage.list({});
  await store.close();
  return events.map(({ kind, session, host }) => [kind, session, host]);
}

describe("what agents open and say", () => {
  it("is kept with session and host, once a session", async () => {
    using home = openTestHome();
    const id = await noted(home);
    for (const session of ["s-1", "s-1", "s-2"]) await call(home, memoryGet, { id, session });
    await call(home, memoryFeedback, { id, verdict: "helped" });
    expect(await usesIn(home)).toEqual([
      ["opened", "s-1", "claude-code"],
      ["opened", "s-2", "claude-code"],
      ["helped", "s-1", "claude-code"],
    ]);
  });

  it("keeps no note from being read, nor makes it wait, while another process writes", async () => {
    using home = openTestHome();
    const id = await noted(home);
    const other = await openDriver({ path: storeOf(home) });
    other.exec("BEGIN IMMEDIATE");
    const from = performance.now();
    const { text, isError } = await call(home, memoryGet, { id });
    expect(performance.now() - from).toBeLessThan(BUSY_MS);
    expect(isError, text).toBe(false);
    expect(text).toContain("zanzibar");
    other.exec("ROLLBACK");
    other.close();
    expect(await usesIn(home)).toEqual([]);
  });

  it("is lost without a word where the store can't be opened", async () => {
    using home = openTestHome();
    home.write("../../arcticmem/memory.db", "no database at all ".repeat(100));
    await using memory = await home.open();
    await expect(memory.keep.noteOpened(memoryId("000001zzzzzz"), {})).resolves.toBeUndefined();
  });

  it("reaches the ranking, which says so", async () => {
    using home = openTestHome();
    const id = await noted(home);
    const utilityOf = async (): Promise<number | undefined> => {
      await using memory = await home.open();
      const { hits } = await memory.search({ text: "zanzibar tariff for barges", explain: true });
      return hits[0]?.explanation?.adjustments.utility;
    };
    expect(await utilityOf()).toBeUndefined();
    await call(home, memoryFeedback, { id, verdict: "helped" });
    expect(await utilityOf()).toBeCloseTo(1 + 0.001 / 3, 6);
  });

  it("takes a disputed memory out of what sessions start with, and leaves it to search with its mark", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add({
      text: "The zanzibar tariff applies to barges.",
      by: "agent",
      quote: "q",
    });
    await memory.keep.confirm(kept.id);
    const start = async (session: string): Promise<string> => {
      const deadlineAt = Date.now() + 5_000;
      const event = { session, host: "claude-code", source: "startup", maxCharacters: 9_000, deadlineAt } as const;
      return (await memory.start(event)).text;
    };
    expect(await start("s-1")).toContain("zanzibar");
    const { effect } = await memory.keep.feedback(kept.id, { verdict: "wrong", by: "agent", session: "s-1" });
    expect(effect).toBe("disputed");
    expect(await start("s-2")).not.toContain("zanzibar");
    expect((await memory.search({ text: "zanzibar tariff for barges" })).hits).toMatchObject([
      { memory: { status: "disputed", reason: "An agent found it wrong." } },
    ]);
    await memory.keep.undo(kept.id);
    expect(await start("s-3")).toContain("zanzibar");
  });
});
