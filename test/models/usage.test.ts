import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/core/errors.ts";
import type { LanguageModel, ModelRequest } from "../../src/models/language-model.ts";
import { costOf, type ModelPrice, meterModel, NO_USAGE, priceOf } from "../../src/models/usage.ts";

const request: ModelRequest = {
  stage: "extract",
  system: "sys",
  prompt: "prompt",
  schema: { name: "x", json: {} },
  maxOutputTokens: 10,
  timeoutMs: 10,
};
const PRICES: readonly ModelPrice[] = [
  { model: "anthropic:claude-haiku-*", inputPerMillion: 1, outputPerMillion: 5, asOf: "2026-01-01" },
  { model: "*:gpt-5.mini", inputPerMillion: 0.25, outputPerMillion: 2, asOf: "2026-01-01" },
];

describe("model usage", () => {
  it("counts calls, tokens and characters by stage, failed calls too", async () => {
    let fail = false;
    const model: LanguageModel = {
      name: "scripted",
      endpoint: "localhost",
      contextTokens: 1000,
      async generate() {
        if (fail) throw new ModelError("down", { retryable: true });
        return { text: "", truncated: false, usage: { inputTokens: 7, outputTokens: 3 }, calls: 2 };
      },
    };
    const meter = meterModel(model);
    await meter.model.generate(request);
    fail = true;
    await expect(meter.model.generate({ ...request, stage: "lifecycle" })).rejects.toThrow("down");

    expect(meter.byStage().get("extract")).toEqual({
      calls: 2,
      failedCalls: 0,
      inputTokens: 7,
      outputTokens: 3,
      charactersSent: 9,
    });
    expect(meter.total()).toMatchObject({ calls: 3, failedCalls: 1 });
  });

  it("knows the cost only where the price table knows the model, and takes a dot literally", () => {
    const usage = { ...NO_USAGE, inputTokens: 2_000_000, outputTokens: 100_000 };
    expect(costOf(usage, priceOf("anthropic:claude-haiku-4-5", PRICES))).toBeCloseTo(2.5);
    expect(costOf(usage, priceOf("openai-compatible:gpt-5xmini", PRICES))).toBeNull();
    expect(priceOf("openai-compatible:gpt-5.mini", PRICES)?.outputPerMillion).toBe(2);
  });
});
