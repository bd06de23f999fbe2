/** Picks the adapter that the config names, and loads no other. */
import { isAbsolute, join, resolve } from "node:path";
import {
  type Config,
  DEFAULT_CONFIG,
  type EmbedderConfig,
  isRemote,
  type ModelConfig,
  type RemoteProvider,
} from "../../config/config.ts";
import { ArcticMemError } from "../../core/errors.ts";
import type { EmbeddingWire } from "../../models/adapters/embedders/embedding-wire.ts";
import type { KeySource } from "../../models/api-key.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { Variables } from "../../models/http/proxy.ts";
import type { LanguageModel } from "../../models/language-model.ts";

export interface EmbedderPlace {
  readonly environment: Variables;
  /** Folder of pulled models, and of the runtime for them. */
  readonly models: string;
  /** Length of the model's vectors, from an earlier answer: it then needs not be asked. */
  readonly knownDimensions?: number | undefined;
}

/**
 * @returns Undefined where the config says that there is none: words and symbols answer alone.
 * @throws {ModelError} where an endpoint has to be asked how long its vectors are, and does not answer.
 * @throws {ArcticMemError} `CONFIG_INVALID`, `MODEL_FILE_BROKEN`.
 */
export async function chooseEmbedder(config: EmbedderConfig, place: EmbedderPlace): Promise<Embedder | undefined> {
  const prefixes = { query: config.queryPrefix, document: config.documentPrefix };
  switch (config.provider) {
    case "none":
      return undefined;
    case "minilm": {
      const { MiniLmEmbedder } = await import("../../models/minilm/minilm-embedder.ts");
      return new MiniLmEmbedder();
    }
    case "onnx": {
      const { openOnnxEmbedder } = await import("../../models/adapters/onnx/onnx-embedder.ts");
      const path = await onnxFolder(config, place.models);
      return openOnnxEmbedder({ path, dimensions: config.dimensions, prefixes, peersFolder: place.models });
    }
    default: {
      const { openHttpEmbedder } = await import("../../models/adapters/embedders/http-embedder.ts");
      return openHttpEmbedder({
        wire: await wireOf(config.provider),
        baseUrl: (await baseUrlOf(config)) ?? missing("embedder", config.provider, "baseUrl"),
        model: config.model ?? missing("embedder", config.provider, "model"),
        key: keySourceOf(config),
        dimensions: config.dimensions,
        knownDimensions: place.knownDimensions,
        prefixes,
        maxTokens: config.maxTokens,
        timeoutMs: config.timeoutMs,
        environment: place.environment,
      });
    }
  }
}

/** Where texts are sent; null: nowhere. */
export async function baseUrlOf({ provider, baseUrl }: EmbedderConfig): Promise<string | null> {
  return isRemote(provider) ? (baseUrl ?? (await wireOf(provider)).baseUrl) : null;
}

async function wireOf(provider: RemoteProvider): Promise<EmbeddingWire> {
  switch (provider) {
    case "openai-compatible":
      return (await import("../../models/adapters/embedders/openai-compatible.ts")).OPENAI_COMPATIBLE_WIRE;
    case "voyage":
      return (await import("../../models/adapters/embedders/voyage.ts")).VOYAGE_WIRE;
    case "cohere":
      return (await import("../../models/adapters/embedders/cohere.ts")).COHERE_WIRE;
    case "gemini":
      return (await import("../../models/adapters/embedders/gemini.ts")).GEMINI_WIRE;
    case "snowflake-cortex":
      return (await import("../../models/adapters/embedders/snowflake-cortex.ts")).SNOWFLAKE_CORTEX_WIRE;
    default:
      return provider satisfies never;
  }
}

async function onnxFolder({ path, model }: EmbedderConfig, models: string): Promise<string> {
  if (path !== null) return isAbsolute(path) ? path : resolve(models, path);
  if (model === null) return missing("embedder", "onnx", "path");
  const { knownModel } = await import("../../models/pull/catalogue.ts");
  return join(models, knownModel(model)?.name ?? model.slice(model.lastIndexOf("/") + 1));
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
      const endpoint = { ...common, ...(model.baseUrl === null ? {} : { baseUrl: model.baseUrl }) };
      return inProportion(createAnthropicModel(endpoint), model.timeoutMs);
    }
    case "openai-compatible": {
      const { createOpenAiCompatibleModel } = await import("../../models/adapters/openai-compatible.ts");
      const endpoint = { ...common, baseUrl: required(model, "baseUrl") };
      return inProportion(createOpenAiCompatibleModel(endpoint), model.timeoutMs);
    }
    default:
      return provider satisfies never;
  }
}

/** Stages ask with time-outs of their own; a user whose model is slow, or fast, moves them all in proportion. */
function inProportion(model: LanguageModel, timeoutMs: number): LanguageModel {
  const factor = timeoutMs / DEFAULT_CONFIG.model.timeoutMs;
  return {
    ...model,
    generate: (request) => model.generate({ ...request, timeoutMs: Math.ceil(request.timeoutMs * factor) }),
  };
}

/** Where the key of a model lies. */
export function keySourceOf({ apiKeyEnv, apiKeyFile }: Pick<ModelConfig, "apiKeyEnv" | "apiKeyFile">): KeySource {
  if (apiKeyEnv !== null) return { kind: "environment", variable: apiKeyEnv };
  return apiKeyFile === null ? { kind: "none" } : { kind: "file", path: apiKeyFile };
}

function required(model: ModelConfig, key: "model" | "baseUrl"): string {
  return model[key] ?? missing("model", model.provider, key);
}

function missing(section: "model" | "embedder", provider: string, key: string): never {
  throw new ArcticMemError("CONFIG_INVALID", `${section}.provider is ${provider}, but ${section}.${key} is not set.`, {
    hint: `Run \`arcticmem config set ${section}.${key} …\`${section === "model" ? ", or `arcticmem init` again" : ""}.`,
  });
}
