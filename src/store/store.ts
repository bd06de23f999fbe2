/**
 * What a store owes. Canonical rows (memories with their history, sources, runs, files) and derived ones (full text,
 * symbols, trigrams, vectors) live in one database; whoever changes a canonical row changes its text indexes in the same
 * transaction. Vectors follow after the commit and are never waited for.
 *
 * Every method may throw `STORE_LOCKED` (busy beyond the time-out), `STORE_FULL`, `PERMISSION_DENIED` or
 * `STORE_BROKEN`; a call that throws has changed nothing.
 */
import type { Chunk, SourceFile } from "../core/chunk.ts";
import type { UsageEvent } from "../core/findings/feedback.ts";
import type { FileConflict } from "../core/findings/file-conflict.ts";
import type { MemoryId, ProjectId, RunId, SessionId } from "../core/ids.ts";
import type { MemoryChange, MemoryEvent } from "../core/lifecycle.ts";
import type { FactType, MemoryFlag, MemoryRecord, MemoryStatus, Scope } from "../core/memory-record.ts";
import type { RankedUnit, UnitKind } from "../core/query.ts";
import type { IngestReport, RunRecord } from "../core/report.ts";

export interface Store {
  /** Path of the database, or `:memory:`. */
  readonly location: string;
  readonly projects: ProjectTable;
  readonly memories: MemoryTable;
  readonly runs: RunTable;
  readonly files: FileTable;
  readonly index: SearchIndex;
  readonly settings: SettingTable;
  readonly sessions: SessionTable;
  readonly conflicts: ConflictTable;
  readonly usage: UsageTable;
  /** Drops what is derived and builds it again, but vectors: those of texts that stay serve on until others replace them. */
  rebuildDerived(onProgress?: (done: number, total: number) => void): Promise<void>;
  /** Bytes on disk, the write-ahead log included. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

export interface ProjectRow {
  readonly id: ProjectId;
  readonly name: string;
  /** Normalised remote, where there is one. */
  readonly remote: string | null;
  readonly root: string;
}

export interface ProjectTable {
  /** Creates or refreshes; an id that was merged into another resolves to that one. @returns The id in force. */
  upsert(project: ProjectRow): Promise<ProjectId>;
  get(id: ProjectId): Promise<ProjectRow | undefined>;
  list(): Promise<ProjectRow[]>;
  /** Moves all rows of `from` to `into`, which also stands for `from` from now on. One transaction. */
  merge(from: ProjectId, into: ProjectId): Promise<{ readonly memories: number; readonly files: number }>;
}

export interface MemoryFilter {
  /** Memories of these projects; with `user` also those of the user's scope. Absent: all. */
  readonly projects?: readonly ProjectId[];
  readonly user?: boolean;
  readonly statuses?: readonly MemoryStatus[];
  readonly types?: readonly FactType[];
  readonly flags?: readonly MemoryFlag[];
  readonly pinned?: boolean;
  readonly session?: SessionId;
  readonly run?: RunId;
  /** Created at or after. */
  readonly since?: Date;
  readonly limit?: number;
  /** Default `newest`; `stable` sorts by type, then id. */
  readonly order?: "newest" | "stable";
  /** `false` leaves `provenance` empty: half the time, for a view of many that shows no evidence. */
  readonly provenance?: boolean;
}

/** A memory as it was before a change. */
export interface MemorySnapshot {
  readonly memory: MemoryRecord;
  /** When this state was left. */
  readonly until: Date;
  readonly run: RunId | null;
}

export type ApplyResult =
  | { readonly applied: true }
  | {
      readonly applied: false;
      /** Memories whose version had moved on, or that are gone. */
      readonly lost: readonly MemoryId[];
      /** ADDs whose content already stands in the same scope and type, by their position in the changes. */
      readonly duplicates: readonly { readonly change: number; readonly existing: MemoryId }[];
    };

/** A text that once was a memory and must not be learned again without the user's word. */
export interface Tombstone {
  readonly contentHash: string;
  readonly erasedAt: Date;
}

export interface MemoryTable {
  get(id: MemoryId): Promise<MemoryRecord | undefined>;
  /** In the order asked; unknown ids are left out. */
  getMany(ids: readonly MemoryId[]): Promise<MemoryRecord[]>;
  /** Memories whose id starts with `prefix` (lower case, without the type's letter), at most 10. */
  findByPrefix(prefix: string): Promise<MemoryRecord[]>;
  list(filter: MemoryFilter): Promise<MemoryRecord[]>;
  count(filter: MemoryFilter): Promise<number>;
  /** Counts by status. */
  countByStatus(
    filter: Pick<MemoryFilter, "projects" | "user">,
  ): Promise<Readonly<Partial<Record<MemoryStatus, number>>>>;
  /** All changes in one immediate transaction, each compared with the version it expects, or none. */
  apply(changes: readonly MemoryChange[], events: readonly MemoryEvent[]): Promise<ApplyResult>;
  /** A new id whose first six characters are free in this store. */
  newId(): Promise<MemoryId>;
  /** Earlier states, newest first. */
  history(id: MemoryId): Promise<MemorySnapshot[]>;
  events(filter: { readonly memory?: MemoryId; readonly run?: RunId; readonly limit?: number }): Promise<MemoryEvent[]>;
  /** Same canonical text in this scope, any status, newest first. */
  findByContent(scope: Scope, contentHash: string): Promise<MemoryRecord[]>;
  /** Of a text that was erased from this project, or from what holds for the user everywhere. */
  findTombstone(project: ProjectId, contentHash: string): Promise<Tombstone | undefined>;
  /** Deletes for good: rows, history, events, sources, indexes, vectors; leaves hash-only tombstones. */
  erase(ids: readonly MemoryId[], at: Date): Promise<number>;
}

export interface RunKey {
  readonly host: string;
  readonly session: SessionId;
  readonly digest: string;
  readonly profile: string;
  readonly extractor: string;
}

export interface RunStart extends RunKey {
  readonly id: RunId;
  readonly project: ProjectId | null;
  readonly transcript: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

export type RunClaim =
  | { readonly kind: "claimed"; readonly run: RunRecord }
  /** Finished before with the same key. */
  | { readonly kind: "done"; readonly run: RunRecord }
  /** Another worker holds the lease. */
  | { readonly kind: "leased"; readonly until: Date }
  /** Failed or put off; may be tried again later. */
  | { readonly kind: "waiting"; readonly until: Date; readonly run: RunRecord }
  | { readonly kind: "dead"; readonly run: RunRecord };

export interface RunTable {
  claim(start: RunStart, now: Date): Promise<RunClaim>;
  /** @returns False when the lease was lost to another owner. */
  heartbeat(id: RunId, owner: string, until: Date): Promise<boolean>;
  /** `done` is final unless the report says `skipped` for `budget` or `active`, or `failed` retryable with attempts left. */
  finish(id: RunId, outcome: RunFinish, now: Date): Promise<void>;
  get(id: RunId): Promise<RunRecord | undefined>;
  list(filter: {
    readonly project?: ProjectId;
    readonly status?: RunRecord["status"];
    readonly limit?: number;
  }): Promise<RunRecord[]>;
  /** Highest watermark of the finished runs of a session with this extractor, 0 where there is none. */
  watermark(host: string, session: SessionId, extractor: string): Promise<number>;
  /** Makes a run that is not running wait for its next try, as if it had never been tried. */
  revive(id: RunId): Promise<void>;
}

export interface RunFinish {
  readonly status: "done" | "waiting" | "dead";
  readonly notBefore: Date | null;
  readonly watermark: number;
  readonly report: IngestReport | null;
  readonly error: string | null;
}

export interface FileTable {
  list(project: ProjectId): Promise<SourceFile[]>;
  /** Replaces a file's row and its chunks; chunks whose text stays keep their vectors. */
  replace(file: SourceFile, chunks: readonly Chunk[]): Promise<void>;
  remove(project: ProjectId, path: string): Promise<void>;
  /** Only time and size have moved: no chunk changes. */
  touch(file: SourceFile): Promise<void>;
  chunks(project: ProjectId, path?: string): Promise<Chunk[]>;
  counts(project?: ProjectId): Promise<{ readonly files: number; readonly chunks: number }>;
}

/** What may answer, applied in SQL before anything is ranked. */
export interface UnitFilter {
  readonly unit: UnitKind;
  readonly projects: readonly ProjectId[];
  /** Facts only: also the user's own. */
  readonly user: boolean;
  readonly statuses: readonly MemoryStatus[];
  readonly types?: readonly FactType[];
  /** Facts only: those that were current at that moment, whatever their status is now. */
  readonly asOf?: Date;
}

export type VectorSlot = "trigger" | "body";

/** A text whose vector is mixed into another one's. */
export interface Shade {
  readonly text: string;
  /** Beside 1 for the text itself. */
  readonly weight: number;
}

/** A text that still needs a vector of this fingerprint. */
export interface MissingVector {
  readonly unit: UnitKind;
  readonly key: number;
  readonly slot: VectorSlot;
  readonly text: string;
  /** What it is understood from; its vector is to be shaded by theirs. */
  readonly around?: readonly Shade[];
}

export interface NewVector extends MissingVector {
  /** Unit length. */
  readonly vector: Float32Array;
}

export interface SymbolHit extends RankedUnit {
  /** Fewest units that carry one of the matched symbols: small is rare. */
  readonly documentFrequency: number;
}

export interface FulltextTerm {
  /** As it will be quoted for the index; never parsed as query syntax. */
  readonly text: string;
  readonly prefix?: boolean;
}

export interface CommonVector {
  /** Mean, not of unit length. */
  readonly mean: Float32Array;
  /** How many vectors it is the mean of. */
  readonly count: number;
}

export interface SearchIndex {
  /** Terms are OR-ed; score is BM25 turned positive. */
  fulltext(terms: readonly FulltextTerm[], filter: UnitFilter, limit: number): Promise<RankedUnit[]>;
  /** Exact forms, weighted by inverse document frequency. */
  symbols(forms: readonly string[], filter: UnitFilter, limit: number): Promise<SymbolHit[]>;
  /** Pieces of at least three characters, OR-ed. */
  trigrams(pieces: readonly string[], filter: UnitFilter, limit: number): Promise<RankedUnit[]>;
  /** Cosine of the best of a unit's vectors in that slot. In a very large store the choice, not the score, may be approximate. */
  vectors(query: Float32Array, slot: VectorSlot, filter: UnitFilter, limit: number): Promise<RankedUnit[]>;
  /** What the vectors in that slot have in common, from at most some thousands of them; none where there are none. */
  commonVector(slot: VectorSlot, unit: UnitKind): Promise<CommonVector | undefined>;
  /** Fewest documents that hold each term, in the order given: for the share of a query's idf mass that a hit covers. */
  documentFrequencies(
    terms: readonly FulltextTerm[],
    unit: UnitKind,
  ): Promise<{ readonly documents: number; readonly counts: readonly number[] }>;
  /** Share of the terms' idf mass that each unit covers, 0 … 1. */
  coverage(
    terms: readonly FulltextTerm[],
    keys: readonly number[],
    unit: UnitKind,
  ): Promise<ReadonlyMap<number, number>>;
  memoriesByKey(keys: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>>;
  chunksByKey(keys: readonly number[]): Promise<ReadonlyMap<number, Chunk>>;
  keysOfMemories(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, number>>;
  /** The stored vectors of these units in one slot, for near-duplicate and diversity checks. */
  vectorsOf(
    keys: readonly number[],
    slot: VectorSlot,
    unit: UnitKind,
  ): Promise<ReadonlyMap<number, readonly Float32Array[]>>;
  /** Which model's vectors serve; none before the first embedding. */
  activeFingerprint(): Promise<string | undefined>;
  /** Starts serving this model's vectors; two fingerprints are never compared. */
  activate(fingerprint: string, dimensions: number): Promise<void>;
  /** Drops the vectors of all models but the one that serves. */
  dropInactive(): Promise<void>;
  /** The vectors that were put under `name` become those of the model that serves; the ones it had go. One write. */
  replaceActive(name: string): Promise<void>;
  missingVectors(fingerprint: string, limit: number): Promise<MissingVector[]>;
  /** All texts, for a model without vectors. */
  countMissing(fingerprint: string): Promise<number>;
  /** A vector of the same text and fingerprint that is already there, so that nothing is embedded twice. */
  reuseVectors(fingerprint: string): Promise<number>;
  putVectors(fingerprint: string, vectors: readonly NewVector[]): Promise<void>;
}

/** Texts with the store's own numbers of them. */
export interface UncheckedTexts {
  readonly memories: readonly { readonly key: number; readonly memory: MemoryRecord }[];
  readonly chunks: readonly { readonly key: number; readonly chunk: Chunk }[];
}

export interface FoundConflict {
  readonly memoryKey: number;
  readonly chunkKey: number;
  /** Of the memory, and of the chunk, as they were compared. */
  readonly version: number;
  readonly contentHash: string;
  /** `line` counts within the chunk, from 1. */
  readonly conflict: Pick<FileConflict, "kind" | "line" | "fileSays" | "memorySays">;
}

export interface CheckedTexts {
  /** Version of the rules that looked. */
  readonly rules: string;
  readonly texts: UncheckedTexts;
  readonly found: readonly FoundConflict[];
}

/** What rules files and memories disagree on. Derived: a row vanishes when either side changes or goes. */
export interface ConflictTable {
  /** Live memories, the user's own included, and chunks that these rules have not seen as they read now; at most `limit` of each. */
  unchecked(project: ProjectId, options: { readonly rules: string; readonly limit: number }): Promise<UncheckedTexts>;
  /** Replaces what was known of the checked texts. */
  record(project: ProjectId, checked: CheckedTexts): Promise<void>;
  /** In force now, by path and line; of these memories only, where they are given. */
  list(project: ProjectId, memories?: readonly MemoryId[]): Promise<FileConflict[]>;
}

/** How memories were used, and what was said of that. Goes with its memory when that is erased. */
export interface UsageTable {
  /**
   * One row a memory, kind, voice and session: what comes again takes its place, and so does another verdict of the same
   * voice in the same session. But an agent's `wrong` and `stale` stay.
   *
   * @param options - With `wait: false` it throws `STORE_LOCKED` at once where another process writes.
   * @returns False where nothing was kept: the agent has said so, or worse, in this session; or the memory is gone.
   */
  add(event: UsageEvent, options?: { readonly wait?: boolean }): Promise<boolean>;
  /** Takes back what a voice said of a memory. */
  withdraw(said: Pick<UsageEvent, "memory" | "who">): Promise<void>;
  /** Oldest first. `session: null`: those of unknown sessions. */
  list(filter: {
    readonly memory?: MemoryId;
    readonly session?: SessionId | null;
    readonly since?: Date;
  }): Promise<UsageEvent[]>;
}

export interface SettingTable {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
}

/** What was shown to a session: a memory is offered once, and feedback is counted against it. */
export interface SessionTable {
  markShown(session: SessionId, memories: readonly MemoryId[], at: Date): Promise<void>;
  shown(session: SessionId): Promise<MemoryId[]>;
  /** Model calls, tokens and money spent since a moment, and before another: a clock that ran ahead may have booked some. */
  usageSince(since: Date, until?: Date): Promise<UsageTotal>;
  addUsage(entry: UsageEntry): Promise<void>;
}

export interface UsageTotal {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** `null` where any call's price is unknown. */
  readonly cost: number | null;
}

export interface UsageEntry extends UsageTotal {
  readonly run: RunId | null;
  readonly session: SessionId | null;
  readonly model: string;
  readonly at: Date;
}
