/**
 * What the stages that may ask a model depend on, and the one way in which they ask. Everything that differs between two
 * runs comes in here, so that a stage is a pure function of it and its input.
 */
import { given } from "../core/given.ts";
import type { IdSource } from "../core/ids.ts";
import type { Profile } from "../core/profile.ts";
import type { LanguageModel, ModelReply, ModelStage } from "../models/language-model.ts";
import type { Redactor } from "../text/redact.ts";
import type { Prompt } from "./prompts/extract-facts.ts";
import type { StageAccount } from "./stage-report.ts";

/** Cosines above (or, for a trigger, below) which the filters act. They mean something for one embedding model only. */
export interface EmbedThresholds {
  /** From here on a fact says what every model knows. */
  readonly generic: number;
  /** From here on two facts of one type are one. */
  readonly duplicate: number;
  /** Below this a trigger has nothing to do with its fact. */
  readonly trigger: number;
}

/** Vectors for the filters; without it those that need vectors do not run, and say so. */
export interface EmbedPort {
  /** Unit-length vectors, in the order given. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  readonly thresholds: EmbedThresholds;
}

/** Summaries of spans by the hash of everything they depend on. */
export interface SummaryCache {
  /** Drops all of them. */
  readonly forget?: () => Promise<void>;
  read(key: string): Promise<string | undefined>;
  write(key: string, summary: string): Promise<void>;
}

export interface StageDeps {
  readonly model: LanguageModel;
  readonly now: () => Date;
  readonly ids: IdSource;
  readonly profile: Profile;
  /** For what models return; the session itself comes in redacted. */
  readonly redactor: Redactor;
  readonly embed?: EmbedPort;
  readonly cache?: SummaryCache;
  readonly signal?: AbortSignal;
}

export interface Question extends Prompt {
  readonly stage: ModelStage;
  /** Left out: as much as a reply may take of the model's context. */
  readonly maxOutputTokens?: number;
  readonly timeoutMs: number;
}

/** Room for ten facts of 300 tokens each, with their reasoning where a model counts it. */
const MAX_OUTPUT_TOKENS = 6_000;
/** Share of a small model's context that its reply may take. */
const OUTPUT_SHARE = 0.25;

/** How much a reply may take of a model's context. */
export function outputTokensFor(model: Pick<LanguageModel, "contextTokens">): number {
  return Math.min(MAX_OUTPUT_TOKENS, Math.floor(model.contextTokens * OUTPUT_SHARE));
}

/** Asks the model and books the call, failed or not. @throws {ModelError} after the adapter's own retries. */
export async function ask(
  deps: Pick<StageDeps, "model" | "signal">,
  account: StageAccount,
  { maxOutputTokens = outputTokensFor(deps.model), ...asked }: Question,
): Promise<ModelReply> {
  let reply: ModelReply | undefined;
  try {
    reply = await deps.model.generate({ ...asked, maxOutputTokens, ...given({ signal: deps.signal }) });
    return reply;
  } finally {
    account.call(reply);
  }
}
