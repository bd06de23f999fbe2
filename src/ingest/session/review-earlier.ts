/**
 * A session that is ingested again has gone on: what it taught before is looked at in the light of how it ended now, and
 * what an agent wrote on the user's behalf is set against what the user really said.
 */
import type { RunId } from "../../core/ids.ts";
import {
  changeOf,
  type EventKind,
  type MemoryChange,
  type MemoryEvent,
  type MemoryPatch,
} from "../../core/lifecycle.ts";
import type { MemoryRecord, Provenance } from "../../core/memory-record.ts";
import type { OutcomeLabel, Session, Turn } from "../../core/session.ts";
import { canonicalText, canonicalWords } from "../../text/shingles.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { isImmutable } from "../lifecycle/apply/guards.ts";

export interface ReviewInput {
  readonly session: Session;
  /** Memories that this session had a part in, as they stand. */
  readonly memories: readonly MemoryRecord[];
  readonly outcome: OutcomeLabel;
  readonly run: RunId;
  readonly now: Date;
}

export interface ReviewPlan {
  readonly changes: readonly MemoryChange[];
  readonly events: readonly MemoryEvent[];
}

/** A shorter quote ("yes please") asks for nothing in particular. */
const QUOTE_CHARACTERS = 12;
/** A note is written a moment before or after the turns around it. */
const CLOCK_SLACK_MS = 120_000;
/** Share of a note's own words that the user's turn must hold: the rest is the agent's. */
const OWN_WORDS = 0.6;

/** Pure; each memory changes at most once. */
export function reviewEarlier(input: ReviewInput): ReviewPlan {
  const changes: MemoryChange[] = [];
  const events: MemoryEvent[] = [];
  for (const memory of input.memories) {
    const verdict = confirmNote(memory, input) ?? judgeAnew(memory, input);
    if (verdict === undefined) continue;
    const { patch, kind, rule, reason } = verdict;
    changes.push(changeOf(memory, { patch }));
    const { run, now } = input;
    events.push({ memory: memory.id, kind, run, actor: "pipeline", rules: [rule], reason, at: now });
  }
  return { changes, events };
}

interface Verdict {
  readonly patch: MemoryPatch;
  readonly kind: EventKind;
  readonly rule: string;
  readonly reason: string;
}

/** A note that an agent took: trusted once its quote, and most of its words, are found in what the user said. */
function confirmNote(memory: MemoryRecord, { session, now }: ReviewInput): Verdict | undefined {
  if (memory.status !== "provisional" || isImmutable(memory)) return undefined;
  const note = memory.provenance.find((source) => isNoteOf(source, session));
  const quote = canonicalText(note?.quote ?? "");
  if (quote.length < QUOTE_CHARACTERS) return undefined;
  const said = session.turns.find((turn) => isSpoken(turn) && canonicalText(turn.text).includes(quote));
  if (said === undefined || sharedWords(memory, said) < OWN_WORDS) return undefined;
  return {
    patch: { status: "active", source: "user_stated", trust: 3, confirmedAt: now },
    kind: "promoted",
    rule: "quote-found",
    reason: `the quote stands in t${said.index} of the session`,
  };
}

/** Taken in this session; where the host did not say in which, at a time when this one was open. */
export function isNoteOf({ kind, session: of, quote, at }: Provenance, session: Session): boolean {
  if (kind !== "agent" || quote === null) return false;
  if (of !== null) return of === session.id;
  return (
    at.getTime() >= session.startedAt.getTime() - CLOCK_SLACK_MS &&
    at.getTime() <= session.endedAt.getTime() + CLOCK_SLACK_MS
  );
}

/** What only this session vouches for rises and falls with it; what people said or confirmed stays. */
function judgeAnew(memory: MemoryRecord, { session, outcome, run }: ReviewInput): Verdict | undefined {
  if (isImmutable(memory) || memory.trust < 2 || !isOnlyFrom(memory, session, run)) return undefined;
  if (memory.status === "provisional" && outcome === "success" && memory.polarity !== "avoid") {
    return { patch: { status: "active" }, kind: "promoted", rule: "outcome", reason: "the session went on to succeed" };
  }
  const ownWord = memory.source === "user_stated" || memory.source === "user_confirmed";
  if (memory.status !== "active" || outcome === "success" || ownWord) return undefined;
  return {
    patch: { status: "provisional" },
    kind: "flagged",
    rule: "outcome",
    reason: `the session went on and ended in ${outcome}`,
  };
}

/** Every sighting is by a model in an earlier run over this session. */
function isOnlyFrom({ provenance }: MemoryRecord, session: Session, run: RunId): boolean {
  return provenance.every(
    (source) =>
      source.kind === "session" &&
      source.session === session.id &&
      source.run !== run &&
      source.extractor.startsWith("model:"),
  );
}

function isSpoken({ kind, origin, trust }: Turn): boolean {
  return kind === "human" && origin === "human" && trust === 3;
}

function sharedWords({ title, content }: MemoryRecord, { text }: Turn): number {
  const said = new Set(canonicalWords(text));
  const own = [...new Set(canonicalWords(`${title} ${content}`))].filter(
    (word) => word.length > 1 && !isStopWord(word),
  );
  return own.length === 0 ? 0 : own.filter((word) => said.has(word)).length / own.length;
}
