/**
 * A domain profile: what is worth extracting, and what counts as success, as data. Loaded and checked by `config`,
 * used by the pipeline.
 */
import type { FactType } from "./memory-record.ts";

export interface ProfileType {
  readonly id: FactType;
  /** What people of this domain call it. */
  readonly label: string;
  readonly definition: string;
  /** An example that is kept, and one that is not, from an invented project. */
  readonly keep: string;
  readonly reject: string;
  /** After how many days its recency bonus has halved; `null`: never. */
  readonly halfLifeDays: number | null;
}

/** What speaks for or against a session's success (signals of its outcome). */
export const SIGNAL_IDS = [
  "caller",
  "user_acceptance",
  "verified",
  "committed",
  "last_tools_ok",
  "user_moved_on",
  "assistant_claims_done",
  "tasks_all_done",
  "printed_verdict",
  "user_correction",
  "user_gave_up",
  "verification_failing",
  "user_interrupt",
  "user_denial",
  "user_revert",
  "ended_by_api_error",
  "ended_by_turn_cap",
  "ended_by_crash",
  "same_error_repeated",
  "assistant_gave_up",
  "question_unanswered",
  "little_happened",
] as const;
export type SignalId = (typeof SIGNAL_IDS)[number];

export interface OutcomePolicy {
  /** Regular expressions (case-insensitive) of commands whose success verifies the work. */
  readonly verifyCommands: readonly string[];
  /** Regular expressions of commands that only read. */
  readonly readOnlyCommands: readonly string[];
  /** Names of the host-neutral tools that change files. */
  readonly editTools: readonly string[];
  /** Regular expressions of commands that throw changes away. */
  readonly revertCommands: readonly string[];
  /** ±3 and more is hard evidence, ±1 soft, 0 is only told. */
  readonly weights: Readonly<Record<SignalId, number>>;
  readonly onUnknown: "provisional" | "skip";
  readonly onPartial: "provisional" | "skip";
  readonly judge: "unknown_only" | "always" | "never";
  readonly userStatedFromAny: boolean;
  readonly failureLessons: boolean;
}

/** Where a starting session learns of the work at hand when git does not tell: files of the folder, or the environment. */
export interface ProfileFacet {
  /** What people call it: `open notebook`. */
  readonly name: string;
  /** Beside a branch's 1. */
  readonly weight: number;
  /** Names, `*` for any part of one, in the project's folder and those directly below: the newest file speaks. */
  readonly files: readonly string[];
  /** Environment variables of the agent's process, for hosts that know the ticket or the question. */
  readonly variables: readonly string[];
}

export interface ProfileLimits {
  readonly maxFacts: number;
  readonly maxFailureLessons: number;
  readonly summariseOverChars: number;
  readonly titleMax: number;
}

export interface Profile {
  readonly id: string;
  readonly version: number;
  readonly types: readonly ProfileType[];
  readonly limits: ProfileLimits;
  readonly prompt: {
    readonly role: string;
    readonly keepTest: readonly string[];
    readonly never: readonly string[];
  };
  readonly outcome: OutcomePolicy;
  readonly filters: {
    /** Phrases of advice that any model knows (R5). */
    readonly genericAdvice: readonly string[];
    /** Rules that are switched off. */
    readonly off: readonly string[];
  };
  readonly redaction: { readonly pii: boolean };
  readonly facets: readonly ProfileFacet[];
  readonly lifecycle: { readonly allowDelete: boolean; readonly deleteCap: number };
}

/** Name and version as stored with every memory, `coding@3`. */
export function profileKey(profile: Pick<Profile, "id" | "version">): string {
  return `${profile.id}@${profile.version}`;
}
