/**
 * A model for a process with a deadline. One that runs in this process is left as it is; one that has to be waited for,
 * over a network or for a large file to load, gets half of the time that is left, and once late is not asked again.
 */
import { ModelError } from "../../core/errors.ts";
import { inTime } from "../../core/time/in-time.ts";
import type { Embedder } from "../../models/embedder.ts";

const SHARE = 0.5;

/** @param msLeft - Until the process must have answered. */
export function embedInTime(embedder: Embedder, msLeft: () => number): Embedder {
  if (embedder.embedQuery !== undefined) return embedder;
  let isLate = false;
  const { fingerprint, dimensions, maxTokens } = embedder;
  return {
    fingerprint,
    dimensions,
    maxTokens,
    embed: async (texts, options) => {
      const waitMs = msLeft() * SHARE;
      if (isLate || waitMs <= 0) throw late();
      return inTime(embedder.embed(texts, options), waitMs, () => {
        isLate = true;
        throw late();
      });
    },
    close: () => embedder.close(),
  };
}

const late = (): ModelError =>
  new ModelError("the embedding model takes longer than a session start may", { retryable: true });
