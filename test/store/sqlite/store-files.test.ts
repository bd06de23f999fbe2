import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { add, anEvent, aSource, revise } from "../../contract/store/changes.ts";
import { aReport } from "../../contract/store/runs.ts";
import { aUse } from "../../contract/store/usage.ts";
import { embedAll } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aMemory, NOW, PROJECT } from "../../support/records.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "arcticmem-"));
const FILTER = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] } as const;
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("a store's files", () => {
  const opened: Store[] = [];
  const open = async (options: Parameters<typeof openSqliteStore>[0]): Promise<Store> => {
    const store = await openSqliteStore(options);
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  it("are private to their owner, side files and folder included", async () => {
    const path = join(folder(), "made", "here", "store.db");
    const store = await open({ path });
    await store.memories.apply([add(aMemory(1))], []);
    expect([path, `${path}-wal`, `${path}-shm`].map(mode)).toEqual(["600", "600", "600"]);
    expect(mode(join(path, ".."))).toBe("700");
  });

  it("of earlier versions keep what was erased then erased in all projects", async () => {
    const path = join(folder(), "store.db");
    const store = await open({ path });
    const driver = await openDriver({ path });
    driver.prepare("INSERT INTO erased (content_hash, erased_at) VALUES (?, ?)").run(["cafe", NOW.getTime()]);
    driver.close();
    expect(await store.memories.findTombstone(PROJECT, "cafe")).toEqual({ contentHash: "cafe", erasedAt: NOW });
  });

  it("that another process writes are not waited for by what may be lost, and waited for again afterwards", async () => {
    const busyTimeoutMs = 2_000;
    const path = join(folder(), "store.db");
    const store = await open({ path, busyTimeoutMs });
    await store.memories.apply([add(aMemory(1))], []);
    const other = await openDriver({ path });
    other.exec("BEGIN IMMEDIATE");
    const waited = async (wait: boolean): Promise<number> => {
      const from = performance.now();
      await expect(store.usage.add(aUse(), { wait })).rejects.toMatchObject({ code: "STORE_LOCKED" });
      return performance.now() - from;
    };
    expect(await waited(false)).toBeLessThan(busyTimeoutMs / 2);
    expect(await waited(true)).toBeGreaterThan(busyTimeoutMs / 2);
    other.exec("COMMIT");
    other.close();
    expect(await store.usage.add(aUse(), { wait: false })).toBe(true);
  });

  it("become private when they were not", async () => {
    const path = join(folder(), "store.db");
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    await open({ path });
    expect(mode(path)).toBe("600");
  });

  it("are read by a second handle that sees each change of the first at once, in every searcher", async () => {
    const path = join(folder(), "store.db");
    const [first, second] = [await open({ path }), await open({ path })];
    const embedder = hashEmbedder();
    const ask = async () => ({
      words: (await second.index.fulltext([{ text: "walrus" }], FILTER, 9)).length,
      vectors: (await second.index.vectors(embedder.embedQuery("walrus"), "trigger", FILTER, 9)).length,
    });
    expect(await ask()).toEqual({ words: 0, vectors: 0 });
    await first.memories.apply([add(aMemory(1, { content: "walrus" }))], []);
    await embedAll(first, embedder);
    expect(await ask()).toEqual({ words: 1, vectors: 1 });
    await first.memories.apply([add(aMemory(2, { content: "walrus too" }))], []);
    expect(await ask()).toEqual({ words: 2, vectors: 1 });
    await embedAll(first, embedder);
    expect(await ask()).toEqual({ words: 2, vectors: 2 });
    await first.memories.erase([aMemory(1).id], NOW);
    expect(await ask()).toEqual({ words: 1, vectors: 1 });
    await first.rebuildDerived();
    expect(await ask()).toEqual({ words: 1, vectors: 1 });
  });

  it("can be read only, without being written", async () => {
    const path = join(folder(), "store.db");
    await (await open({ path })).memories.apply([add(aMemory(1, { content: "walrus" }))], []);
    const reader = await open({ path, readOnly: true });
    expect(await reader.index.fulltext([{ text: "walrus" }], FILTER, 9)).toHaveLength(1);
    await expect(reader.settings.set("a", "b")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(open({ path: `${path}.not-there`, readOnly: true })).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    expect(existsSync(`${path}.not-there`)).toBe(false);
  });

  it("that are damaged give an error with a hint and are left as they were", async () => {
    const path = join(folder(), "store.db");
    const text = "this is no database, but someone's letter. ".repeat(200);
    writeFileSync(path, text);
    await expect(open({ path })).rejects.toMatchObject({
      code: "STORE_BROKEN",
      hint: expect.stringContaining("backup"),
    });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("that are damaged inside give an error when the damage is met", async () => {
    const source = join(folder(), "store.db");
    const path = join(folder(), "copy.db");
    const store = await open({ path: source });
    await store.memories.apply(
      Array.from({ length: 200 }, (_, at) => add(aMemory(at + 1))),
      [],
    );
    const driver = await openDriver({ path: source });
    driver.prepare("VACUUM INTO ?").run([path]);
    driver.close();
    const bytes = readFileSync(path);
    bytes.fill(0xab, 8192);
    writeFileSync(path, bytes);
    const attempt = async (): Promise<unknown> => (await open({ path })).memories.list({});
    await expect(attempt()).rejects.toMatchObject({ code: "STORE_BROKEN" });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("of something else are refused and not changed", async () => {
    const path = join(folder(), "other.db");
    const driver = await openDriver({ path });
    driver.exec("CREATE TABLE letters (body TEXT)");
    driver.close();
    await expect(open({ path })).rejects.toMatchObject({ code: "STORE_BROKEN" });
    const again = await openDriver({ path });
    expect(
      again
        .prepare("SELECT name FROM sqlite_schema")
        .all()
        .map((row) => row.name),
    ).toEqual(["letters"]);
    again.close();
  });

  it("cannot be where a folder is, or under a file", async () => {
    const place = folder();
    writeFileSync(join(place, "note"), "");
    for (const path of [place, join(place, "note", "store.db")]) {
      await expect(open({ path })).rejects.toMatchObject({ code: "CONFIG_INVALID", hint: expect.any(String) });
    }
  });

  it("that are full refuse the change with a hint, keep what was there and go on when there is room", async () => {
    const path = join(folder(), "store.db");
    const small = await open({ path, maxPageCount: 150 });
    await small.memories.apply([add(aMemory(1))], []);
    const large = aMemory(2, { content: "x".repeat(2_000_000) });
    await expect(small.memories.apply([add(large)], [anEvent(large)])).rejects.toMatchObject({
      code: "STORE_FULL",
      hint: expect.any(String),
    });
    expect(await small.memories.count({})).toBe(1);
    await small.memories.apply([add(aMemory(3))], []);
    const roomy = await open({ path });
    expect(await roomy.memories.apply([add(large)], [])).toEqual({ applied: true });
  });

  it("that another process writes give an error with a hint after the time-out, and can still be read", async () => {
    const path = join(folder(), "store.db");
    const store = await open({ path, busyTimeoutMs: 50 });
    await store.memories.apply([add(aMemory(1))], []);
    const other = await openDriver({ path });
    other.exec("BEGIN IMMEDIATE");
    const locked = { code: "STORE_LOCKED", hint: expect.any(String) };
    await expect(store.memories.apply([add(aMemory(2))], [])).rejects.toMatchObject(locked);
    expect(await store.memories.count({})).toBe(1);
    other.exec("COMMIT");
    other.close();
    expect(await store.memories.apply([add(aMemory(2))], [])).toEqual({ applied: true });
  });

  it("hold no trace of an erased memory: not in tables, full-text pages, vectors, log or free pages", async () => {
    const path = join(folder(), "store.db");
    const store = await open({ path });
    const words = ["xylophonist", "quokkasaurus", "zeppelinwort", "marmoladenfisch", "vanillabeetle"];
    const [title = "", content = "", why = "", quote = "", revised = ""] = words;
    const doomed = aMemory(1, { title, content: `${content} `.repeat(800), why, symbols: [`${why}.ts`] });
    const others = Array.from({ length: 150 }, (_, at) => add(aMemory(at + 2)));
    await store.memories.apply(
      [...others, add({ ...doomed, provenance: [{ ...aSource, quote, excerpt: quote }] })],
      [],
    );
    await store.memories.apply([revise(doomed, { content: revised })], [anEvent(doomed, { reason: quote })]);
    const start = { id: aSource.run ?? ("r" as never), host: "h", session: "s" as never, digest: "d", profile: "p" };
    const more = { extractor: "e", project: PROJECT, transcript: "t", owner: "o", leaseMs: 1, maxAttempts: 1 };
    await store.runs.claim({ ...start, ...more }, NOW);
    const trail = { type: "lesson", proposed: "ADD", applied: "ADD", target: null, guards: [], reason: why } as const;
    const report = { ...aReport({ kind: "facts" }), decisions: [{ ...trail, title, memory: doomed.id }] };
    await store.runs.finish(start.id, { status: "done", notBefore: null, watermark: 1, report, error: null }, NOW);
    await embedAll(store, hashEmbedder());
    await store.memories.erase([doomed.id], NOW);
    for (const name of readdirSync(join(path, ".."))) {
      const bytes = readFileSync(join(path, "..", name)).toString("latin1");
      // FTS5 stores a word without the beginning that it shares with the word before it.
      for (const word of words) expect(bytes.includes(word.slice(3)), `${word} in ${name}`).toBe(false);
    }
    expect(await store.memories.count({})).toBe(150);
    expect(await store.index.trigrams(["Content"], FILTER, 50)).toHaveLength(50);
  });
});
