import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { KNOWN_MODELS } from "../../../src/models/pull/catalogue.ts";
import { type PulledModel, type PullRequest, pullModel, readNote } from "../../../src/models/pull/pull-model.ts";
import { type LoopbackHub, startLoopbackHub } from "../../support/loopback-hub.ts";

const NAME = "snowflake-arctic-embed-xs";
const WEIGHTS = "onnx/model_quantized.onnx";
const FILES: Readonly<Record<string, Buffer>> = {
  "config.json": Buffer.from('{"hidden_size":384}'),
  "tokenizer.json": Buffer.from('{"model":{}}'),
  "1_Pooling/config.json": Buffer.from('{"pooling_mode_cls_token":true}'),
  [WEIGHTS]: randomBytes(300_000),
};

let models = "";
beforeEach(() => {
  models = join(mkdtempSync(join(tmpdir(), "arcticmem-models-")), "models");
});

const startHub = () => startLoopbackHub(`Snowflake/${NAME}`, FILES);
const weights = (): string => join(models, NAME, WEIGHTS);

/** No waiting between tries. */
const RETRY = {
  retry: { attempts: 4, baseDelayMs: 1, maxDelayMs: 60_000 },
  retryDeps: { random: () => 0, sleep: async () => {} },
};

function pull(hub: LoopbackHub, fields: Partial<PullRequest> = {}): Promise<PulledModel> {
  return pullModel({ name: NAME, models, mirror: hub.url, variables: {}, ...fields }, RETRY);
}

describe("pulling a model", () => {
  it("fetches what running it takes, checks it and notes it last", async () => {
    await using hub = await startHub();
    const seen: [string, number, number][] = [];
    const pulled = await pull(hub, { onProgress: (file, done, total) => void seen.push([file, done, total]) });
    for (const [file, content] of Object.entries(FILES)) {
      expect(readFileSync(join(models, NAME, file)).equals(content)).toBe(true);
    }
    expect(pulled).toMatchObject({ name: NAME, unchecked: [] });
    expect(readNote(join(models, NAME))).toEqual(pulled);
    expect(seen.at(-1)).toEqual([WEIGHTS, 300_000, 300_000]);
    expect(readdirSync(join(models, NAME, "onnx"))).toEqual(["model_quantized.onnx"]);
  });

  it("fetches nothing twice", async () => {
    await using hub = await startHub();
    await pull(hub);
    const before = hub.asked.length;
    await pull(hub);
    expect(hub.asked).toHaveLength(before);
  });

  it("goes on where the connection was cut, as often as it takes", async () => {
    await using hub = await startHub();
    hub.faults[WEIGHTS] = [{ cutAfter: 100_000 }, { cutAfter: 190_000 }];
    await pull(hub);
    const ranges = hub.asked.filter((line) => line.startsWith(WEIGHTS)).map((line) => line.split(" ")[1] ?? "");
    expect(ranges).toHaveLength(3);
    expect(ranges[0]).toBe("-");
    const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-$/.exec(range)?.[1]));
    expect(starts[0]).toBeGreaterThan(0);
    expect(starts[1]).toBeGreaterThan(starts[0] ?? 0);
    expect(readFileSync(weights()).equals(FILES[WEIGHTS] ?? Buffer.alloc(0))).toBe(true);
  });

  it("goes on in a later run, also after a kill in the middle", async () => {
    await using hub = await startHub();
    mkdirSync(join(models, NAME, "onnx"), { recursive: true });
    writeFileSync(`${weights()}.part`, (FILES[WEIGHTS] ?? Buffer.alloc(0)).subarray(0, 250_000));
    await pull(hub);
    expect(hub.asked).toContain(`${WEIGHTS} bytes=250000-`);
    expect(readFileSync(weights()).equals(FILES[WEIGHTS] ?? Buffer.alloc(0))).toBe(true);
  });

  it("starts over where the server takes no ranges, and takes a part that is whole as it is", async () => {
    await using hub = await startHub();
    mkdirSync(join(models, NAME, "onnx"), { recursive: true });
    writeFileSync(`${weights()}.part`, "something else");
    hub.faults[WEIGHTS] = ["ignores-range"];
    await pull(hub);
    expect(readFileSync(weights()).length).toBe(300_000);

    const other = join(models, "..", "other");
    mkdirSync(join(other, NAME, "onnx"), { recursive: true });
    writeFileSync(join(other, NAME, `${WEIGHTS}.part`), FILES[WEIGHTS] ?? "");
    await pull(hub, { models: other });
    expect(readFileSync(join(other, NAME, WEIGHTS)).length).toBe(300_000);
  });

  it("deletes what has another checksum, says so, and fetches it anew the next time", async () => {
    await using hub = await startHub();
    hub.faults[WEIGHTS] = ["damaged"];
    await expect(pull(hub)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      message: expect.stringMatching(/checksum.*deleted/),
    });
    expect(readdirSync(join(models, NAME, "onnx"))).toEqual([]);
    expect(readNote(join(models, NAME))).toBeUndefined();
    await pull(hub);
    expect(existsSync(weights())).toBe(true);
  });

  it("checks small files too, by git's own checksum", async () => {
    await using hub = await startHub();
    hub.faults["tokenizer.json"] = ["damaged"];
    await expect(pull(hub)).rejects.toMatchObject({ message: expect.stringContaining("checksum") });
  });

  it("says what came without a checksum", async () => {
    await using hub = await startHub();
    hub.faults[WEIGHTS] = ["tells-no-checksum"];
    expect((await pull(hub)).unchecked).toEqual([WEIGHTS]);
  });

  it("says that the hub has no such model, and does not ask again and again", async () => {
    await using hub = await startHub();
    const asked = pullModel({ name: "nobody/nothing", models, mirror: hub.url, variables: {} }, RETRY);
    await expect(asked).rejects.toMatchObject({ code: "MODEL_FAILED", message: expect.stringContaining("404") });
  });

  it("waits as long as a busy hub asks, and says so when it stays busy", async () => {
    await using hub = await startHub();
    const waits: number[] = [];
    hub.faults["config.json"] = [{ status: 429, headers: { "retry-after": "9" } }];
    const options = {
      retry: RETRY.retry,
      retryDeps: { random: () => 0, sleep: async (ms: number) => void waits.push(ms) },
    };
    await pullModel({ name: NAME, models, mirror: hub.url, variables: {} }, options);
    expect(waits).toEqual([9_000]);
    hub.faults["config.json"] = Array.from({ length: 4 }, () => ({ status: 429 }));
    await expect(pull(hub, { models: join(models, "other") })).rejects.toMatchObject({
      hint: expect.stringContaining("some minutes"),
      retryable: true,
    });
  });

  it("tells what to do without a network", async () => {
    const asked = pullModel({ name: NAME, models, mirror: "http://127.0.0.1:9", variables: {} }, RETRY);
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining("can't be reached"),
      hint: expect.stringMatching(/--mirror.*HTTPS_PROXY.*copy the model's files.*model use/),
    });
  });

  it.runIf(existsSync("/dev/full"))("says that the disk is full, keeps what there is, and goes on later", async () => {
    await using hub = await startHub();
    mkdirSync(join(models, NAME, "onnx"), { recursive: true });
    symlinkSync("/dev/full", `${weights()}.part`);
    await expect(pull(hub)).rejects.toMatchObject({ code: "STORE_FULL", hint: expect.stringContaining("goes on") });
    expect(existsSync(join(models, NAME, "config.json"))).toBe(true);
  });

  it("says before it asks the hub that there is no space for the model", async () => {
    await using hub = await startHub();
    const full = pullModel({ name: NAME, models, mirror: hub.url, variables: {} }, { ...RETRY, freeBytes: () => 2e7 });
    await expect(full).rejects.toMatchObject({ code: "STORE_FULL", message: expect.stringContaining("24 MB") });
    expect(hub.asked).toEqual([]);
  });

  it("stops when it is told to, and keeps the part", async () => {
    await using hub = await startHub();
    const control = new AbortController();
    const reason = new Error("interrupted");
    const asked = pull(hub, {
      signal: control.signal,
      onProgress: (file) => {
        if (file === WEIGHTS) control.abort(reason);
      },
    });
    await expect(asked).rejects.toBe(reason);
    expect(existsSync(weights())).toBe(false);
  });

  it("takes the mirror from the option, then from the environment", async () => {
    await using hub = await startHub();
    await pullModel({ name: "arctic-embed-xs", models, variables: { ARCTICMEM_MODEL_MIRROR: `${hub.url}/` } }, RETRY);
    expect(readNote(join(models, NAME))?.repository).toBe(`Snowflake/${NAME}`);
    const bad = pullModel({ name: NAME, models: join(models, "x"), variables: { HF_ENDPOINT: "file:///etc" } }, RETRY);
    await expect(bad).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  it("fetches from nowhere unless told from where, and says what to do", async () => {
    const lost = pullModel({ name: NAME, models, variables: {} }, RETRY);
    await expect(lost).rejects.toMatchObject({
      code: "INPUT_INVALID",
      hint: expect.stringMatching(/--mirror.*ARCTICMEM_MODEL_MIRROR.*copy the model's files.*model use/),
    });
    expect(existsSync(models)).toBe(false);
  });

  it("goes through the proxy that the environment names", async () => {
    await using hub = await startHub();
    const variables = { HTTP_PROXY: hub.url };
    await pull(hub, { mirror: "http://hub.example", variables });
    expect(readNote(join(models, NAME))?.unchecked).toEqual([]);
  });

  it("refuses names that are none, and such that lead out of the folder", async () => {
    await using hub = await startHub();
    for (const name of ["", "arctic", "../x", "a/..", "a/b/c", "a/.", "http://x/y"]) {
      await expect(pull(hub, { name })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    }
  });
});

describe("the list of models", () => {
  it("names each once, with a prefix for queries and cuts that are shorter than the vectors", () => {
    expect(new Set(KNOWN_MODELS.map(({ name }) => name)).size).toBe(KNOWN_MODELS.length);
    for (const { queryPrefix, dimensions, matryoshka } of KNOWN_MODELS) {
      expect(queryPrefix).toMatch(/: $/);
      expect(matryoshka.every((cut) => cut < dimensions)).toBe(true);
    }
  });
});
