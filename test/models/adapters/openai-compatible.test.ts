import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/core/errors.ts";
import type { AdapterOptions } from "../../../src/models/adapters/ai-sdk-model.ts";
import { createOpenAiCompatibleModel } from "../../../src/models/adapters/openai-compatible.ts";
import { createTransportMemory } from "../../../src/models/adapters/transport-ladder.ts";
import type { KeySource } from "../../../src/models/api-key.ts";
import type { LanguageModel, ModelRequest } from "../../../src/models/language-model.ts";
import type { ScriptEntry } from "../../support/scripted-model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model/server.ts";

const KEY = "test-key-0123456789";
const REQUEST: ModelRequest = {
  stage: "extract",
  system: "You write notes.",
  prompt: "Transcript of the session.",
  schema: {
    name: "facts",
    json: {
      type: "object",
      additionalProperties: false,
      required: ["facts"],
      properties: { facts: { type: "array" } },
    },
  },
  maxOutputTokens: 500,
  timeoutMs: 5_000,
};

interface Waits {
  readonly ms: number[];
}

function modelAt(server: Pick<ScriptedModel, "baseUrl">, options: AdapterOptions & { key?: KeySource } = {}) {
  const waits: Waits = { ms: [] };
  const model: LanguageModel = createOpenAiCompatibleModel(
    {
      baseUrl: server.baseUrl,
      model: "tiny",
      contextTokens: 8_000,
      key: options.key ?? { kind: "environment", variable: "SOME_KEY" },
      environment: { SOME_KEY: KEY },
    },
    {
      retryDeps: { sleep: async (ms) => void waits.ms.push(ms), random: () => 0.5 },
      ...options,
    },
  );
  return { model, waits };
}

const script = (...entries: Partial<ScriptEntry>[]): ScriptEntry[] => entries.map((entry) => ({ match: {}, ...entry }));

async function failureOf(model: LanguageModel, request: ModelRequest = REQUEST): Promise<ModelError> {
  const thrown = await model.generate(request).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ModelError);
  return thrown as ModelError;
}

describe("the OpenAI-compatible adapter", () => {
  it("returns the reply as it came, with usage, and asks by strict schema at temperature 0", async () => {
    await using server = await startScriptedModel(script({ reply: '{"facts":[]} ' }));
    const { model } = modelAt(server);

    const reply = await model.generate(REQUEST);

    expect(reply.text).toBe('{"facts":[]} ');
    expect(reply.truncated).toBe(false);
    expect(reply.calls).toBe(1);
    expect(reply.usage.inputTokens).toBeGreaterThan(0);
    const [call] = server.calls;
    expect(call?.stage).toBe("extract");
    expect(call?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(call?.body).toMatchObject({
      temperature: 0,
      max_tokens: 500,
      response_format: {
        type: "json_schema",
        json_schema: { name: "facts", strict: true, schema: REQUEST.schema.json },
      },
    });
    expect(call?.tools).toEqual([]);
  });

  it("says when the reply was cut at the output limit", async () => {
    await using server = await startScriptedModel(script({ reply: { text: '{"facts":[', finish: "length" } }));
    expect(await modelAt(server).model.generate(REQUEST)).toMatchObject({ text: '{"facts":[', truncated: true });
  });

  it("steps down to a JSON object and then to plain words, names the schema there, and remembers it", async () => {
    const refuse = { status: 400, reply: "response_format is not supported by this model" };
    await using server = await startScriptedModel([
      { match: { when: ({ format }) => format !== "plain" }, ...refuse },
      { match: {}, reply: "{}" },
    ]);
    const { model } = modelAt(server);

    const first = await model.generate(REQUEST);
    const second = await model.generate(REQUEST);

    expect(server.calls.map(({ format }) => format)).toEqual(["json_schema", "json_object", "plain", "plain"]);
    expect([first.calls, second.calls]).toEqual([3, 1]);
    expect(server.calls[0]?.system).not.toContain("additionalProperties");
    expect(server.calls[2]?.system).toContain('"additionalProperties":false');
  });

  it("starts where another process of the same endpoint left off", async () => {
    const transports = createTransportMemory();
    await using server = await startScriptedModel([
      { match: { when: ({ format }) => format === "json_schema" }, status: 400, reply: "unknown response_format" },
      { match: {}, reply: "{}" },
    ]);
    await modelAt(server, { transports }).model.generate(REQUEST);
    await modelAt(server, { transports }).model.generate(REQUEST);
    expect(server.calls.map(({ format }) => format)).toEqual(["json_schema", "json_object", "json_object"]);
  });

  it("leaves out a temperature, and renames the output limit, where the endpoint asks for it", async () => {
    await using server = await startScriptedModel([
      {
        match: { when: ({ body }) => body.max_tokens !== undefined },
        status: 400,
        reply: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
      },
      {
        match: { when: ({ body }) => body.temperature !== undefined },
        status: 400,
        reply: "Unsupported value: 'temperature' does not support 0 with this model.",
      },
      { match: {}, reply: "{}" },
    ]);
    await modelAt(server).model.generate(REQUEST);
    const last = server.calls.at(-1)?.body;
    expect(last).toMatchObject({ max_completion_tokens: 500, response_format: { type: "json_schema" } });
    expect(last).not.toHaveProperty("temperature");
  });

  it("tries again after 429, 500 and a dropped connection, never sooner than Retry-After", async () => {
    await using server = await startScriptedModel(
      script(
        { status: 429, headers: { "retry-after": "7" }, times: 1 },
        { closeSocket: true, times: 1 },
        { reply: "{}" },
      ),
    );
    const { model, waits } = modelAt(server);
    expect((await model.generate(REQUEST)).calls).toBe(3);
    expect(waits.ms).toEqual([7_000, 500]);
  });

  it("does not wait for an endpoint that asks for an hour, and passes the hour on", async () => {
    await using server = await startScriptedModel(script({ status: 429, headers: { "retry-after": "3600" } }));
    const { model, waits } = modelAt(server);
    expect(await failureOf(model)).toMatchObject({ retryable: true, retryAfterMs: 3_600_000 });
    expect(waits.ms).toEqual([]);
  });

  it("gives up after three tries, and says that the call may succeed later", async () => {
    await using server = await startScriptedModel(script({ status: 503, reply: "overloaded" }));
    const error = await failureOf(modelAt(server).model);
    expect(error.retryable).toBe(true);
    expect(error.message).toContain("503");
    expect(server.calls).toHaveLength(3);
  });

  it.each([401, 403, 404])("does not try again after %i, and hints at the configuration", async (status) => {
    await using server = await startScriptedModel(script({ status, reply: "no" }));
    const error = await failureOf(modelAt(server).model);
    expect(error.retryable).toBe(false);
    expect(error.hint).toMatch(/key|base URL/);
    expect(server.calls).toHaveLength(1);
  });

  it("takes any other 400 as a matter of configuration", async () => {
    await using server = await startScriptedModel(
      script({ status: 400, reply: "maximum context length is 4096 tokens" }),
    );
    const error = await failureOf(modelAt(server).model);
    expect(error.retryable).toBe(false);
    expect(error.hint).toContain("contextTokens");
    expect(server.calls).toHaveLength(1);
  });

  it("ends a call that hangs at the time-out, as retryable", async () => {
    await using server = await startScriptedModel(script({ delayMs: 5_000, reply: "{}" }));
    const { model } = modelAt(server, { retry: { attempts: 1, baseDelayMs: 1, maxDelayMs: 1 } });
    const error = await failureOf(model, { ...REQUEST, timeoutMs: 50 });
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toContain("50 ms");
  });

  it("rejects with the caller's reason when the caller aborts, and does not try again", async () => {
    await using server = await startScriptedModel(script({ delayMs: 5_000, reply: "{}" }));
    const controller = new AbortController();
    const answer = modelAt(server).model.generate({ ...REQUEST, signal: controller.signal });
    controller.abort(new Error("the worker stops"));
    await expect(answer).rejects.toThrow("the worker stops");
    expect(server.calls.length).toBeLessThanOrEqual(1);
  });

  it("takes a body that was cut off for a broken connection", async () => {
    await using server = await startScriptedModel(
      script({ reply: '{"facts":[]}', cutAfterBytes: 40, times: 1 }, { reply: "{}" }),
    );
    expect(await modelAt(server).model.generate(REQUEST)).toMatchObject({ text: "{}", calls: 2 });
  });

  it("calls an endpoint that does not answer unreachable", async () => {
    const port = await freePort();
    const { model } = modelAt({ baseUrl: `http://127.0.0.1:${port}/v1` });
    const error = await failureOf(model);
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toContain("can't be reached");
  });

  it("never lets the key into an error, even when the endpoint quotes it", async () => {
    await using server = await startScriptedModel(script({ status: 401, reply: `Incorrect API key provided: ${KEY}` }));
    const error = await failureOf(modelAt(server).model);
    expect(JSON.stringify([error.message, error.hint, String(error.cause), error.stack])).not.toContain(KEY);
    expect(error.message).toContain("[key]");
  });

  it("reads the key from a file, and says which source holds none", async () => {
    await using server = await startScriptedModel(script({ reply: "{}" }));
    const path = join(await mkdtemp(join(tmpdir(), "key-")), "key");
    await writeFile(path, `${KEY}\n`);
    await modelAt(server, { key: { kind: "file", path } }).model.generate(REQUEST);
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);

    const unset = modelAt(server, { key: { kind: "environment", variable: "NOT_SET" } }).model;
    await expect(unset.generate(REQUEST)).rejects.toMatchObject({ code: "CONFIG_INVALID", message: /NOT_SET/ });
  });

  it("prints nothing, for stdout belongs to the answer", async () => {
    await using server = await startScriptedModel([
      { match: { when: ({ format }) => format !== "plain" }, status: 400, reply: "response_format" },
      { match: {}, reply: "{}" },
    ]);
    const written: unknown[] = [];
    const original = process.stdout.write;
    process.stdout.write = ((chunk: unknown) => written.push(chunk) > 0) as typeof process.stdout.write;
    try {
      await modelAt(server).model.generate(REQUEST);
    } finally {
      process.stdout.write = original;
    }
    expect(written).toEqual([]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
