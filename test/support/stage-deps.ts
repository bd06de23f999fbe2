/** Dependencies of a stage for tests: a model of canned replies, a clock that stands, counted ids, a real redactor. */
import { ModelError } from "../../src/core/errors.ts";
import type { StageDeps } from "../../src/ingest/stage-deps.ts";
import type { LanguageModel, ModelReply, ModelRequest } from "../../src/models/language-model.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { CODING } from "./coding-profile.ts";

/** A text, a whole reply, or what to throw. */
export type CannedReply = string | Partial<ModelReply> | Error;

export interface CannedModel extends LanguageModel {
  readonly requests: ModelRequest[];
}

/**
 * @param replies - One after the other, the last one again and again; or a function of the request.
 */
export function cannedModel(
  replies: readonly CannedReply[] | ((request: ModelRequest, call: number) => CannedReply),
  contextTokens = 128_000,
): CannedModel {
  const requests: ModelRequest[] = [];
  return {
    name: "canned:model",
    endpoint: "localhost",
    contextTokens,
    requests,
    async generate(request) {
      const call = requests.push(request) - 1;
      const reply = typeof replies === "function" ? replies(request, call) : (replies[call] ?? replies.at(-1) ?? "");
      if (reply instanceof Error) throw reply;
      const partial = typeof reply === "string" ? { text: reply } : reply;
      return { text: "", truncated: false, usage: { inputTokens: 100, outputTokens: 10 }, calls: 1, ...partial };
    },
  };
}

export const DOWN = new ModelError("the endpoint is down", { retryable: true });

export function stageDeps(model: LanguageModel = cannedModel([DOWN]), changes: Partial<StageDeps> = {}): StageDeps {
  let counter = 0;
  return {
    model,
    now: () => new Date("2026-03-02T12:00:00Z"),
    ids: {
      next: () => {
        counter += 1;
        return `id${String(counter).padStart(10, "0")}`;
      },
    },
    profile: CODING,
    redactor: createRedactor(),
    ...changes,
  };
}
