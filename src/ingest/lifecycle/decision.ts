/** What passes between the steps of the lifecycle: facts on their way in, what a model proposed, what was planned. */
import type { MemoryId, RunId } from "../../core/ids.ts";
import type { MemoryChange, MemoryEvent, Relation } from "../../core/lifecycle.ts";
import type { Citation, Fact, MemoryFlag, MemoryRecord, Provenance, Scope } from "../../core/memory-record.ts";
import type { DecisionTrail } from "../../core/report.ts";
import type { LifecycleCosines } from "./thresholds.ts";

/** Cosine of a fact and a memory, −1 … 1; null where one of them has no vector. */
export type Similarity = (fact: Fact, memory: MemoryRecord) => number | null;

/** A fact with everything that storing it needs, so that deciding can be a pure function. */
export interface IncomingFact {
  /** `A` … `J`: how the model names it. Another alphabet than the candidates' numbers, so that they can't be confused. */
  readonly handle: string;
  readonly fact: Fact;
  /** Id that it gets when it becomes a memory of its own. */
  readonly id: MemoryId;
  readonly scope: Scope;
  /** When it was said or observed. */
  readonly eventAt: Date;
  /** What the outcome of its session makes of it. */
  readonly status: "active" | "provisional";
  readonly flags: readonly MemoryFlag[];
  readonly provenance: readonly Provenance[];
  readonly citations: readonly Citation[];
}

/** What was settled about a fact without a model. */
export interface Settlement {
  readonly kind: "duplicate" | "revival";
  /** The memory that says it already, or the tombstone that it revives. */
  readonly target: MemoryRecord;
  /** `dup:hash`, `dup:shingles`, `dup:cosine`, `dup:tombstone`, `revived`. */
  readonly rule: string;
}

export type Operation = "ADD" | "UPDATE" | "DELETE" | "NONE";

/** Text fields of a merge; what the model left out is null. */
export interface MergedText {
  readonly title: string | null;
  readonly content: string | null;
  readonly why: string | null;
  readonly howToApply: string | null;
  readonly whenToUse: readonly string[] | null;
  readonly whenNot: string | null;
  readonly appliesIf: string | null;
}

export interface ProposedDecision {
  readonly fact: string;
  readonly relation: Relation | null;
  readonly op: Operation;
  /** Number of a candidate; null where there was none or no integer. */
  readonly target: number | null;
  readonly merged: MergedText | null;
  readonly quote: string;
  readonly reason: string;
}

export interface Verdict {
  readonly fact: string;
  readonly candidate: number;
  readonly stillTrue: "yes" | "no" | "cant_tell";
}

export interface Proposal {
  readonly decisions: readonly ProposedDecision[];
  readonly verdicts: readonly Verdict[];
  /** Items of the reply that were no decisions. */
  readonly dropped: number;
}

export interface LifecyclePolicy {
  readonly allowDelete: boolean;
  /** Most memories that one run may supersede. */
  readonly deleteCap: number;
  /** Active memories in the scope, of which at most a tenth may go in one run. */
  readonly activeInScope: number;
  readonly titleMax: number;
}

export interface DecisionInput {
  readonly facts: readonly IncomingFact[];
  /** By the fact's handle. */
  readonly settled: ReadonlyMap<string, Settlement>;
  /** What the model saw, by number. */
  readonly candidates: ReadonlyMap<number, MemoryRecord>;
  /** Null where no model was asked: then every fact that is not settled is added. */
  readonly proposal: Proposal | null;
  /** The model was asked and did not answer: additions are marked, to be decided later. */
  readonly pending: boolean;
  /** Facts that may only be added, by handle, with the guard that says why: found by rule, or twice beaten in a race. */
  readonly addOnly: ReadonlyMap<string, string>;
  readonly similarity: Similarity;
  /** What its cosines mean. Default: cautious ones. */
  readonly cosines?: LifecycleCosines;
  /** Whether a quote stands in this session's text. */
  readonly quoteStands: (quote: string) => boolean;
  /** The rule by which a merged text may not be stored (a secret, an instruction), if any. */
  readonly refuseText: (text: string) => string | undefined;
  readonly policy: LifecyclePolicy;
  readonly run: RunId;
  readonly now: Date;
  readonly profile: string;
}

export interface DecisionPlan {
  readonly changes: readonly MemoryChange[];
  readonly events: readonly MemoryEvent[];
  readonly trail: readonly DecisionTrail[];
  /** Handles of the facts that each change of an existing memory came from: to be decided again when it lost a race. */
  readonly factsByTarget: ReadonlyMap<MemoryId, readonly string[]>;
  /** Handle by the position of its addition among `changes`. */
  readonly factByAddition: ReadonlyMap<number, string>;
  /** How often each guard spoke, decisions for facts that do not exist included. */
  readonly guards: Readonly<Record<string, number>>;
}
