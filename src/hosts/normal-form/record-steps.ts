/** What one record of a transcript amounts to: turns, injected text, or something to be counted. The same for all hosts. */
import { given } from "../../core/given.ts";
import type { ToolStatus, ToolUse, TurnOrigin } from "../../core/session.ts";
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

/** What a host's record is read with. */
export interface RecordContext {
  /** Directory in which the session started, for telling its files from others. */
  readonly cwd: string | undefined;
  /** The record is a sub-agent's: what looks human in it was written by the model. */
  readonly isAgent: boolean;
  /** Calls by id; a reader adds the calls that it meets. */
  readonly calls: Map<string, OpenCall>;
}

export function turnStep(draft: TurnDraft, state?: SessionState): RecordStep {
  return { kind: "turn", draft, ...given({ state }) };
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

export interface ResultParts {
  readonly tool: ToolUse;
  readonly text: string;
  /** Of what the tool brought. Where the call was refused, the host's own words stand for it. */
  readonly origin: TurnOrigin;
  readonly at: Date | undefined;
}

export function resultStep({ tool, text, origin, at }: ResultParts): RecordStep {
  return turnStep({
    kind: "tool_result",
    text,
    origin: tool.status === "denied" ? "tool_local" : origin,
    at,
    tool,
  });
}

/** What a tool answered, and how the call ended. */
export interface ToolEnding {
  readonly text: string;
  readonly status: ToolStatus;
  readonly exitCode?: number;
}

/** Of a call that the user would not have. */
export const REFUSED: ToolEnding = { text: "[refused by the user]", status: "denied" };

/** The tool of a call, or of its result: without the fields that nothing is known of. */
export function toolUse(
  name: string,
  callId: string | undefined,
  { status, exitCode }: Pick<ToolUse, "status" | "exitCode"> = {},
): ToolUse {
  return { name, ...given({ callId, status, exitCode }) };
}

export function interruptedStep(at: Date | undefined): RecordStep {
  return turnStep({ kind: "event", text: "[interrupted by the user]", origin: "human", at }, "user");
}

/** What looks typed in a sub-agent's transcript was written by the model that sent it. */
export function taskStep(text: string, at: Date | undefined): RecordStep {
  return turnStep({ kind: "event", text: `[task of a sub-agent] ${text}`, origin: "model", at });
}

export function failureStep(text: string, at: Date | undefined): RecordStep {
  return turnStep({ kind: "event", text, origin: "tool_local", at }, "api_error");
}

export function assistantStep(text: string, at: Date | undefined): RecordStep {
  return turnStep({ kind: "assistant", text, origin: "model", at });
}
