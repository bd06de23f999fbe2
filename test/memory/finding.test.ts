import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handleOf } from "../../src/core/memory-record.ts";
import { openTestHome } from "../support/open-test-memory.ts";

const NOTE = { text: "The ledger compares totals, so round once at the end, never per line.", by: "person" } as const;

describe("memory.search", () => {
  it("finds a note by its words, and says so when nothing was embedded yet", async () => {
    using home = openTestHome();
    await using memory = await home.open({ embedder: null });
    await memory.add(NOTE);
    const answer = await memory.search({ text: "how are ledger totals rounded" });
    expect(answer.hits.map((hit) => hit.unit === "fact" && hit.memory.content)).toEqual([NOTE.text]);
    expect(answer.degraded.join()).toMatch(/no embedding model/);
  });

  it("finds what was written into an instruction file a moment ago, and no longer what was taken out", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    home.write("CLAUDE.md", "# Rules\n\nThe pangolin job runs at night.\n");
    await memory.files.index();
    home.write("CLAUDE.md", "# Rules\n\nThe armadillo job runs at night, after the backup.\n");
    await using later = await home.open();
    const found = await later.search({ text: "armadillo" });
    expect(found.hits.map((hit) => hit.unit)).toEqual(["chunk"]);
    expect((await later.search({ text: "pangolin" })).hits).toEqual([]);
  });

  it("embeds no more once it is interrupted, and keeps the passages", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    home.write("CLAUDE.md", "# Rules\n\nThe pangolin job runs at night.\n");
    await expect(memory.files.index({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    await expect(memory.reindex(undefined, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect((await memory.status()).files).toEqual({ files: 1, chunks: 1 });
  });

  it("finds pieces that were put, and notes that were brought without a vector each, once vectors are built", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.files.put([{ path: "talk", pieces: [{ text: "The pangolin job runs at night." }] }], { embed: false });
    const { memory: next } = await memory.add({ ...NOTE, embed: false });
    const old = {
      text: "The ledger rounds per line.",
      standing: { supersededBy: handleOf(next) },
      embed: false,
    } as const;
    expect((await memory.add({ ...old, by: "person" })).memory).toMatchObject({ supersededBy: next.id });
    expect(await memory.models.build()).toBeGreaterThan(0);
    const found = await memory.search({ text: "pangolin", explain: true });
    expect(found.hits).toMatchObject([{ unit: "chunk", chunk: { path: "put:talk", startLine: 1 } }]);
    expect((await memory.search({ text: "how does the ledger round", units: ["fact"] })).hits).toHaveLength(1);
  });

  it("searches with settings that somebody wants measured", async () => {
    using home = openTestHome();
    const { settingsFor } = await import("../../src/retrieve/settings.ts");
    const shipped = settingsFor(undefined);
    const only = { trigger: 0, body: 0, fulltext: 1, symbol: 0, trigram: 0 };
    const fact = { ...shipped.units.fact, weights: only };
    let measured: typeof shipped | undefined;
    await using memory = await home.open({ retrieval: () => measured });
    await memory.add(NOTE);
    const inForce = await memory.search({ text: "ledger totals", explain: true });
    expect(inForce.hits[0]?.explanation?.arms.length).toBeGreaterThan(1);
    measured = { ...shipped, units: { ...shipped.units, fact } };
    const { hits } = await memory.search({ text: "ledger totals", explain: true });
    expect(hits[0]?.explanation?.arms.filter(({ weight }) => weight > 0).map(({ arm }) => arm)).toEqual(["fulltext"]);
  });

  it("tells what a memory said at a moment, and nothing that was not known then", async () => {
    using home = openTestHome();
    let now = new Date("2026-03-01T12:00:00Z");
    await using memory = await home.open({ now: () => now });
    const { memory: kept } = await memory.add(NOTE);
    const day = (date: number) => new Date(`2026-03-0${date}T12:00:00Z`);
    now = day(3);
    await memory.keep.edit(kept.id, { content: "The ledger compares totals per account." });
    now = day(5);
    await memory.keep.edit(kept.id, { content: "The ledger compares nothing any more." });
    const read = async (asOf: Date) => {
      const { hits } = await memory.search({ text: "what does the ledger compare", asOf });
      return hits.map((hit) => hit.unit === "fact" && hit.memory.content);
    };
    expect(await read(new Date("2026-02-28T12:00:00Z"))).toEqual([]);
    expect(await read(day(2))).toEqual([NOTE.text]);
    expect(await read(day(4))).toEqual(["The ledger compares totals per account."]);
    expect(await read(day(6))).toEqual(["The ledger compares nothing any more."]);
  });

  it("answers in another project as if the memory did not exist", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add(NOTE);
    const cwd = join(home.folder, "work", "other");
    mkdirSync(cwd);
    await using elsewhere = await home.open({ cwd });
    expect((await elsewhere.search({ text: NOTE.text })).hits).toEqual([]);
    await expect(elsewhere.get(handleOf(kept))).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
  });

  it("finds a note of the user's own scope in every project", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ ...NOTE, scope: "user" });
    const cwd = join(home.folder, "work", "other");
    mkdirSync(cwd);
    await using elsewhere = await home.open({ cwd });
    expect((await elsewhere.search({ text: "ledger totals round" })).hits).toHaveLength(1);
  });
});

describe("memory.get", () => {
  it("opens by handle, by a part of the id and in any case", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add(NOTE);
    for (const name of [
      handleOf(kept),
      handleOf(kept).toUpperCase(),
      kept.id,
      kept.id.slice(0, 4),
      `C-${kept.id.slice(0, 2)}`,
    ]) {
      expect((await memory.get(name)).memory.id).toBe(kept.id);
    }
  });

  it("refuses what is no id, and names the command that lists them", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await expect(memory.get("'; drop table memories")).rejects.toMatchObject({
      code: "INPUT_INVALID",
      hint: expect.stringContaining("arcticmem list"),
    });
    await expect(memory.get("C-6")).rejects.toMatchObject({ hint: expect.stringContaining("two of its characters") });
  });
});
