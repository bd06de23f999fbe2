/** The prompt that shortens what an assistant did between two messages of its user. */
import { type Boundary, SENTINEL_LINE } from "./boundary.ts";
import type { Prompt } from "./extract-facts.ts";
import { strictObject } from "./fact-schema.ts";

/** Part of the cache key of every summary. */
export const SUMMARIZE_TURNS_VERSION = 1;

export interface SpanToSummarize {
  /** Integer handle, unique within the call's session. */
  readonly span: number;
  readonly text: string;
  readonly maxCharacters: number;
}

export function summarizeTurnsPrompt(boundary: Boundary, spans: readonly SpanToSummarize[]): Prompt {
  const system = [
    SENTINEL_LINE,
    "You shorten stretches of work of a coding agent, each between two messages of its user, for a reader who looks for lessons.",
    boundary.rule,
    [
      "For each span say, in plain sentences and past tense:",
      "- what was attempted; what failed and why; what resolved it; which decisions were made and for what reason.",
      "- names, commands, numbers and error messages verbatim.",
      "Leave out advice, praise, and everything that is not in the span. Say nothing about yourself or the task.",
    ].join("\n"),
    "Answer with one summary for each span, under the span's number, within its limit of characters.",
  ].join("\n\n");
  const blocks = spans.map(({ span, text, maxCharacters }) => {
    return `Span ${span}, at most ${maxCharacters} characters:\n${boundary.wrap(text)}`;
  });
  const summary = strictObject({ span: { type: "integer" }, text: { type: "string" } });
  const json = strictObject({ summaries: { type: "array", items: summary } });
  return { system, prompt: blocks.join("\n\n"), schema: { name: "summaries", json } };
}
