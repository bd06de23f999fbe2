/**
 * What model calls cost: tokens always, money where the user's price table knows the model. A wrapper counts, so that
 * neither adapters nor pipeline have to.
 */
import type { LanguageModel, ModelReply, ModelRequest, ModelStage } from "./language-model.ts";

/** Currency units per million tokens. */
export interface ModelPrice {
  /** Model name as in `provider:model`; a `*` stands for any characters. */
  readonly model: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** When the price was read, `YYYY-MM-DD`. */
  readonly asOf: string;
}

export interface UsageTotals {
  readonly calls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Characters of system text and prompt sent, retries not counted again. */
  readonly charactersSent: number;
}

export const NO_USAGE: UsageTotals = {
  calls: 0,
  failedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  charactersSent: 0,
};

/** Sum of two counts. */
export function addUsage(left: UsageTotals, right: UsageTotals): UsageTotals {
  return {
    calls: left.calls + right.calls,
    failedCalls: left.failedCalls + right.failedCalls,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    charactersSent: left.charactersSent + right.charactersSent,
  };
}

/** The first price whose pattern fits `model` as a whole. */
export function priceOf(model: string, prices: readonly ModelPrice[]): ModelPrice | undefined {
  return prices.find((price) => {
    const pattern = price.model.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${pattern.join(".*")}$`, "i").test(model);
  });
}

/** @returns Cost in the table's currency; `null` where the price is unknown: then only tokens are counted. */
export function costOf(usage: UsageTotals, price: ModelPrice | undefined): number | null {
  if (price === undefined) return null;
  return (usage.inputTokens * price.inputPerMillion + usage.outputTokens * price.outputPerMillion) / 1_000_000;
}

export interface UsageMeter {
  readonly model: LanguageModel;
  /** Everything so far. */
  total(): UsageTotals;
  byStage(): ReadonlyMap<ModelStage, UsageTotals>;
}

/** Wraps a model so that each call, successful or not, is counted by its stage. */
export function meterModel(model: LanguageModel): UsageMeter {
  const stages = new Map<ModelStage, UsageTotals>();
  const count = (request: ModelRequest, reply: ModelReply | undefined): void => {
    const call: UsageTotals = {
      calls: reply?.calls ?? 1,
      failedCalls: reply === undefined ? 1 : 0,
      inputTokens: reply?.usage.inputTokens ?? 0,
      outputTokens: reply?.usage.outputTokens ?? 0,
      charactersSent: request.system.length + request.prompt.length,
    };
    stages.set(request.stage, addUsage(stages.get(request.stage) ?? NO_USAGE, call));
  };
  return {
    model: {
      name: model.name,
      endpoint: model.endpoint,
      contextTokens: model.contextTokens,
      async generate(request) {
        let reply: ModelReply | undefined;
        try {
          reply = await model.generate(request);
          return reply;
        } finally {
          count(request, reply);
        }
      },
    },
    total: () => [...stages.values()].reduce(addUsage, NO_USAGE),
    byStage: () => stages,
  };
}
