/** Anthropic's Messages API, and gateways that speak it. */
import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModel } from "../language-model.ts";
import { type AdapterOptions, createSdkModel, type ModelEndpoint } from "./ai-sdk-model.ts";

export const ANTHROPIC_BASE_URL = "https://api.anthropic.com/v1";

/** @param endpoint - Without `baseUrl`: Anthropic's own. */
export function createAnthropicModel(
  endpoint: Omit<ModelEndpoint, "baseUrl"> & { readonly baseUrl?: string },
  options: AdapterOptions = {},
): LanguageModel {
  const baseUrl = (endpoint.baseUrl ?? ANTHROPIC_BASE_URL).replace(/\/+$/, "");
  return createSdkModel(
    { ...endpoint, baseUrl },
    {
      provider: "anthropic",
      rungs: ["json_schema", "plain"],
      // An empty key keeps the library from reading an environment variable that the user did not name.
      connect: (key) => createAnthropic({ baseURL: baseUrl, apiKey: key ?? "" })(endpoint.model),
    },
    options,
  );
}
