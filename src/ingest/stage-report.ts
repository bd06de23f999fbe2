/** Keeps the account of one stage: time, calls, tokens, cache hits, and what a person should know about it. */
import type { StageReport } from "../core/report.ts";
import type { ModelReply } from "../models/language-model.ts";

export interface StageAccount {
  /** Counts a reply; undefined is a call that failed. */
  call(reply: Pick<ModelReply, "calls" | "usage"> | undefined): void;
  cacheHit(): void;
  note(text: string): void;
  /** The report so far. */
  finish(): StageReport;
}

export function openAccount(stage: string, now: () => Date): StageAccount {
  const startedAt = now().getTime();
  const notes: string[] = [];
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0, cacheHits: 0 };
  return {
    call(reply) {
      sum.calls += reply?.calls ?? 1;
      sum.inputTokens += reply?.usage.inputTokens ?? 0;
      sum.outputTokens += reply?.usage.outputTokens ?? 0;
    },
    cacheHit() {
      sum.cacheHits += 1;
    },
    note: (text) => void notes.push(text),
    finish: () => ({ stage, durationMs: Math.max(0, now().getTime() - startedAt), ...sum, notes: [...notes] }),
  };
}
