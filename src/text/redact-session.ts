/** Redacts a session in normal form: the step between reading a transcript and everything else. */
import type { Session, Turn } from "../core/session.ts";
import type { Redactor } from "./redact.ts";

/**
 * The session with every text and every tool argument redacted, in one scan. Its digest stays the one of what was read,
 * so that the same transcript is recognised again.
 *
 * @throws {ArcticMemError} `REDACTION_FAILED`: the session must then not be used at all.
 */
export async function redactSession(session: Session, redactor: Redactor): Promise<Session> {
  const texts = session.turns.flatMap((turn) => [turn.text, turn.tool?.args ?? ""]);
  const redacted = await redactor.redactAll(texts);
  const turns = session.turns.map((turn, at) => withTexts(turn, redacted[at * 2] ?? "", redacted[at * 2 + 1] ?? ""));
  return { ...session, turns };
}

function withTexts(turn: Turn, text: string, args: string): Turn {
  if (turn.tool?.args === undefined) return turn.text === text ? turn : { ...turn, text };
  return turn.text === text && turn.tool.args === args ? turn : { ...turn, text, tool: { ...turn.tool, args } };
}
