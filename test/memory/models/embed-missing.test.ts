import { describe, expect, it } from "vitest";
import { embedMissing } from "../../../src/memory/models/embed-missing.ts";
import { chunkTexts } from "../../../src/store/unit-texts.ts";
import { filledStore } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aChunk, PROJECT } from "../../support/records.ts";

const FILTER = { unit: "chunk", projects: [PROJECT], user: false, statuses: [] } as const;

describe("embedMissing over long and many texts", () => {
  it("finds a long piece by any passage of it, as near as that passage's window is, and once", async () => {
    const filler = "rows are copied nightly from the station into the archive table. ".repeat(60);
    const passage = "The walrus ledger closes at noon in Narvik. ".repeat(20);
    const long = `${filler}${passage}${filler}`.trimEnd();
    const embedder = hashEmbedder({ dimensions: 256 });
    const store = await filledStore({ chunks: [aChunk(0, { text: long, headings: [] }), aChunk(1, { text: filler })] });
    await embedMissing({ index: store.index, embedder });
    const query = embedder.embedQuery("walrus ledger closes at noon in Narvik");
    const windows = await embedder.embed(chunkTexts({ text: long, headings: [] }, []).map(({ text }) => text));
    expect(windows.length).toBeGreaterThan(4);
    const dot = (vector: Float32Array): number => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    const nearness = windows.map(dot);
    const mean = nearness.reduce((sum, value) => sum + value, 0) / nearness.length;
    const hits = await store.index.vectors(query, "body", FILTER, 5);
    expect(new Set(hits.map(({ key }) => key)).size).toBe(hits.length);
    expect(hits[0]?.score).toBeCloseTo(Math.max(...nearness), 2);
    expect(hits[0]?.score).toBeGreaterThan(mean + 0.1);
    expect((await store.index.chunksByKey([hits[0]?.key ?? 0])).get(hits[0]?.key ?? 0)?.text).toBe(long);
    await store.close();
  });

  it("tells after each batch how far bulk work has come, up to all of it", async () => {
    const chunks = Array.from({ length: 150 }, (_, at) => aChunk(at, { text: `piece ${at}`, headings: [] }));
    const store = await filledStore({ chunks });
    const told: (readonly [string, number, number])[] = [];
    const onProgress = (what: string, done: number, total: number): void => void told.push([what, done, total]);
    await embedMissing({ index: store.index, embedder: hashEmbedder() }, { onProgress });
    expect(told.length).toBeGreaterThan(1);
    expect(told.map(([, done]) => done)).toEqual([...told.map(([, done]) => done)].sort((a, b) => a - b));
    expect(told.at(-1)).toEqual(["embedding", 150, 150]);
    await store.close();
  });
});
