/** What one record of a transcript amounts to: turns, injected text, or something to be counted. The same for all hosts. */
import type { ToolUse, TurnOrigin } from "../../core/session.ts";
import type { TurnDraft } from "./session-builder.ts";

/** How a session stands after a turn, where that tells how it ended. */
export type SessionState = "api_error" | "user" | undefined;

export type RecordStep =
  | { readonly kind: "turn"; readonly draft: TurnDraft; readonly state?: SessionState }
  /** Put before the model by a hook or by the harness. */
  | { readonly kind: "injected"; readonly text: string }
  | { readonly kind: "ignored"; readonly type: string };

/** A call whose result has not come yet. */
export interface OpenCall {
  readonly name: string;
  readonly origin: TurnOrigin;
}

export function turnStep(draft: TurnDraft, state?: SessionState): RecordStep {
  return state === undefined ? { kind: "turn", draft } : { kind: "turn", draft, state };
}

export function humanStep(text: string, at: Date | undefined): RecordStep {
  return turnStep({ kind: "human", text, origin: "human", at });
}

export interface CallParts {
  readonly tool: ToolUse;
  readonly args: string;
  readonly origin: TurnOrigin;
  readonly at: Date | undefined;
}

export function callStep({ tool, args, origin, at }: CallParts): RecordStep {
  return turnStep({ kind: "tool_call", text: args, origin, at, tool: { ...tool, args } });
}
