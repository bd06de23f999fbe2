import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/core/memory.ts";
import { askInOneModel } from "../../src/memory/models/ask-in-one-model.ts";
import { openMemory } from "../../src/memory.ts";
import type { Embedder } from "../../src/models/embedder.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-store.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../support/embedding-server.ts";
import { hashEmbedder } from "../support/hash-embedder.ts";

const NOTES = 60;
/** Each note has words of its own, so that only its own vector is near. */
const titleOf = (at: number): string => `Heron${at} otter${at} walrus${at}`;

interface Stage extends AsyncDisposable {
  readonly server: EmbeddingServer;
  readonly memory: Memory;
  /** Another memory of the same home, as another process would open it. */
  open(): Promise<Memory>;
  use(memory: Memory, model: string): Promise<unknown>;
  /** A worker process. */
  startBuild(how?: "reindex"): ChildProcess;
  readonly storePath: string;
}

/** A memory whose notes have vectors of the model `old`. */
async function stage({ notes = NOTES, delayMs = 0 } = {}): Promise<Stage> {
  const server = await startEmbeddingServer();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-swap-")));
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const variables = { HOME: folder, ARCTICMEM_HOME: join(folder, "home"), ARCTICMEM_NO_WORKER: "1" };
  const opened: Memory[] = [];
  const open = async (): Promise<Memory> => {
    const memory = await openMemory({ cwd, environment: { platform: process.platform, variables } });
    opened.push(memory);
    return memory;
  };
  const use = (memory: Memory, model: string) =>
    memory.models.use({ provider: "openai-compatible", model, baseUrl: `${server.url}/v1` });
  const memory = await open();
  await use(memory, "old");
  for (let at = 0; at < notes; at += 1) {
    await memory.add({ text: `Note number ${at} about ${titleOf(at)}`, title: titleOf(at), by: "person" });
  }
  server.delayMs = delayMs;
  return {
    server,
    memory,
    open,
    use,
    storePath: join(folder, "home", "memory.db"),
    startBuild: (how) => {
      const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
      const script = resolve(import.meta.dirname, "workers/build-vectors.ts");
      const env = { ...process.env, ...variables };
      return spawn(process.execPath, ["--import", tsx, script, cwd, how ?? ""], {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
    },
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Fingerprints whose vectors the store holds, the serving one first. */
async function fingerprints(path: string): Promise<string[]> {
  const store = await openSqliteStore({ path });
  try {
    const active = (await store.index.activeFingerprint()) ?? "none";
    const all = await store.index.countMissing("");
    const names = ["old", "new"].map((model) => `openai-compatible:${model}@24`);
    const held = [];
    for (const name of names) if ((await store.index.countMissing(name)) < all) held.push(name);
    return [active, ...held.filter((name) => name !== active)];
  } finally {
    await store.close();
  }
}

/** Only the vectors of one model put the note with this title first among its vectors. */
async function expectWholeAnswer(memory: Memory, at: number): Promise<void> {
  const { hits, degraded } = await memory.search({ text: titleOf(at), explain: true });
  expect(degraded).toEqual([]);
  const [hit] = hits;
  expect(hit?.unit === "fact" ? hit.memory.title : "").toBe(titleOf(at));
  expect(hit?.explanation?.arms.find(({ arm }) => arm === "trigger")?.rank).toBe(1);
}

const queryModels = ({ requests }: EmbeddingServer): string[] =>
  requests.filter(({ texts }) => texts.length === 1).map(({ body }) => String(body.model));

describe("moving to another model", () => {
  it("asks the old model until every text has its new vector, then the new one, and drops the old vectors", async () => {
    await using one = await stage();
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:old@24"]);
    await one.use(one.memory, "new");
    const { embedder } = await one.memory.status();
    expect(embedder.swap).toMatchObject({ from: "openai-compatible:old@24", done: 0 });
    await expectWholeAnswer(one.memory, 3);
    expect(queryModels(one.server).at(-1)).toBe("old");

    const embedded = await one.memory.models.build();
    expect(embedded).toBe(embedder.swap?.total);
    expect((await one.memory.status()).embedder).toEqual({ name: "openai-compatible:new@24", missingVectors: 0 });
    await expectWholeAnswer(one.memory, 3);
    expect(queryModels(one.server).at(-1)).toBe("new");
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:new@24"]);
  });

  it("goes on after a kill where it stopped, and searches never fail and never mix meanwhile", async () => {
    await using one = await stage({ delayMs: 250 });
    await one.use(one.memory, "new");
    const total = (await one.memory.status()).embedder.swap?.total ?? 0;

    const killed = one.startBuild();
    const ended = once(killed, "exit");
    for (let done = 0; done === 0; done = (await one.memory.status()).embedder.swap?.done ?? total) {
      await expectWholeAnswer(one.memory, 5);
    }
    killed.kill("SIGKILL");
    await ended;
    const { swap } = (await one.memory.status()).embedder;
    const done = swap?.done ?? 0;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(total);
    await expectWholeAnswer(one.memory, 7);

    const resumed = one.startBuild();
    let isRunning = true;
    let said = "";
    resumed.stdout?.on("data", (part) => (said += String(part)));
    const finished = once(resumed, "close").then(() => (isRunning = false));
    for (let at = 0; isRunning; at = (at + 1) % NOTES) await expectWholeAnswer(one.memory, at);
    await finished;
    expect(Number(said)).toBe(total - done);
    for (let at = 0; at < 20; at += 1) await expectWholeAnswer(one.memory, at);
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:new@24"]);
    expect(new Set(queryModels(one.server))).toEqual(new Set(["old", "new"]));
  }, 120_000);

  it("gives notes that are added meanwhile a vector of the old model at once, and one of the new", async () => {
    await using one = await stage({ notes: 5 });
    await one.use(one.memory, "new");
    await one.memory.add({ text: "A late note about pelicans", title: "Pelican puffin plover", by: "person" });
    const { hits, degraded } = await one.memory.search({ text: "Pelican puffin plover", explain: true });
    expect(degraded).toEqual([]);
    expect(hits[0]?.explanation?.arms.map(({ arm }) => arm)).toContain("trigger");
    expect((await one.memory.status()).embedder.swap?.done).toBe(0);
    await one.memory.models.build();
    expect((await one.memory.status()).embedder.missingVectors).toBe(0);
  });

  it("is followed by a process that has run for long, which never moves back", async () => {
    await using one = await stage({ notes: 5 });
    const server = await one.open();
    await expectWholeAnswer(server, 2);
    await one.use(one.memory, "new");
    await one.memory.models.build();
    await expectWholeAnswer(server, 2);
    await server.add({ text: "Said to the server about pelicans", title: "Pelican puffin", by: "agent" });
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:new@24"]);
    expect(queryModels(one.server).at(-1)).toBe("new");
  });

  it("can be given up midway: the old model serves as if nothing had been", async () => {
    await using one = await stage({ notes: 5 });
    await one.use(one.memory, "new");
    await one.use(one.memory, "old");
    expect(await one.memory.models.build()).toBe(0);
    await expectWholeAnswer(one.memory, 1);
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:old@24"]);
  });

  it("does not happen where the new model does not answer: the config stays", async () => {
    await using one = await stage({ notes: 3 });
    const gone = { provider: "openai-compatible", model: "x", baseUrl: "http://127.0.0.1:9/v1", dimensions: 8 };
    await expect(one.memory.models.use(gone)).rejects.toMatchObject({ code: "MODEL_FAILED" });
    await expect(one.memory.models.use({ provider: "voyage" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect((await one.memory.status()).embedder).toEqual({ name: "openai-compatible:old@24", missingVectors: 0 });
  });
});

describe("reindex", () => {
  it("loses no vector: the old ones serve until the new ones are all there, also over a kill", async () => {
    await using one = await stage({ delayMs: 250 });
    const missing = async (): Promise<number> => {
      const store = await openSqliteStore({ path: one.storePath });
      return store.index.countMissing("openai-compatible:old@24 made anew").finally(() => store.close());
    };
    const total = await missing();
    const killed = one.startBuild("reindex");
    const ended = once(killed, "exit");
    while ((await missing()) === total) await expectWholeAnswer(one.memory, 5);
    killed.kill("SIGKILL");
    await ended;
    for (let at = 0; at < 10; at += 1) await expectWholeAnswer(one.memory, at);

    const resumed = await one.memory.reindex();
    expect(resumed.embedded).toBeLessThan(total);
    expect(resumed.memories).toBe(NOTES);
    for (let at = 0; at < 10; at += 1) await expectWholeAnswer(one.memory, at);
    expect(await fingerprints(one.storePath)).toEqual(["openai-compatible:old@24"]);
    expect((await one.memory.status()).embedder.missingVectors).toBe(0);
  }, 120_000);

  it("makes vectors anew that were wrong, and asks the model for each text once", async () => {
    await using one = await stage({ notes: 5 });
    const store = await openSqliteStore({ path: one.storePath });
    const wrong = hashEmbedder({ dimensions: 24 });
    const missing = await store.index.missingVectors("wrong", 99);
    await store.index.putVectors(
      "wrong",
      missing.map((entry) => ({ ...entry, vector: wrong.embedQuery("nothing of the sort") })),
    );
    await store.index.replaceActive("wrong");
    await store.close();
    expect((await one.memory.reindex()).embedded).toBe(missing.length);
    for (let at = 0; at < 5; at += 1) await expectWholeAnswer(one.memory, at);
  });
});

describe("a model that is gone", () => {
  it("leaves words and symbols, and the answer says what is missing", async () => {
    const one = await stage({ notes: 5 });
    await one.server[Symbol.asyncDispose]();
    const memory = await one.open();
    const { hits, degraded } = await memory.search({ text: "otter3" });
    expect(hits[0]?.unit === "fact" ? hits[0].memory.title : "").toBe(titleOf(3));
    expect(degraded.join("\n")).toMatch(/can't be reached|late after/);
    await memory.add({ text: "Kept all the same", by: "person" });
    expect((await memory.status()).embedder.missingVectors).toBeGreaterThan(0);
    for (const open of [memory, one.memory]) await open[Symbol.asyncDispose]();
  });

  it("does not hold up a session that starts", async () => {
    const one = await stage({ notes: 5 });
    const slow = await one.open();
    await one.server[Symbol.asyncDispose]();
    const now = Date.now();
    const event = {
      session: "s",
      host: "claude-code",
      source: "startup",
      maxCharacters: 9_000,
      deadlineAt: now + 400,
    } as const;
    const { text } = await slow.start(event);
    expect(text).toContain(titleOf(3));
    for (const open of [slow, one.memory]) await open[Symbol.asyncDispose]();
  });
});

describe("a question in one model", () => {
  const old = hashEmbedder({ fingerprint: "old" });
  const next = hashEmbedder({ fingerprint: "next" });

  /** A store whose serving model is what the test says at that moment. */
  function benchOf(state: { active: string }) {
    const serving = async (): Promise<Embedder> => (state.active === "old" ? old : next);
    const store = async () => ({ index: { activeFingerprint: async () => state.active } });
    return { serving, store } as unknown as Parameters<typeof askInOneModel>[0];
  }

  it("is asked again when the model changed under it", async () => {
    const state = { active: "old" };
    const asked: (string | undefined)[] = [];
    const answer = await askInOneModel(benchOf(state), async (embedder) => {
      asked.push(embedder?.fingerprint);
      state.active = "next";
      return asked.length;
    });
    expect(answer).toBe(2);
    expect(asked).toEqual(["old", "next"]);
  });

  it("is answered without vectors where models never stop changing", async () => {
    const state = { active: "old" };
    const asked: (string | undefined)[] = [];
    await askInOneModel(benchOf(state), async (embedder) => {
      asked.push(embedder?.fingerprint);
      state.active = state.active === "old" ? "next" : "old";
    });
    expect(asked).toEqual(["old", "next", "old", undefined]);
  });
});
