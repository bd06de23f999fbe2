/**
 * The nouns of tier 2: a fact is what a session taught; a memory is a fact that the store keeps, with its provenance,
 * its standing and its history.
 */
import { HANDLE_CHARACTERS, type MemoryId, type ProjectId, type RunId, type SessionId } from "./ids.ts";

export const FACT_TYPES = ["lesson", "context", "preference", "pointer"] as const;
export type FactType = (typeof FACT_TYPES)[number];

export const POLARITIES = ["do", "avoid", "fact"] as const;
export type Polarity = (typeof POLARITIES)[number];

/** Who vouches for a fact, strongest first. */
export const SOURCE_RANKS = ["user_stated", "user_confirmed", "tool_verified", "agent_inferred"] as const;
export type SourceRank = (typeof SOURCE_RANKS)[number];

/** 0 for the strongest. */
export function rankOfSource(source: SourceRank): number {
  return SOURCE_RANKS.indexOf(source);
}

/** 3 human, 2 model or local tool, 1 external content, 0 our own injected memory. The least of all evidence counts. */
export type Trust = 0 | 1 | 2 | 3;

export const MEMORY_STATUSES = ["active", "provisional", "disputed", "archived", "superseded", "forgotten"] as const;
export type MemoryStatus = (typeof MEMORY_STATUSES)[number];

/** Statuses that search returns unless asked otherwise. */
export const LIVE_STATUSES = ["active", "provisional", "disputed"] as const satisfies readonly MemoryStatus[];

export function isLive({ status }: Pick<MemoryRecord, "status">): boolean {
  return LIVE_STATUSES.some((live) => live === status);
}

/** What a memory says: everything that people and models may read or write of it. */
export interface FactBody {
  readonly type: FactType;
  readonly polarity: Polarity;
  /** States the claim, not the topic; one line, at most 80 characters. */
  readonly title: string;
  readonly content: string;
  readonly why: string;
  readonly howToApply: string;
  /** One to three situations in which it should come to mind. */
  readonly whenToUse: readonly string[];
  /** Where the advice would mislead. */
  readonly whenNot: string | null;
  /** A version or platform condition. */
  readonly appliesIf: string | null;
  readonly symbols: readonly string[];
}

export interface Evidence {
  /** Index of the turn in the session's normal form. */
  readonly turn: number;
  /** At most 160 characters, copied exactly. */
  readonly quote: string;
}

/** A fact as extracted and grounded, before the lifecycle has decided about it. */
export interface Fact extends FactBody {
  readonly scope: "project" | "user";
  readonly source: SourceRank;
  readonly trust: Trust;
  /** 0 … 1. */
  readonly confidence: number;
  /** Turn in which the matter was resolved. */
  readonly resolvedAt: number | null;
  /** When a Context stops being true by its own words. */
  readonly expires: Date | null;
  readonly evidence: readonly Evidence[];
}

/**
 * Rules without a model are this sure of what a person explicitly stated: asked to be remembered, laid down as a rule,
 * linked (X1, X2, X6). What they gather from a correction, a decision or an error is below, and is never shown unasked.
 */
export const EXPLICIT_CONFIDENCE = 0.5;

/** Where a memory came from: one entry for each time that it was seen. */
export interface Provenance {
  /** `session`: ingested; `user`: `add` or `edit` by a person; `agent`: `memory_add` by an agent. */
  readonly kind: "session" | "user" | "agent";
  readonly host: string | null;
  readonly session: SessionId | null;
  readonly run: RunId | null;
  readonly turn: number | null;
  readonly quote: string | null;
  /** Path of the transcript, for opening it again. */
  readonly transcript: string | null;
  /** `model:<name>`, `rules/<version>` or `person`. */
  readonly extractor: string;
  /** When it was said or done, not when it was stored. */
  readonly at: Date;
  /** Cited turn and its neighbours, redacted, so that evidence can be opened when the transcript is gone. */
  readonly excerpt: string | null;
}

/** A place in the code that a memory speaks of, checked again when the memory is read. */
export interface Citation {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly symbol: string | null;
  /** SHA-256 of the cited line, white space folded; `null` where only the path was cited. */
  readonly lineHash: string | null;
}

/** `user` memories are seen in all projects. */
export type Scope = { readonly kind: "user" } | { readonly kind: "project"; readonly project: ProjectId };

export function sameScope(a: Scope, b: Scope): boolean {
  return a.kind === "user" ? b.kind === "user" : b.kind === "project" && a.project === b.project;
}

/** How often it was said that it helped, and that it was wrong or stale; once a session and voice. */
export interface VerdictCounts {
  readonly helped: number;
  readonly harmed: number;
}

const MEMORY_FLAGS = ["lifecycle_pending", "stale_suspect", "conflicts", "trigger_made"] as const;
export type MemoryFlag = (typeof MEMORY_FLAGS)[number];

export interface MemoryRecord extends FactBody {
  readonly id: MemoryId;
  readonly scope: Scope;
  readonly status: MemoryStatus;
  readonly flags: readonly MemoryFlag[];
  readonly pinned: boolean;
  /** Written or changed by a person: no pipeline may change it. */
  readonly humanEdited: boolean;
  readonly source: SourceRank;
  readonly trust: Trust;
  readonly confidence: number;
  /** 1 for a new memory; each UPDATE or edit adds one, the older texts stay readable. */
  readonly version: number;
  /** Moves with every change, also where the text stays; set by the store. */
  readonly revision?: number;
  /** Where there are any; set by the store. */
  readonly verdicts?: VerdictCounts;
  /** How often it was seen, the first time included. */
  readonly seen: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Last time that a person or another origin confirmed it; recency is counted from here. */
  readonly confirmedAt: Date;
  /** When what it says was said or observed; decides which of two contradicting memories is newer. */
  readonly eventAt: Date;
  readonly expiresAt: Date | null;
  readonly supersededBy: MemoryId | null;
  readonly tombstonedAt: Date | null;
  /** Why it was superseded, forgotten, archived or disputed. */
  readonly reason: string | null;
  readonly conflictsWith: readonly MemoryId[];
  readonly provenance: readonly Provenance[];
  readonly citations: readonly Citation[];
  readonly profile: string;
}

const TYPE_LETTERS: Readonly<Record<FactType, string>> = { lesson: "L", context: "C", preference: "P", pointer: "R" };

/** What people and agents call a memory: its type's letter and the first six characters of its id, `L-7f3k2q`. */
export function handleOf(memory: Pick<MemoryRecord, "id" | "type">): string {
  return `${TYPE_LETTERS[memory.type]}-${memory.id.slice(0, HANDLE_CHARACTERS)}`;
}

/** The text of a memory without its standing. */
export function bodyOf(memory: FactBody): FactBody {
  const { type, polarity, title, content, why, howToApply, whenToUse, whenNot, appliesIf, symbols } = memory;
  return { type, polarity, title, content, why, howToApply, whenToUse, whenNot, appliesIf, symbols };
}
