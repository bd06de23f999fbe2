/**
 * What every language model owes the pipeline. Models propose typed data and nothing else: calls carry no tools.
 */

/** Which step calls: adapters send it as the header `x-arcticmem-stage`, usage is counted by it. */
export type ModelStage = "judge" | "summarize" | "extract" | "repair" | "lifecycle" | "select";

export interface ModelRequest {
  readonly stage: ModelStage;
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the wanted object, strict-mode friendly. */
  readonly schema: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The reply as it came: validation and repair belong to the caller. */
export interface ModelReply {
  readonly text: string;
  /** The reply was cut at the output limit. */
  readonly truncated: boolean;
  readonly usage: ModelUsage;
  /** Requests that this reply took, retries and steps down the transport ladder included. */
  readonly calls: number;
}

export interface LanguageModel {
  /** `provider:model`, as shown to people and stored with every memory. */
  readonly name: string;
  /** Host name of the endpoint, for `doctor`. */
  readonly endpoint: string;
  /** Tokens that prompt and reply may take together. */
  readonly contextTokens: number;
  /**
   * Temperature 0, no tools. Steps down from strict schema to JSON object to plain text where the endpoint refuses, and
   * remembers what worked.
   *
   * @throws {ModelError} `retryable` on time-outs, 429, 5xx and broken connections, after its own retries.
   */
  generate(request: ModelRequest): Promise<ModelReply>;
}
