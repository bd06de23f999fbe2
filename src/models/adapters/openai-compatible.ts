/**
 * Any endpoint that speaks OpenAI's chat completions: OpenAI, Snowflake Cortex, OpenRouter, Ollama, llama.cpp, vLLM,
 * LM Studio and many more.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "../language-model.ts";
import { type AdapterOptions, createSdkModel, type ModelEndpoint } from "./ai-sdk-model.ts";
import type { Transport } from "./transport-ladder.ts";

export function createOpenAiCompatibleModel(endpoint: ModelEndpoint, options: AdapterOptions = {}): LanguageModel {
  return createSdkModel(
    endpoint,
    {
      provider: "openai-compatible",
      rungs: ["json_schema", "json_object", "plain"],
      connect: (key, transport) => connect(endpoint, key, transport),
    },
    options,
  );
}

function connect(endpoint: ModelEndpoint, key: string | undefined, transport: Transport) {
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: endpoint.baseUrl.replace(/\/+$/, ""),
    ...(key === undefined ? {} : { apiKey: key }),
    supportsStructuredOutputs: transport.rung === "json_schema",
    transformRequestBody: ({ max_tokens: limit, ...body }) => ({ ...body, [transport.limitName]: limit }),
  });
  return provider.chatModel(endpoint.model);
}
