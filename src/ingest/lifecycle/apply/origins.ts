/**
 * When a provisional memory becomes trusted by being seen again. Repetition proves nothing: one planted text can reach
 * three sessions. What counts is a second origin, of its own author and with its own evidence.
 */
import type { Fact, MemoryRecord, SourceRank } from "../../../core/memory-record.ts";
import type { IncomingFact } from "../decision.ts";

type Author = "human" | "environment" | "model";

const AUTHORS: Readonly<Record<SourceRank, Author>> = {
  user_stated: "human",
  user_confirmed: "human",
  tool_verified: "environment",
  agent_inferred: "model",
};

/**
 * Whether this sighting makes `memory` trusted: it would have been stored as trusted itself, or it is a second origin.
 * Content from outside (trust below 2) on either side never counts, however often it is seen.
 */
export function promotes(incoming: IncomingFact, memory: MemoryRecord): boolean {
  if (memory.status !== "provisional" || memory.trust < 2 || incoming.fact.trust < 2) return false;
  return incoming.status === "active" || isSecondOrigin(incoming, memory);
}

/**
 * Two authors in two sessions with different words; or twice the environment, each session with evidence of its own. A
 * person who says a thing twice, and a model that infers it twice, are one origin.
 */
function isSecondOrigin(incoming: IncomingFact, memory: MemoryRecord): boolean {
  const known = new Set(memory.provenance.map(({ session }) => session));
  if (incoming.provenance.every(({ session }) => known.has(session))) return false;
  const quotes = new Set(memory.provenance.map(({ quote }) => quote));
  if (incoming.fact.evidence.every(({ quote }) => quotes.has(quote))) return false;
  const ours = authorOf(incoming.fact);
  const theirs = authorOf(memory);
  if (ours === "model" || theirs === "model") return false;
  return ours !== theirs || ours === "environment";
}

function authorOf(fact: Pick<Fact, "source">): Author {
  return AUTHORS[fact.source];
}
