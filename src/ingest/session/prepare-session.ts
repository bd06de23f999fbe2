/** Before anything is learned: which sessions are not ours to learn from, and no secret in those that are. */
import type { SkipReason } from "../../core/report.ts";
import type { Session, Turn } from "../../core/session.ts";
import { containsSentinel, stripPrivateSpans } from "../../text/injected-spans.ts";
import type { Redactor } from "../../text/redact.ts";

export interface RefusalContext {
  readonly now: Date;
  readonly minIdleMs: number;
  readonly skipExternal: boolean;
}

/** Why a session is not ingested, if it is not. */
export function refusalOf(session: Session, { now, minIdleMs, skipExternal }: RefusalContext): SkipReason | undefined {
  if (isOurOwn(session)) return "sentinel";
  if (minIdleMs > 0 && now.getTime() - session.endedAt.getTime() < minIdleMs) return "active";
  if (!session.turns.some(({ kind, text }) => kind === "human" && text.trim() !== "")) return "empty";
  return skipExternal && session.turns.some(({ origin }) => origin === "tool_external") ? "external" : undefined;
}

/** A prompt of ours opened it: learning from it would feed the memory with itself. */
function isOurOwn({ sentinel, turns }: Session): boolean {
  return sentinel === true || turns.some(({ kind, text }) => kind === "human" && containsSentinel(text));
}

/**
 * The session without secrets and without what was marked private, in texts and in tool arguments.
 *
 * @throws {ArcticMemError} `REDACTION_FAILED`: then nothing of it may be used.
 */
export async function redactSession(redactor: Redactor, session: Session): Promise<Session> {
  const turns = session.turns.map(withoutPrivate);
  const texts = turns.flatMap(({ text, tool }) => [text, tool?.args ?? ""]);
  const redacted = await redactor.redactAll(texts);
  return {
    ...session,
    turns: turns.map((turn, at) => withTexts(turn, redacted[at * 2] ?? "", redacted[at * 2 + 1] ?? "")),
  };
}

function withoutPrivate(turn: Turn): Turn {
  return withTexts(turn, stripPrivateSpans(turn.text), stripPrivateSpans(turn.tool?.args ?? ""));
}

function withTexts(turn: Turn, text: string, args: string): Turn {
  const { tool } = turn;
  return { ...turn, text, ...(tool?.args === undefined ? {} : { tool: { ...tool, args } }) };
}
