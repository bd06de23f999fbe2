/** The one attempt to have a reply put right: its text and what is wrong with it, never the transcript again. */
import { redactPatterns } from "../../text/redact.ts";
import { type Boundary, SENTINEL_LINE } from "./boundary.ts";
import type { Prompt } from "./extract-facts.ts";

const REPLY_CHARACTERS = 4_000;
const MAX_PROBLEMS = 20;

export interface RepairPromptInput {
  readonly boundary: Boundary;
  readonly schema: Prompt["schema"];
  readonly reply: string;
  /** Paths and what is wrong there. */
  readonly problems: readonly string[];
}

export function repairPrompt({ boundary, schema, reply, problems }: RepairPromptInput): Prompt {
  const system = [
    SENTINEL_LINE,
    "A model's answer did not fit its schema. Write the same content again so that it fits. Add nothing and invent nothing; leave out what can't be made to fit.",
    boundary.rule,
    `The schema:\n${JSON.stringify(schema.json)}`,
  ].join("\n\n");
  const listed = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`);
  const prompt = `Problems:\n${listed.join("\n")}\n\n${boundary.wrap(quotable(reply))}`;
  return { system, prompt, schema };
}

/** A model may have made up a secret, or put one together. Redacted before it is cut, so that no half of one stays. */
function quotable(reply: string): string {
  return redactPatterns(reply.slice(0, 2 * REPLY_CHARACTERS)).slice(0, REPLY_CHARACTERS);
}
