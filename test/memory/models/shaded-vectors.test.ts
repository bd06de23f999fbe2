import { describe, expect, it } from "vitest";
import { embedMissing } from "../../../src/memory/models/embed-missing.ts";
import { filledStore } from "../../support/filled-store.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";
import { aChunk, PROJECT } from "../../support/records.ts";

const FILTER = { unit: "chunk", projects: [PROJECT], user: false, statuses: [] } as const;

describe("embedMissing", () => {
  it("shades the vector of a short piece by what stands around it, so that an answer is found by its question", async () => {
    const asked: string[] = [];
    const embedder = hashEmbedder({ dimensions: 256, onEmbed: (texts) => asked.push(...texts) });
    const texts = [
      "which broker carries the shipment events",
      "NATS since spring",
      "thanks",
      "unrelated words",
      "more of them",
    ];
    const chunks = texts.map((text, at) => aChunk(at, { text, headings: [] }));
    const store = await filledStore({ chunks });
    expect(await embedMissing({ index: store.index, embedder })).toBe(5);
    expect(asked.sort()).toEqual([...texts].sort());
    const query = embedder.embedQuery("broker carries shipment events");
    const found = await store.index.vectors(query, "body", FILTER, 5);
    const keys = found.map(({ key }) => key);
    const read = await store.index.chunksByKey(keys);
    expect(keys.slice(0, 2).map((key) => read.get(key)?.text)).toEqual(texts.slice(0, 2));
    await store.close();
  });
});
