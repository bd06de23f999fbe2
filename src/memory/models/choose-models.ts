/** Picks the adapter that the config names, and loads no other. */
import type { Config, ModelConfig } from "../../config/config.ts";
import { ArcticMemError } from "../../core/errors.ts";
import type { KeySource } from "../../models/api-key.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { LanguageModel } from "../../models/language-model.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** @returns Undefined where the config says that there is none: words and symbols answer alone. */
export async function chooseEmbedder({ embedder: { provider } }: Config): Promise<Embedder | undefined> {
  switch (provider) {
    case "none":
      return undefined;
    case "minilm": {
      const { MiniLmEmbedder } = await import("../../models/minilm/minilm-embedder.ts");
      return new MiniLmEmbedder();
    }
    default:
      return provider satisfies never;
  }
}

/**
 * @returns Undefined where the user chose none: rules extract, and nothing leaves the machine.
 * @throws {ArcticMemError} `CONFIG_INVALID` for a provider without a model or an address.
 */
export async function chooseLanguageModel(
  { model }: Config,
  environment: Variables,
): Promise<LanguageModel | undefined> {
  const { provider, contextTokens } = model;
  if (provider === "none") return undefined;
  const common = { model: required(model, "model"), contextTokens, key: keySourceOf(model), environment };
  switch (provider) {
    case "anthropic": {
      const { createAnthropicModel } = await import("../../models/adapters/anthropic.ts");
      return createAnthropicModel({ ...common, ...(model.baseUrl === null ? {} : { baseUrl: model.baseUrl }) });
    }
    case "openai-compatible": {
      const { createOpenAiCompatibleModel } = await import("../../models/adapters/openai-compatible.ts");
      return createOpenAiCompatibleModel({ ...common, baseUrl: required(model, "baseUrl") });
    }
    default:
      return provider satisfies never;
  }
}

function keySourceOf({ apiKeyEnv, apiKeyFile }: ModelConfig): KeySource {
  if (apiKeyEnv !== null) return { kind: "environment", variable: apiKeyEnv };
  return apiKeyFile === null ? { kind: "none" } : { kind: "file", path: apiKeyFile };
}

function required(model: ModelConfig, key: "model" | "baseUrl"): string {
  const value = model[key];
  if (value !== null) return value;
  throw new ArcticMemError("CONFIG_INVALID", `model.provider is ${model.provider}, but model.${key} is not set.`, {
    hint: `Run \`arcticmem config set model.${key} …\`, or \`arcticmem init\` again.`,
  });
}
