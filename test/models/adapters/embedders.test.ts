import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COHERE_WIRE } from "../../../src/models/adapters/embedders/cohere.ts";
import type { EmbeddingWire } from "../../../src/models/adapters/embedders/embedding-wire.ts";
import { GEMINI_WIRE } from "../../../src/models/adapters/embedders/gemini.ts";
import { type EmbeddingEndpoint, openHttpEmbedder } from "../../../src/models/adapters/embedders/http-embedder.ts";
import { OPENAI_COMPATIBLE_WIRE } from "../../../src/models/adapters/embedders/openai-compatible.ts";
import { SNOWFLAKE_CORTEX_WIRE } from "../../../src/models/adapters/embedders/snowflake-cortex.ts";
import { VOYAGE_WIRE } from "../../../src/models/adapters/embedders/voyage.ts";
import type { Embedder } from "../../../src/models/embedder.ts";
import type { RetryDeps } from "../../../src/models/retry.ts";
import { embedderContract } from "../../contract/embedder.ts";
import {
  type EmbeddingServer,
  type EmbeddingServerOptions,
  type Fault,
  startEmbeddingServer,
} from "../../support/embedding-server.ts";

const KEY = "secret-key-of-the-test";

/** Each provider with the path of its base URL. */
const PROVIDERS: readonly (readonly [wire: EmbeddingWire, path: string, model: string])[] = [
  [OPENAI_COMPATIBLE_WIRE, "/v1", "text-embedding-3-small"],
  [VOYAGE_WIRE, "/v1", "voyage-4"],
  [COHERE_WIRE, "/v2", "embed-v4.0"],
  [GEMINI_WIRE, "/v1beta", "gemini-embedding-001"],
  [SNOWFLAKE_CORTEX_WIRE, "/api/v2/cortex/v1", "snowflake-arctic-embed-m-v1.5"],
];

interface Slept {
  readonly waits: number[];
  readonly deps: RetryDeps;
}

function noSleep(): Slept {
  const waits: number[] = [];
  return { waits, deps: { random: () => 0, sleep: async (ms) => void waits.push(ms) } };
}

interface Opened extends AsyncDisposable {
  readonly server: EmbeddingServer;
  readonly embedder: Embedder;
  readonly waits: readonly number[];
}

async function open(
  [wire, path, model]: (typeof PROVIDERS)[number],
  {
    server: serverOptions = {},
    ...fields
  }: Partial<EmbeddingEndpoint> & { readonly server?: EmbeddingServerOptions } = {},
): Promise<Opened> {
  const server = await startEmbeddingServer(serverOptions);
  const { waits, deps } = noSleep();
  const endpoint: EmbeddingEndpoint = {
    wire,
    baseUrl: server.url + path,
    model,
    key: { kind: "environment", variable: "KEY" },
    dimensions: null,
    knownDimensions: 24,
    prefixes: { query: null, document: null },
    maxTokens: null,
    timeoutMs: 5_000,
    environment: { KEY },
    ...fields,
  };
  const embedder = await openHttpEmbedder(endpoint, { retryDeps: deps });
  return { server, embedder, waits, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const [OPENAI, VOYAGE, COHERE, GEMINI, CORTEX] = PROVIDERS as [
  (typeof PROVIDERS)[number],
  (typeof PROVIDERS)[number],
  (typeof PROVIDERS)[number],
  (typeof PROVIDERS)[number],
  (typeof PROVIDERS)[number],
];

for (const provider of PROVIDERS) {
  embedderContract(`${provider[0].provider} on loopback`, async () => {
    const { embedder, server } = await open(provider);
    return { ...bound(embedder), close: () => Promise.resolve(server[Symbol.asyncDispose]()).catch(() => undefined) };
  });
}

function bound(embedder: Embedder): Embedder {
  const { fingerprint, dimensions, maxTokens } = embedder;
  return {
    fingerprint,
    dimensions,
    maxTokens,
    embed: (texts, options) => embedder.embed(texts, options),
    close: () => embedder.close(),
  };
}

describe("requests for embeddings", () => {
  it("carry the key as each provider wants it, and what a text is to the search", async () => {
    await using openAi = await open(OPENAI);
    await openAi.embedder.embed(["refund"], { kind: "query" });
    expect(openAi.server.requests[0]).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: "text-embedding-3-small", input: ["refund"] },
    });
    await using voyage = await open(VOYAGE);
    await voyage.embedder.embed(["refund"], { kind: "query" });
    expect(voyage.server.requests[0]?.body).toMatchObject({ input_type: "query", truncation: false });
    await using cohere = await open(COHERE);
    await cohere.embedder.embed(["refund"]);
    expect(cohere.server.requests[0]?.body).toMatchObject({ input_type: "search_document", truncate: "NONE" });
    await using gemini = await open(GEMINI);
    await gemini.embedder.embed(["refund"], { kind: "query" });
    expect(gemini.server.requests[0]?.headers["x-goog-api-key"]).toBe(KEY);
    expect(gemini.server.requests[0]?.body).toMatchObject({
      requests: [{ model: "models/gemini-embedding-001", taskType: "RETRIEVAL_QUERY" }],
    });
    await using cortex = await open(CORTEX);
    await cortex.embedder.embed(["refund"], { kind: "query" });
    expect(cortex.server.requests[0]).toMatchObject({
      path: "/api/v2/cortex/inference:embed",
      texts: ["Represent this sentence for searching relevant passages: refund"],
    });
  });

  it("carry the prefixes that a model is known to want, or those of the config", async () => {
    await using known = await open([OPENAI_COMPATIBLE_WIRE, "/v1", "nomic-embed-text"]);
    await known.embedder.embed(["a"], { kind: "query" });
    await known.embedder.embed(["a"]);
    expect(known.server.requests.map(({ texts }) => texts)).toEqual([["search_query: a"], ["search_document: a"]]);
    await using set = await open(OPENAI, { prefixes: { query: "Q: ", document: "" } });
    await set.embedder.embed(["a"], { kind: "query" });
    expect(set.server.requests[0]?.texts).toEqual(["Q: a"]);
    await using plain = await open(OPENAI);
    expect(new Set([known, set, plain].map(({ embedder }) => embedder.fingerprint)).size).toBe(3);
    expect(plain.embedder.fingerprint).toBe("openai-compatible:text-embedding-3-small@24");
  });

  it("ask once how long the vectors are where nobody said", async () => {
    await using found = await open(OPENAI, { knownDimensions: undefined });
    expect(found.embedder.dimensions).toBe(24);
    expect(found.server.requests).toHaveLength(1);
    await using wanted = await open(VOYAGE, { dimensions: 24 });
    await wanted.embedder.embed(["a"]);
    expect(wanted.server.requests.map(({ body }) => body.output_dimension)).toEqual([24]);
  });

  it("stay within what the provider takes at once", async () => {
    await using cohere = await open(COHERE);
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
    expect(await cohere.embedder.embed(texts)).toHaveLength(200);
    expect(cohere.server.requests.map((request) => request.texts.length)).toEqual([96, 96, 8]);
    await cohere.embedder.embed(["long ".repeat(2_000)]);
    expect(
      Math.max(...cohere.server.requests.flatMap((request) => request.texts.map(({ length }) => length))),
    ).toBeLessThan(2_000);
  });

  it("are halved where the endpoint says that it is too much: the batch, then the text", async () => {
    await using one = await open(OPENAI, { server: { maxCharacters: 400 } });
    const texts = ["short", "middling ".repeat(20), "long ".repeat(200)];
    const vectors = await one.embedder.embed(texts);
    expect(vectors.map(({ length }) => length)).toEqual([24, 24, 24]);
    const [alone] = await one.embedder.embed([texts[2] ?? ""]);
    expect([...(alone ?? [])]).toEqual([...(vectors[2] ?? [1])]);
  });

  it("give up where not even a short text is taken", async () => {
    await using one = await open(OPENAI, { server: { maxCharacters: 3 } });
    await expect(one.embedder.embed(["much too long"])).rejects.toMatchObject({
      code: "MODEL_FAILED",
      retryable: false,
    });
    expect(one.server.requests.length).toBeLessThan(5);
  });

  it("hold no half of a surrogate pair", async () => {
    await using one = await open(OPENAI);
    await one.embedder.embed(["a\ud83db"]);
    expect(one.server.requests[0]?.texts).toEqual(["a\ufffdb"]);
  });
});

describe("trouble with embeddings", () => {
  const withFaults = (faults: readonly Fault[], fields: Partial<EmbeddingEndpoint> = {}) =>
    open(OPENAI, { ...fields, server: { faults } });

  it("is waited for as long as the endpoint asks, then tried again", async () => {
    await using busy = await withFaults([{ status: 429, headers: { "retry-after": "7" } }, { status: 503 }]);
    expect(await busy.embedder.embed(["a"])).toHaveLength(1);
    expect(busy.waits).toEqual([7_000, 0]);
  });

  it.each<[string, Fault]>([
    ["a connection that is closed", "close"],
    ["an answer that is cut off", "cut"],
    ["an answer that is no JSON", "no-json"],
    ["an error of the server", { status: 500 }],
  ])("is tried again after %s, and retryable in the end", async (_what, fault) => {
    await using once = await withFaults([fault]);
    expect(await once.embedder.embed(["a"])).toHaveLength(1);
    await using always = await withFaults([fault, fault, fault]);
    await expect(always.embedder.embed(["a"])).rejects.toMatchObject({ name: "ModelError", retryable: true });
    expect(always.server.requests).toHaveLength(3);
  });

  it("ends after the time-out, and says so", async () => {
    await using slow = await withFaults(["hang", "hang", "hang"], { timeoutMs: 60 });
    await expect(slow.embedder.embed(["a"])).rejects.toMatchObject({
      message: expect.stringContaining("did not answer within 60 ms"),
      retryable: true,
    });
  });

  it("ends at once when the caller gives up", async () => {
    await using slow = await withFaults(["hang"]);
    const reason = new Error("no longer wanted");
    const control = new AbortController();
    const asked = slow.embedder.embed(["a"], { signal: control.signal });
    setTimeout(() => control.abort(reason), 30);
    await expect(asked).rejects.toBe(reason);
  });

  it("is final where trying again is no use, with a hint and without the key", async () => {
    const body = JSON.stringify({ error: { message: `Invalid key ${KEY}` } });
    await using refused = await withFaults([{ status: 401, body }]);
    const error = await refused.embedder.embed(["a"]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ retryable: false, hint: "Check the API key and what it may use." });
    expect(String(error)).toContain("[key]");
    expect(JSON.stringify(error) + String(error)).not.toContain(KEY);
  });

  it.each<[string, Fault, RegExp]>([
    ["too few vectors", "one-missing", /1 vectors for 2 texts/],
    ["values that are no numbers", "not-a-number", /no direction/],
    ["a vector of zeros", "zeros", /no direction/],
    ["another number of dimensions", "one-dimension-more", /25 dimensions instead of 24/],
  ])("is %s: nothing of it is returned", async (_what, fault, message) => {
    await using spoilt = await withFaults([fault]);
    await expect(spoilt.embedder.embed(["a", "b"])).rejects.toMatchObject({
      name: "ModelError",
      message: expect.stringMatching(message),
    });
  });

  it("is a key that is not there: the variable is named, nothing is sent", async () => {
    await using keyless = await open(OPENAI, { environment: {} });
    await expect(keyless.embedder.embed(["a"])).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: "Set KEY.",
    });
    expect(keyless.server.requests).toEqual([]);
  });

  it("is not made by a key in a file", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "arcticmem-key-")), "key");
    writeFileSync(path, `${KEY}\n`);
    await using one = await open(OPENAI, { key: { kind: "file", path } });
    await one.embedder.embed(["a"]);
    expect(one.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("is an endpoint that is not there: its host is named", async () => {
    await using gone = await open(OPENAI, { baseUrl: "http://127.0.0.1:9/v1" });
    await expect(gone.embedder.embed(["a"])).rejects.toMatchObject({
      message: expect.stringContaining("127.0.0.1:9 can't be reached"),
      retryable: true,
    });
  });
});
