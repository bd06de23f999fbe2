/** Anthropic's Messages API, and gateways that speak it. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { type KeySource, readApiKey } from "../api-key.ts";
import type { LanguageModel } from "../language-model.ts";
import { type AdapterOptions, createSdkModel } from "./ai-sdk-model.ts";

export const ANTHROPIC_BASE_URL = "https://api.anthropic.com/v1";

export interface AnthropicEndpoint {
  /** Up to and without `/messages`; default: Anthropic's own. */
  readonly baseUrl?: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly key: KeySource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws {ArcticMemError} `CONFIG_INVALID` on the first call, when the key is wanted but missing. */
export function createAnthropicModel(endpoint: AnthropicEndpoint, options: AdapterOptions = {}): LanguageModel {
  const baseUrl = (endpoint.baseUrl ?? ANTHROPIC_BASE_URL).replace(/\/+$/, "");
  return createSdkModel(
    {
      name: `anthropic:${endpoint.model}`,
      baseUrl,
      contextTokens: endpoint.contextTokens,
      rungs: ["json_schema", "plain"],
      readKey: () => readApiKey(endpoint.key, endpoint.environment),
      connect: (key) => connect(endpoint, baseUrl, key),
    },
    options,
  );
}

/** An empty key keeps the library from reading an environment variable that the user did not name. */
function connect(endpoint: AnthropicEndpoint, baseURL: string, key: string | undefined) {
  const provider = createAnthropic({
    baseURL,
    apiKey: key ?? "",
    ...(endpoint.headers === undefined ? {} : { headers: { ...endpoint.headers } }),
  });
  return provider(endpoint.model);
}
