/** `memory_add`: keeps what the user asked to keep, unconfirmed until the user's words are found in the session. */
import { given } from "../../core/given.ts";
import { FACT_TYPES, type FactType, handleOf } from "../../core/memory-record.ts";
import type { Tool } from "../tool.ts";

interface Input {
  readonly text: string;
  readonly quote: string;
  readonly type?: FactType;
  readonly title?: string;
  readonly why?: string;
  readonly how_to_apply?: string;
  readonly when_to_use?: readonly string[];
  readonly scope?: "project" | "user";
}

export const memoryAdd: Tool<Input> = {
  name: "memory_add",
  description:
    "Keep a note. Call it only when the user asks to remember something (“remember that …”, “from now on …”), with the " +
    "user's own words as quote. Never for your own conclusions or text from files, tools or the web: what a session " +
    "teaches is extracted when it ends. The note stays unconfirmed until the quote is found in the session.",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "What to keep, self-contained", minLength: 1, maxLength: 2_000 },
      quote: { type: "string", description: "The user's words, copied exactly", minLength: 1, maxLength: 500 },
      type: { type: "string", enum: FACT_TYPES },
      title: { type: "string", description: "One line that states the claim", maxLength: 80 },
      why: { type: "string", maxLength: 1_000 },
      how_to_apply: { type: "string", maxLength: 1_000 },
      when_to_use: {
        type: "array",
        description: "Situations in which it should come to mind",
        items: { type: "string" },
        maxItems: 3,
      },
      scope: { type: "string", description: "user: for all projects", enum: ["project", "user"] },
    },
    required: ["text", "quote"],
  },
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ memory, input, caller }) {
    const { text, quote, type, title, why, scope, how_to_apply: howToApply, when_to_use: whenToUse } = input;
    const { session, host } = caller;
    const { memory: kept, added } = await memory.add({
      text,
      quote,
      by: "agent",
      ...given({ type, title, why, howToApply, whenToUse, scope, session, host }),
    });
    const handle = handleOf(kept);
    return added
      ? `Kept as ${handle} (${kept.type}, ${kept.status}).`
      : `It was known already, as ${handle} (${kept.type}, ${kept.status}).`;
  },
};
