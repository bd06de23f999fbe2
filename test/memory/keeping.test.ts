import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashEmbedder } from "../support/hash-embedder.ts";
import { openTestHome } from "../support/open-test-memory.ts";

const SAMPLE = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");

describe("memory.keep", () => {
  it("erases for good: no file of ours holds the words any more", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add({ text: "The zanzibar tariff applies to barges.", by: "person" });
    expect(await memory.keep.erase({ handles: [kept.id] })).toBe(1);
    await memory[Symbol.asyncDispose]();
    const folder = join(home.folder, "arcticmem");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes("zanzibar"), name).toBe(false);
    }
  });

  it("erases all that a session taught, its runs' words included", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { session, open } = await memory.ingest.session(SAMPLE);
    expect(await memory.list({})).not.toEqual([]);
    await memory.keep.erase({ session });
    await memory[Symbol.asyncDispose]();
    const store = readFileSync(join(home.folder, "arcticmem", "memory.db"));
    expect(store.includes("epoch minute")).toBe(false);
    expect(store.includes(open?.goal ?? "epoch minute")).toBe(false);
    await using again = await home.open();
    expect(await again.list({ statuses: ["active", "provisional", "superseded", "forgotten"] })).toEqual([]);
  });

  it("writes no word of what was erased when another session says it again: only the rule and a hash", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { session } = await memory.ingest.session(SAMPLE);
    const titles = (await memory.list({})).map(({ title }) => title);
    expect(titles).not.toEqual([]);
    await memory.keep.erase({ session });
    const copy = join(home.folder, "again.jsonl");
    writeFileSync(copy, readFileSync(SAMPLE, "utf8").replaceAll(session, "0badcafe-0000-4000-8000-000000000001"));
    const { rejections } = await memory.ingest.session(copy);
    const dropped = rejections.filter(({ rule }) => rule === "dup:erased");
    expect(dropped).toHaveLength(titles.length);
    for (const { title, detail } of dropped) {
      expect(title).toBe("(erased)");
      expect(detail).toMatch(/^[0-9a-f]{64}$/);
    }
    await memory[Symbol.asyncDispose]();
    const store = readFileSync(join(home.folder, "arcticmem", "memory.db"));
    for (const words of [...titles, "epoch minute"]) expect(store.includes(words), words).toBe(false);
  });

  it("takes back a whole run", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { run } = await memory.ingest.session(SAMPLE);
    await memory.keep.undo(run);
    expect(await memory.list({})).toEqual([]);
  });

  it("says of a run that was taken back that it was, in its own record and to who ingests its session again", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { run } = await memory.ingest.session(SAMPLE);
    const [before] = await memory.ingest.runs();
    expect(before?.report?.undone).toBeUndefined();
    await memory.keep.undo(run);
    const [after] = await memory.ingest.runs();
    expect(after).toEqual({ ...before, report: { ...before?.report, undone: true } });
    expect(await memory.ingest.session(SAMPLE)).toMatchObject({ run, alreadyIngested: true, undone: true });
  });

  it("learns nothing again after a purge from transcripts that lie on disk", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const folder = join(home.folder, ".claude", "projects", "billing");
    mkdirSync(folder, { recursive: true });
    const session = readFileSync(SAMPLE, "utf8").replaceAll("/home/ana/work/tidewatch", home.project);
    const transcript = join(folder, "334dc42c-b1cf-48a0-a24d-93bc4362cac8.jsonl");
    writeFileSync(transcript, session);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(transcript, anHourAgo, anHourAgo);
    expect((await memory.ingest.work()).processed).toHaveLength(1);
    await memory.keep.purge();
    await using later = await home.open();
    expect((await later.ingest.work()).processed).toEqual([]);
  });

  it("purges everything but the config and the time of the purge", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.ingest.session(SAMPLE);
    await memory.ingest.work();
    writeFileSync(join(home.folder, "arcticmem", "memory.db.before-v2-20260101T000000"), "what a migration copied");
    await memory.keep.purge();
    const left = readdirSync(join(home.folder, "arcticmem"), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(["purged"]);
  });

  it("purges for those too that have the store open: they forget it all, and what they keep next is kept", async () => {
    using home = openTestHome();
    await using server = await home.open();
    await server.add({ text: "The zanzibar tariff applies to barges.", by: "person" });
    await using memory = await home.open();
    await memory.keep.purge();
    expect((await server.search({ text: "zanzibar tariff" })).hits).toEqual([]);
    await server.add({ text: "The kontor tariff applies to trains.", by: "person" });
    await using later = await home.open();
    expect((await later.list({})).map(({ content }) => content)).toEqual(["The kontor tariff applies to trains."]);
  });

  it("embeds about as much for notes that are kept at once as for the same one after the other", async () => {
    const texts = Array.from({ length: 12 }, (_, at) => `The tariff of harbour ${at} is settled at quay ${at}.`);
    const embeddedBy = async (keep: (add: (text: string) => Promise<unknown>) => Promise<unknown>): Promise<number> => {
      using home = openTestHome();
      let count = 0;
      const onEmbed = (batch: readonly string[]): void => {
        count += batch.length;
      };
      await using memory = await home.open({ embedder: hashEmbedder({ onEmbed }) });
      await keep((text) => memory.add({ text, by: "person" }));
      return count;
    };
    const inTurn = await embeddedBy(async (add) => {
      for (const text of texts) await add(text);
    });
    expect(await embeddedBy((add) => Promise.all(texts.map(add)))).toBeLessThanOrEqual(2 * inTurn);
  });

  it("looks again at a store that could not be opened", async () => {
    using home = openTestHome();
    const file = home.write("../../arcticmem/memory.db", "no database at all ".repeat(100));
    await using memory = await home.open();
    await expect(memory.list({})).rejects.toMatchObject({ code: "STORE_BROKEN" });
    rmSync(file);
    expect(await memory.list({})).toEqual([]);
  });

  it("looks again at a config that could not be read", async () => {
    using home = openTestHome();
    const file = home.write("../../arcticmem/config.json", "{");
    await using memory = await home.open();
    await expect(memory.ingest.session(SAMPLE)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    rmSync(file);
    expect((await memory.ingest.session(SAMPLE)).result.kind).toBe("facts");
  });
});

describe("memory.ingest", () => {
  it("takes the same session twice as once", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const first = await memory.ingest.session(SAMPLE);
    const second = await memory.ingest.session(SAMPLE);
    expect(second).toMatchObject({ run: first.run, alreadyIngested: true });
  });

  it("works off what hooks have spooled, and nothing while paused", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const entry = {
      host: "claude-code",
      session: "spooled",
      transcript: SAMPLE,
      cwd: home.project,
      offset: 0,
      reason: "session-end",
    } as const;
    await memory.ingest.pause();
    await memory.ingest.spool(entry);
    expect((await memory.ingest.work()).processed).toEqual([]);
    await memory.ingest.resume();
    await memory.ingest.spool(entry);
    expect((await memory.ingest.work()).processed.map(({ result }) => result.kind)).toEqual(["facts"]);
  });
});
