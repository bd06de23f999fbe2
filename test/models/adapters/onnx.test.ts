import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readModelFolder } from "../../../src/models/adapters/onnx/model-folder.ts";
import { type OnnxModel, openOnnxEmbedder } from "../../../src/models/adapters/onnx/onnx-embedder.ts";
import type { Embedder } from "../../../src/models/embedder.ts";
import { embedderContract } from "../../contract/embedder.ts";

const TINY = resolve(import.meta.dirname, "../../fixtures/onnx/tiny-sentences");
/** Where the runtime is installed; `npm run test:onnx` sees to it. */
const PEERS = process.env.ARCTICMEM_ONNX_PEERS ?? "";
const canRun = existsSync(join(PEERS, "node_modules", "onnxruntime-node"));
const needsRuntime = describe.skipIf(!canRun);

function open(fields: Partial<OnnxModel> = {}): Promise<Embedder> {
  const prefixes = { query: null, document: null };
  return openOnnxEmbedder({ path: TINY, dimensions: null, prefixes, peersFolder: PEERS, ...fields });
}

/** The tiny model under another name, changed. */
function copied(name: string, change: (folder: string) => void): string {
  const folder = join(mkdtempSync(join(tmpdir(), "arcticmem-onnx-")), name);
  mkdirSync(folder, { recursive: true });
  cpSync(TINY, folder, { recursive: true });
  change(folder);
  return folder;
}

const cosine = (left: Float32Array | undefined, right: ArrayLike<number> | undefined): number =>
  [...(left ?? [])].reduce((sum, value, at) => sum + value * (right?.[at] ?? Number.NaN), 0);

describe("a model's folder", () => {
  it("tells files, pooling, limits and prefixes as hubs lay them out", () => {
    expect(readModelFolder(TINY)).toMatchObject({
      name: "tiny-sentences",
      modelFile: join(TINY, "onnx", "model.onnx"),
      pooling: "cls",
      dimensions: 16,
      maxTokens: 48,
      queryPrefix: "where is: ",
      documentPrefix: "",
      identity: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it("takes the small file where there is one, and what is usual where the folder says nothing", () => {
    const bare = copied("other", (folder) => {
      cpSync(join(folder, "onnx", "model.onnx"), join(folder, "onnx", "model_quantized.onnx"));
      for (const name of ["1_Pooling", "sentence_bert_config.json", "config_sentence_transformers.json"]) {
        rmSync(join(folder, name), { recursive: true });
      }
    });
    expect(readModelFolder(bare)).toMatchObject({
      modelFile: join(bare, "onnx", "model_quantized.onnx"),
      pooling: "mean",
      maxTokens: 64,
      queryPrefix: "",
    });
  });

  it("knows the Arctic models by their names", async () => {
    const nothing = (folder: string) => rmSync(join(folder, "config_sentence_transformers.json"));
    const arctic = copied("snowflake-arctic-embed-m-v1.5", nothing);
    expect(readModelFolder(arctic).queryPrefix).toBe("Represent this sentence for searching relevant passages: ");
    await expect(open({ path: arctic, dimensions: 12 })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("16 or 256"),
    });
    const whole = copied("snowflake-arctic-embed-xs", nothing);
    await expect(open({ path: whole, dimensions: 12 })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("is told by what it lacks", async () => {
    for (const name of ["config.json", "tokenizer.json", join("onnx", "model.onnx")]) {
      const path = copied("broken", (folder) => rmSync(join(folder, name)));
      await expect(open({ path })).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN", hint: expect.any(String) });
    }
    const path = copied("broken", (folder) => writeFileSync(join(folder, "config.json"), "{"));
    await expect(open({ path })).rejects.toMatchObject({ message: expect.stringContaining("config.json") });
    await expect(open({ path: join(TINY, "nowhere") })).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN" });
  });
});

describe("a local model without its runtime", () => {
  it("says what to install, and where", async () => {
    const peersFolder = mkdtempSync(join(tmpdir(), "arcticmem-no-peers-"));
    const embedder = await open({ peersFolder });
    await expect(embedder.embed(["a"])).rejects.toMatchObject({
      code: "MODEL_FILE_BROKEN",
      hint: expect.stringContaining(`npm install --prefix "${peersFolder}" onnxruntime-node@1`),
    });
    await embedder.close();
  });
});

if (canRun) embedderContract("a tiny ONNX model", () => open());

needsRuntime("a local model (npm run test:onnx installs its runtime)", () => {
  it("gives the vectors of the reference", async () => {
    const embedder = await open();
    const cases = JSON.parse(readFileSync(join(TINY, "expected.json"), "utf8")) as { text: string; vector: number[] }[];
    const vectors = await embedder.embed(cases.map(({ text }) => text));
    for (const [at, { vector }] of cases.entries()) expect(cosine(vectors[at], vector)).toBeCloseTo(1, 5);
    await embedder.close();
  });

  it("puts the model's prefix before queries only", async () => {
    const embedder = await open();
    const plain = await open({ prefixes: { query: "", document: null } });
    const [query] = await embedder.embed(["the ledger"], { kind: "query" });
    const [same] = await plain.embed(["where is: the ledger"], { kind: "query" });
    const [other] = await embedder.embed(["the ledger"]);
    expect(cosine(query, same)).toBeCloseTo(1, 5);
    expect(cosine(query, other)).toBeLessThan(0.999);
    expect(plain.fingerprint).not.toBe(embedder.fingerprint);
    await Promise.all([embedder.close(), plain.close()]);
  });

  it("reads a long document in windows, so that its end counts too", async () => {
    const embedder = await open();
    const long = "one two three ".repeat(40);
    const [alone, behind] = await embedder.embed([long, `${long}${"refund ledger job ".repeat(40)}`]);
    expect(cosine(alone, behind)).toBeLessThan(0.99);
    await embedder.close();
  });

  it("cuts vectors where the user wants that, and brings them to unit length again", async () => {
    const [whole, short] = [await open(), await open({ dimensions: 8 })];
    const [long] = await whole.embed(["the ledger"]);
    const [cut] = await short.embed(["the ledger"]);
    const head = [...(long ?? [])].slice(0, 8);
    expect(cosine(cut, head) / Math.hypot(...head)).toBeCloseTo(1, 5);
    expect(short.fingerprint).toMatch(/@8/);
    await Promise.all([whole.close(), short.close()]);
  });

  it("says that a file is no model, and tries again the next time", async () => {
    const path = copied("damaged", (folder) => writeFileSync(join(folder, "onnx", "model.onnx"), "not a model"));
    const embedder = await open({ path });
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN" });
    cpSync(join(TINY, "onnx", "model.onnx"), join(path, "onnx", "model.onnx"));
    expect(await embedder.embed(["a"])).toHaveLength(1);
    await embedder.close();
  });
});
