/**
 * Cuts a session into what is kept verbatim and what may be shortened: everything between two human turns is one span of
 * the assistant.
 */
import type { Turn } from "../../../core/session.ts";
import { renderTurn, renderTurns } from "../render-turns.ts";
import type { Segment } from "../transcript-window.ts";

/** A span of the assistant; `handle` is what models name it by. */
export interface Span extends Segment {
  readonly human: false;
  readonly handle: number;
  readonly turns: readonly Turn[];
}

export type Piece = (Segment & { readonly human: true }) | Span;

/** In order; texts are rendered lines. */
export function cutIntoPieces(turns: readonly Turn[]): Piece[] {
  const pieces: Piece[] = [];
  let open: Turn[] = [];
  const close = () => {
    if (open.length > 0) pieces.push(toSpan(open, pieces.length));
    open = [];
  };
  for (const turn of turns) {
    if (turn.kind !== "human") {
      open.push(turn);
      continue;
    }
    close();
    pieces.push({ human: true, firstTurn: turn.index, lastTurn: turn.index, text: renderTurn(turn) });
  }
  close();
  return pieces;
}

function toSpan(turns: readonly Turn[], handle: number): Span {
  return {
    human: false,
    handle,
    firstTurn: turns[0]?.index ?? 0,
    lastTurn: turns.at(-1)?.index ?? 0,
    text: renderTurns(turns),
    turns,
  };
}
