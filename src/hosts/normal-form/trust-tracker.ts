/** Gives each turn of a session its trust: what its origin allows, less what it repeats or was drawn from. */
import type { Trust } from "../../core/memory-record.ts";
import type { TurnKind, TurnOrigin } from "../../core/session.ts";
import { createLineage, leastTrust } from "./lineage.ts";

interface TrackedTurn {
  readonly kind: TurnKind;
  readonly origin: TurnOrigin;
  /** Only to lower the trust that follows from the origin. */
  readonly trust?: Trust;
}

export interface TrustTracker {
  /** The turn's trust; what comes later and repeats or follows it inherits a low one. Call once a turn, in order. */
  judge(turn: TrackedTurn, text: string): Trust;
  /** Text that we or a hook put before the model. */
  noteInjected(text: string): void;
}

const ORIGIN_TRUST: Readonly<Record<TurnOrigin, Trust>> = {
  human: 3,
  model: 2,
  tool_local: 2,
  tool_external: 1,
  injected: 0,
};
/** A human turn of which more than this is quoted from outside says what the outside says. */
const QUOTED_SHARE = 0.5;

export function createTrustTracker(): TrustTracker {
  const lineage = createLineage();
  /** The least trust of any result since the last human turn: the model may have drawn its words from it. */
  let taint: Trust = 3;
  /** The same since the session began: what sums up the session was drawn from all of it. */
  let everTaint: Trust = 3;

  const trustOf = ({ kind, origin, trust = 3 }: TrackedTurn, text: string): Trust => {
    const own = leastTrust(ORIGIN_TRUST[origin], trust);
    if (kind === "human" && lineage.repeatedShare(text) <= QUOTED_SHARE) return own;
    const source = origin !== "model" ? 3 : kind === "event" ? everTaint : taint;
    return leastTrust(leastTrust(own, source), lineage.trustOf(text));
  };

  return {
    judge(turn, text) {
      const trust = trustOf(turn, text);
      if (trust < 2) lineage.remember(text, trust);
      if (turn.kind === "human") taint = 3;
      else if (turn.kind === "tool_result") taint = leastTrust(taint, trust);
      everTaint = leastTrust(everTaint, taint);
      return trust;
    },
    noteInjected: (text) => lineage.remember(text, 0),
  };
}
