/** What the long-running jobs tell: a run of ingestion, an index pass, the state of the whole. */
import type { MemoryId, ProjectId, RunId, SessionId } from "./ids.ts";
import type { FactType } from "./memory-record.ts";
import type { Outcome } from "./session.ts";

/** How an ingestion ended; the four are never conflated. */
export type RunResult =
  | { readonly kind: "facts" }
  /** A valid empty answer. */
  | { readonly kind: "no_facts" }
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | { readonly kind: "failed"; readonly failure: FailureKind; readonly retryable: boolean; readonly message: string };

export type SkipReason = "active" | "budget" | "empty" | "external" | "outcome" | "sentinel";
/** `config`: a setting stands in the way, such as a key that is not there; no try helps before it is mended. */
export type FailureKind = "config" | "format" | "model" | "parse" | "redaction" | "store" | "missing";

export type RunStatus = "running" | "done" | "waiting" | "dead";

/** One line per stage: what went in, what came out, what it cost. */
export interface StageReport {
  readonly stage: string;
  readonly durationMs: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheHits: number;
  readonly notes: readonly string[];
}

/** A fact that did not become a memory, and which rule says so. */
export interface Rejection {
  readonly rule: string;
  readonly title: string;
  readonly detail: string;
}

/** What was decided about one fact, with every guard that changed the proposal. */
export interface DecisionTrail {
  readonly title: string;
  readonly type: FactType;
  readonly proposed: string;
  readonly applied: "ADD" | "UPDATE" | "DELETE" | "NONE";
  readonly memory: MemoryId | null;
  readonly target: MemoryId | null;
  readonly guards: readonly string[];
  readonly reason: string | null;
}

/** What a session left for the next one, redacted. */
export interface OpenItems {
  /** First line of the first request; null where nobody asked for anything in words. */
  readonly goal: string | null;
  /** Normalised messages of failures that nothing answered. */
  readonly errors: readonly string[];
  /** When the session ended, ISO 8601. */
  readonly at: string;
}

export interface IngestReport {
  readonly run: RunId;
  readonly session: SessionId;
  readonly host: string;
  readonly project: ProjectId;
  readonly result: RunResult;
  readonly mode: "model" | "rules";
  /** `model:<name>` or `rules/<version>`. */
  readonly extractor: string;
  readonly outcome: Outcome | null;
  /** Absent where the session was not read. */
  readonly open?: OpenItems;
  readonly decisions: readonly DecisionTrail[];
  readonly rejections: readonly Rejection[];
  readonly stages: readonly StageReport[];
  /** Share of the session's characters that the extractor saw, 0 … 1, and what it did not see. */
  readonly coverage: number;
  readonly leftOut: readonly string[];
  readonly dryRun: boolean;
  /** The same session had been ingested before: this is the stored report. */
  readonly alreadyIngested: boolean;
  /** What it did was taken back since. */
  readonly undone?: boolean;
  /** Rules stood in, for the model could not be asked: why, which run waits for it, whether that is tried by itself. */
  readonly withoutModel?: { readonly run: RunId; readonly message: string; readonly retryable: boolean };
  /** Told by `ingest` where the project is not the one of its folder, or the session's own folder is not here. */
  readonly place?: { readonly name: string; readonly goneFolder: string | null };
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** Left out because the user had its text erased: the title is blank then, the detail is the hash that stayed. */
export const ERASED_RULE = "dup:erased";
export const ERASED_TITLE = "(erased)";

/** Without what it quotes of its session: notes of stages, what was left out or left open. Rules and hashes stay. */
export function withoutQuotes(report: IngestReport): IngestReport {
  const rejections = report.rejections.map(({ rule, detail }) => ({
    ...{ rule, title: ERASED_TITLE },
    detail: rule === ERASED_RULE ? detail : "",
  }));
  const stages = report.stages.map((stage) => ({ ...stage, notes: [] }));
  const { open: _, ...rest } = report;
  return { ...rest, rejections, stages };
}

export interface RunRecord {
  readonly id: RunId;
  readonly host: string;
  readonly session: SessionId;
  readonly project: ProjectId | null;
  readonly transcript: string;
  readonly digest: string;
  readonly extractor: string;
  readonly profile: string;
  readonly status: RunStatus;
  readonly attempts: number;
  readonly leaseUntil: Date | null;
  /** A failed run is tried again after this. */
  readonly notBefore: Date | null;
  /** Turns up to here (exclusive) have been extracted. */
  readonly watermark: number;
  readonly report: IngestReport | null;
  readonly error: string | null;
  readonly updatedAt: Date;
}

/** No lease that we give is longer, and no pause: the budgets' and the back-off's are a day at most. */
export const LONGEST_LEASE_MS = 3_600_000;
export const LONGEST_PAUSE_MS = 2 * 86_400_000;

/**
 * Whether a time that was written down has come. One that is further ahead than any that we write comes from a clock that
 * ran ahead and was put right since: it has come, too, or a session would wait for years.
 */
export function hasCome(until: Date, now: Date, longestMs: number): boolean {
  const ahead = until.getTime() - now.getTime();
  return ahead <= 0 || ahead > longestMs;
}

export interface IndexReport {
  readonly project: ProjectId;
  readonly files: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Files that were found but left out, each with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly chunks: number;
  /** Texts that had to be embedded in this pass; 0 when nothing changed. */
  readonly embedded: number;
}

export interface StatusReport {
  readonly version: string;
  readonly store: {
    readonly path: string;
    readonly bytes: number;
    readonly writable: boolean;
    readonly problem: string | null;
  };
  readonly disabled: boolean;
  readonly paused: boolean;
  readonly project: { readonly id: ProjectId; readonly name: string; readonly root: string } | null;
  readonly memories: Readonly<Record<string, number>>;
  readonly files: { readonly files: number; readonly chunks: number };
  readonly queue: {
    readonly spooled: number;
    readonly waiting: number;
    readonly running: number;
    readonly dead: number;
    /** Notes of hooks that could not be used, set aside. */
    readonly setAside: number;
  };
  readonly deadLetters: readonly { readonly run: RunId; readonly session: string; readonly error: string }[];
  readonly extractor: {
    readonly mode: "model" | "rules";
    readonly name: string;
    readonly endpoint: string | null;
    /** Why no session can be learned from as the settings want it, and what to do; absent where nothing is in the way. */
    readonly problem?: string;
  };
  readonly embedder: {
    readonly name: string;
    readonly missingVectors: number;
    /** While vectors of another model are being made: whose vectors serve meanwhile, and how far it is. */
    readonly swap?: { readonly from: string; readonly done: number; readonly total: number };
  };
  readonly usage: {
    readonly callsToday: number;
    readonly tokensToday: number;
    /** `null` where the price of any call is unknown. */
    readonly costToday: number | null;
    readonly currency: string;
    /** Day of the price table; `null` where none is set. */
    readonly pricesAsOf: string | null;
  };
  readonly lastRun: { readonly at: Date; readonly result: string; readonly error: string | null } | null;
  /** Where rules files and memories of the project contradict each other, as sentences. */
  readonly fileConflicts: readonly string[];
  readonly warnings: readonly string[];
}
