/** Facts and proposals for tests of the lifecycle, from the few fields that a test is about. */
import { memoryId, runId, sessionId } from "../../src/core/ids.ts";
import type { Fact, MemoryRecord } from "../../src/core/memory-record.ts";
import type { DecisionInput, IncomingFact, Proposal, ProposedDecision } from "../../src/ingest/lifecycle/decision.ts";
import { NOW, PROJECT } from "./records.ts";

export const RUN = runId("run-1");

export function aFact(fields: Partial<Fact> = {}): Fact {
  return {
    type: "context",
    polarity: "fact",
    title: "Postgres for the tests runs on port 5433",
    content: "The test database is Postgres on port 5433, because 5432 is taken by the tunnel.",
    why: "The tunnel to staging listens on 5432.",
    howToApply: "Point DATABASE_URL of the tests at port 5433.",
    whenToUse: ["running the tests of billing-api"],
    whenNot: null,
    appliesIf: null,
    symbols: ["DATABASE_URL"],
    scope: "project",
    source: "user_stated",
    trust: 3,
    confidence: 0.9,
    resolvedAt: null,
    expires: null,
    evidence: [{ turn: 1, quote: "the test database moved to port 5433" }],
    ...fields,
  };
}

/** `handle` also makes the id that the fact gets as a memory of its own. */
export function incoming(handle: string, fact: Partial<Fact> = {}, fields: Partial<IncomingFact> = {}): IncomingFact {
  const whole = aFact(fact);
  return {
    handle,
    fact: whole,
    id: memoryId(`new${handle.toLowerCase()}00zzzzzz`),
    scope: { kind: "project", project: PROJECT },
    eventAt: NOW,
    status: "active",
    flags: [],
    provenance: whole.evidence.map(({ turn, quote }) => ({
      kind: "session",
      host: "claude-code",
      session: sessionId("session-2"),
      run: RUN,
      turn,
      quote,
      transcript: "/t.jsonl",
      extractor: "model:canned",
      at: NOW,
      excerpt: null,
    })),
    citations: [],
    ...fields,
  };
}

export function proposal(decisions: readonly Partial<ProposedDecision>[], rest: Partial<Proposal> = {}): Proposal {
  return {
    decisions: decisions.map((decision) => ({
      fact: "A",
      relation: null,
      op: "ADD",
      target: null,
      merged: null,
      quote: "the test database moved to port 5433",
      reason: "the user said that the port has changed",
      ...decision,
    })),
    verdicts: [],
    dropped: 0,
    ...rest,
  };
}

export function decisionInput(
  facts: readonly IncomingFact[],
  memories: readonly MemoryRecord[],
  fields: Partial<DecisionInput> = {},
): DecisionInput {
  return {
    facts,
    settled: new Map(),
    candidates: new Map(memories.map((memory, at) => [at + 1, memory])),
    proposal: null,
    pending: false,
    addOnly: new Map(),
    similarity: () => null,
    quoteStands: () => true,
    refuseText: () => undefined,
    policy: { allowDelete: true, deleteCap: 3, activeInScope: 100, titleMax: 80 },
    run: RUN,
    now: NOW,
    profile: "coding@1",
    ...fields,
  };
}
