import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../../src/models/adapters/anthropic.ts";
import type { ModelRequest } from "../../../src/models/language-model.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model/server.ts";

const REQUEST: ModelRequest = {
  stage: "lifecycle",
  system: "You compare notes.",
  prompt: "A: …",
  schema: {
    name: "decisions",
    json: {
      type: "object",
      additionalProperties: false,
      required: ["decisions"],
      properties: { decisions: { type: "array", items: { type: "string" } } },
    },
  },
  maxOutputTokens: 300,
  timeoutMs: 5_000,
};

const modelAt = (server: ScriptedModel, model: string) =>
  createAnthropicModel(
    {
      baseUrl: server.baseUrl,
      model,
      contextTokens: 200_000,
      key: { kind: "environment", variable: "K" },
      environment: { K: "sk-test-1234567890" },
    },
    { retryDeps: { sleep: async () => {}, random: () => 0 } },
  );

describe("the Anthropic adapter", () => {
  it.each(["claude-haiku-4-5", "claude-3-5-haiku-latest"])("returns %s's reply as text, with usage", async (name) => {
    await using server = await startScriptedModel([{ match: {}, reply: { decisions: [] } }]);
    const reply = await modelAt(server, name).generate(REQUEST);
    expect(JSON.parse(reply.text)).toEqual({ decisions: [] });
    expect(reply.truncated).toBe(false);
    expect(reply.usage.outputTokens).toBeGreaterThan(0);
    expect(server.calls[0]).toMatchObject({ stage: "lifecycle", format: "json_schema", system: REQUEST.system });
    expect(server.calls[0]?.headers["x-api-key"]).toBe("sk-test-1234567890");
    expect(server.calls[0]?.body).toMatchObject({ max_tokens: 300 });
  });

  it("steps down to plain words where a gateway does not know structured output", async () => {
    await using server = await startScriptedModel([
      {
        match: { when: ({ format }) => format !== "plain" },
        status: 400,
        reply: "output_config: extra inputs are not permitted",
      },
      { match: {}, reply: "{}" },
    ]);
    expect(await modelAt(server, "claude-haiku-4-5").generate(REQUEST)).toMatchObject({ text: "{}", calls: 2 });
    expect(server.calls[1]?.system).toContain('"decisions"');
  });

  it("says when the reply was cut, and retries an overloaded endpoint", async () => {
    await using server = await startScriptedModel([
      { match: {}, status: 529, reply: "overloaded", times: 1 },
      { match: {}, reply: { text: '{"dec', finish: "length" } },
    ]);
    const reply = await modelAt(server, "claude-haiku-4-5").generate(REQUEST);
    expect(reply).toMatchObject({ text: '{"dec', truncated: true, calls: 2 });
  });
});
