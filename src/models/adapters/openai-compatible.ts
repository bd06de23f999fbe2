/**
 * Any endpoint that speaks OpenAI's chat completions: OpenAI, Snowflake Cortex, OpenRouter, Ollama, llama.cpp, vLLM,
 * LM Studio and many more.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type KeySource, readApiKey } from "../api-key.ts";
import type { LanguageModel } from "../language-model.ts";
import { type AdapterOptions, createSdkModel } from "./ai-sdk-model.ts";
import type { Transport } from "./transport-ladder.ts";

export interface OpenAiCompatibleEndpoint {
  /** Up to and without `/chat/completions`, as in `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly key: KeySource;
  /** Sent with every request, as some gateways want. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws {ArcticMemError} `CONFIG_INVALID` on the first call, when the key is wanted but missing. */
export function createOpenAiCompatibleModel(
  endpoint: OpenAiCompatibleEndpoint,
  options: AdapterOptions = {},
): LanguageModel {
  return createSdkModel(
    {
      name: `openai-compatible:${endpoint.model}`,
      baseUrl: endpoint.baseUrl,
      contextTokens: endpoint.contextTokens,
      rungs: ["json_schema", "json_object", "plain"],
      readKey: () => readApiKey(endpoint.key, endpoint.environment),
      connect: (key, transport) => connect(endpoint, key, transport),
    },
    options,
  );
}

function connect(endpoint: OpenAiCompatibleEndpoint, key: string | undefined, transport: Transport) {
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: endpoint.baseUrl.replace(/\/+$/, ""),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(endpoint.headers === undefined ? {} : { headers: { ...endpoint.headers } }),
    supportsStructuredOutputs: transport.rung === "json_schema",
    transformRequestBody: ({ max_tokens: limit, ...body }) => ({ ...body, [transport.limitName]: limit }),
  });
  return provider.chatModel(endpoint.model);
}
