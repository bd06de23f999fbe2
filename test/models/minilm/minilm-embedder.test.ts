import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ArcticMemError, ModelError } from "../../../src/core/errors.ts";
import { MiniLmEmbedder } from "../../../src/models/minilm/minilm-embedder.ts";
import { MODEL_PATH } from "../../../src/models/minilm/model-file.ts";
import { embedderContract } from "../../contract/embedder.ts";

embedderContract("MiniLmEmbedder", () => new MiniLmEmbedder());

describe("MiniLmEmbedder", () => {
  let embedder = new MiniLmEmbedder();
  afterEach(async () => {
    await embedder.close();
    embedder = new MiniLmEmbedder();
  });

  it("gives the same bits on this thread and in the workers", async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `note ${index}: the export of region ${index * 7} failed`);
    const vectors = await embedder.embed(texts);
    expect(vectors).toEqual(texts.map((text) => embedder.embedQuery(text)));
  });

  it("knows what belongs together", () => {
    const question = embedder.embedQuery("when may money be paid back");
    const scores = ["Refunds run after the ledger is closed.", "The logo is drawn in two colours."].map((text) =>
      embedder.embedQuery(text).reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0),
    );
    expect(scores[0]).toBeGreaterThan((scores[1] ?? 1) + 0.2);
  });

  it("answers two calls at once, and stops one of them without harm to the other", async () => {
    const abort = new AbortController();
    const stopped = embedder.embed(Array(200).fill("a long queue of work"), { signal: abort.signal });
    const wanted = embedder.embed(Array(20).fill("wanted"));
    abort.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    expect(await wanted).toHaveLength(20);
  });

  it("rejects what is under way when it is closed, and everything after", async () => {
    const pending = embedder.embed(Array(200).fill("never done"));
    const rejected = expect(pending).rejects.toThrow(ModelError);
    await embedder.close();
    await rejected;
    await expect(embedder.embed(["too late"])).rejects.toThrow("closed");
  });

  it("cuts a long query, on this thread and in the workers alike", async () => {
    const query = "how is the ledger closed ".repeat(100);
    const [vector] = await embedder.embed([query], { kind: "query" });
    expect(vector).toEqual(embedder.embedQuery(query));
  });

  it("refuses a damaged model file before a vector of it is kept, and a missing one at once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-embedder-"));
    const modelPath = join(folder, "model.bin");
    const broken = new MiniLmEmbedder({ modelPath });
    expect(() => broken.embedQuery("anything")).toThrow(`${modelPath} can't be opened`);
    const bytes = readFileSync(MODEL_PATH);
    bytes.writeUInt8((bytes[5_000_000] ?? 0) ^ 1, 5_000_000);
    writeFileSync(modelPath, bytes);
    const refused = broken.embed(["a note"]);
    await expect(refused).rejects.toThrow(ArcticMemError);
    await expect(refused).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN", hint: expect.stringContaining("again") });
    await broken.close();
    rmSync(folder, { recursive: true });
  });
});
