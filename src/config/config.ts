/**
 * What the user can set, and what holds where nothing is set. Plain data without a schema library, since every hook
 * needs it; `schema.ts` describes and checks the same keys.
 */

export interface ModelConfig {
  /** Where transcripts are sent for extraction; `none`: nowhere, rules extract. */
  readonly provider: "none" | "anthropic" | "openai-compatible";
  readonly model: string | null;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
  readonly apiKeyFile: string | null;
  readonly contextTokens: number;
  readonly timeoutMs: number;
}

/** `minilm` is built in, `onnx` runs a folder on this machine, the others are asked over HTTP. */
export type EmbedderProvider =
  | "minilm"
  | "none"
  | "onnx"
  | "openai-compatible"
  | "voyage"
  | "cohere"
  | "gemini"
  | "snowflake-cortex";

export type RemoteProvider = Exclude<EmbedderProvider, "minilm" | "none" | "onnx">;

/** Whether texts are sent somewhere to be embedded. */
export function isRemote(provider: EmbedderProvider): provider is RemoteProvider {
  return provider !== "minilm" && provider !== "none" && provider !== "onnx";
}

export interface EmbedderConfig {
  readonly provider: EmbedderProvider;
  readonly model: string | null;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
  readonly apiKeyFile: string | null;
  /** `null`: as many as the model gives. */
  readonly dimensions: number | null;
  /** Folder of an ONNX model that was not pulled. */
  readonly path: string | null;
  /** `null`: what is known of the model. */
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  readonly maxTokens: number | null;
  readonly timeoutMs: number;
}

export interface FilesConfig {
  readonly globs: readonly string[];
  readonly exclude: readonly string[];
  readonly maxBytes: number;
}

export interface InjectConfig {
  readonly enabled: boolean;
  readonly learnedLine: boolean;
  readonly blockTokens: number;
  readonly manifestTokens: number;
  readonly totalTokens: number;
  readonly totalCharacters: number;
}

export interface BudgetConfig {
  readonly callsPerSession: number;
  readonly charactersPerSession: number;
  readonly callsPerDay: number;
  readonly charactersPerDay: number;
  /** In the currency of `prices`; `null`: no limit. */
  readonly moneyPerDay: number | null;
}

/** Price of a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

export interface PriceConfig {
  /** Day of the table, `YYYY-MM-DD`. */
  readonly asOf: string | null;
  readonly currency: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
}

export interface IngestConfig {
  /** `null`: as the profile says. */
  readonly onUnknown: "provisional" | "skip" | null;
  readonly onLifecycleFailure: "add_pending" | "retry";
  readonly minIdleMinutes: number;
  readonly skipExternalSessions: boolean;
  readonly budgets: BudgetConfig;
  readonly prices: PriceConfig;
}

export interface SearchConfig {
  readonly limit: number;
  readonly bodies: number;
  readonly rerank: "off" | "model";
}

export interface Config {
  readonly model: ModelConfig;
  readonly embedder: EmbedderConfig;
  readonly profile: string;
  readonly hosts: readonly string[];
  readonly files: FilesConfig;
  readonly inject: InjectConfig;
  readonly ingest: IngestConfig;
  readonly search: SearchConfig;
  readonly disabled: boolean;
}

/**
 * What holds without a config file. The injection budgets are a tenth of what hosts let through, since long blocks
 * dilute; the call budgets bound a day on a paid model to what one long working day needs.
 */
export const DEFAULT_CONFIG: Config = {
  model: {
    provider: "none",
    model: null,
    baseUrl: null,
    apiKeyEnv: null,
    apiKeyFile: null,
    contextTokens: 128_000,
    timeoutMs: 120_000,
  },
  embedder: {
    provider: "minilm",
    model: null,
    baseUrl: null,
    apiKeyEnv: null,
    apiKeyFile: null,
    dimensions: null,
    path: null,
    queryPrefix: null,
    documentPrefix: null,
    maxTokens: null,
    timeoutMs: 30_000,
  },
  profile: "coding",
  hosts: ["claude-code"],
  files: { globs: [], exclude: [], maxBytes: 262_144 },
  inject: {
    enabled: true,
    learnedLine: true,
    blockTokens: 400,
    manifestTokens: 1500,
    totalTokens: 2200,
    totalCharacters: 9000,
  },
  ingest: {
    onUnknown: null,
    onLifecycleFailure: "add_pending",
    minIdleMinutes: 10,
    skipExternalSessions: false,
    budgets: {
      callsPerSession: 40,
      charactersPerSession: 1_000_000,
      callsPerDay: 400,
      charactersPerDay: 10_000_000,
      moneyPerDay: null,
    },
    prices: { asOf: null, currency: "USD", models: {} },
  },
  search: { limit: 10, bodies: 3, rerank: "off" },
  disabled: false,
};
