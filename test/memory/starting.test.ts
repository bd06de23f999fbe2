import { describe, expect, it } from "vitest";
import { handleOf } from "../../src/core/memory-record.ts";
import { openTestHome } from "../support/open-test-memory.ts";

const START = {
  session: "s1",
  host: "claude-code",
  source: "startup",
  maxCharacters: 10_000,
  deadlineAt: Date.now() + 60_000,
} as const;

describe("memory.start", () => {
  it("says nothing, and makes no store, where nothing was ever kept", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    expect(await memory.start(START)).toEqual({ text: "", shown: [], degraded: [] });
    expect((await memory.status()).store.problem).toBeNull();
  });

  it("gives the manifest and the titles, and the same manifest byte for byte the next time", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    const first = await memory.start(START);
    const second = await memory.start({ ...START, session: "s2" });
    const manifest = (text: string) => /<arcticmem-manifest[\s\S]*<\/arcticmem-manifest>/.exec(text)?.[0];
    expect(first.text).toContain(handleOf(kept));
    expect(manifest(first.text)).toBeDefined();
    expect(manifest(second.text)).toBe(manifest(first.text));
  });

  it("sends a resumed session nothing that it has, and all of it after something changed", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    await memory.start(START);
    expect((await memory.start({ ...START, source: "resume" })).text).toBe("");
    await memory.add({ text: "The replica applies migrations a day later.", by: "person" });
    expect((await memory.start({ ...START, source: "resume" })).text).toContain("replica");
  });

  it("says nothing when switched off", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    await using off = await home.open({ variables: { ARCTICMEM_DISABLE: "1" } });
    expect((await off.start(START)).text).toBe("");
  });
});
