/**
 * The nouns of a session in normal form: whatever the host wrote, everything downstream sees only this.
 */
import type { SessionId } from "./ids.ts";
import type { Trust } from "./memory-record.ts";

export type TurnKind = "human" | "assistant" | "tool_call" | "tool_result" | "event";
export type TurnOrigin = "human" | "model" | "tool_local" | "tool_external" | "injected";
export type ToolStatus = "ok" | "error" | "denied" | "unknown";

export interface ToolUse {
  readonly name: string;
  /** The arguments as one text: the command of a shell, JSON for others. */
  readonly args?: string;
  readonly callId?: string;
  readonly status?: ToolStatus;
  readonly exitCode?: number;
}

export interface Turn {
  /** Dense index from 0: the handle that models cite (`t12`). */
  readonly index: number;
  readonly kind: TurnKind;
  /** NFC, `\n` endings, no control, bidi, zero-width or tag characters. */
  readonly text: string;
  readonly tool?: ToolUse;
  readonly origin: TurnOrigin;
  readonly trust: Trust;
  readonly at?: Date;
  /** What was cut from the middle of a long result. */
  readonly elided?: { readonly chars: number; readonly sha256: string };
  /** Identical results that followed this one directly, folded into it. */
  readonly repeats?: number;
  /** Part of something that was tried and failed in a session that then succeeded. */
  readonly failedSpan?: boolean;
}

export interface SessionProject {
  /** Directory in which the session started. */
  readonly cwd?: string;
  readonly branch?: string;
}

/** What an adapter met in the file besides turns. */
export interface FormatReport {
  readonly records: number;
  readonly unparsable: number;
  /** Records longer than 8 MB, cut with a mark. */
  readonly truncated: number;
  /** Record types that carry no turn, with their counts. */
  readonly ignored: Readonly<Record<string, number>>;
}

export interface Session {
  readonly id: SessionId;
  /** Name of the host that wrote it, as in `hosts/`. */
  readonly host: string;
  readonly project: SessionProject;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly turns: readonly Turn[];
  readonly parentId?: SessionId;
  readonly isSubagent?: boolean;
  /** One of our own extraction sessions: never ingested. */
  readonly sentinel?: boolean;
  /** The host says how it ended, where it does: an API error, a turn cap, a crash. */
  readonly endedBy?: "api_error" | "turn_cap" | "crash" | "user";
  /** SHA-256 of the canonical normal form. */
  readonly digest: string;
  readonly report: FormatReport;
}

/** Success of a session, never guessed: what stays `unknown` is kept as provisional. */
export type OutcomeLabel = "success" | "partial" | "failure" | "unknown";
export type OutcomeEvidence = "user" | "environment" | "git" | "caller" | "judge" | "none";

export interface OutcomeSignal {
  readonly id: string;
  /** ±3 hard, ±1 soft. */
  readonly weight: number;
  readonly turn: number | null;
  /** A hard negative that a later hard positive answers leaves the sum. */
  readonly resolved: boolean;
  readonly evidence: OutcomeEvidence;
}

export interface Outcome {
  readonly label: OutcomeLabel;
  readonly score: number;
  readonly evidence: OutcomeEvidence;
  readonly signals: readonly OutcomeSignal[];
  /** Why, in a sentence, where a judge or the caller gave one. */
  readonly reason: string | null;
}
