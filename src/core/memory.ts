/**
 * The whole, as its doors see it: command line, MCP server, hooks and library all speak to this and to nothing behind it.
 */
import type { CalibrationReport } from "./findings/calibration.ts";
import type { FeedbackPart } from "./findings/feedback.ts";
import type { FileConflict } from "./findings/file-conflict.ts";
import type { MemoryId, ProjectId } from "./ids.ts";
import type { MemoryEvent } from "./lifecycle.ts";
import type { FactType, MemoryRecord, MemoryStatus } from "./memory-record.ts";
import type { SearchAnswer, UnitKind } from "./query.ts";
import type { IndexReport, IngestReport, RunRecord, StatusReport } from "./report.ts";

/** Asks in the current project. */
export interface SearchRequest {
  readonly text: string;
  /** 1 … 50; default 10. */
  readonly limit?: number;
  readonly types?: readonly FactType[];
  readonly statuses?: readonly MemoryStatus[];
  readonly units?: readonly UnitKind[];
  readonly asOf?: Date;
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
}

/** Whether what a memory cites still stands in the checkout. */
export type Freshness = "fresh" | "moved" | "stale" | "unverifiable";

export interface MemoryView {
  readonly memory: MemoryRecord;
  readonly freshness: Freshness;
  /** What was checked and found or missed, as sentences. */
  readonly checks: readonly string[];
  readonly successor: MemoryRecord | null;
  readonly conflicts: readonly MemoryRecord[];
  /** Where a rules file of this project says otherwise. */
  readonly fileConflicts: readonly FileConflict[];
}

/** What a person, or an agent on a person's behalf, wants kept. */
export interface NewNote {
  readonly text: string;
  readonly type?: FactType;
  readonly title?: string;
  readonly why?: string;
  readonly howToApply?: string;
  readonly whenToUse?: readonly string[];
  readonly symbols?: readonly string[];
  readonly scope?: "project" | "user";
  /** `person`: typed by the user; trusted. `agent`: provisional, trust 1, until the quote is found in a human turn. */
  readonly by: "person" | "agent";
  /** The user's own words that asked for it. */
  readonly quote?: string;
  readonly session?: string;
  readonly host?: string;
  /** A person's note that was kept elsewhere until now, with what is known of it there. */
  readonly standing?: NoteStanding;
  /** False where many follow each other: `models.build` makes the vectors of all of them at the end. Default true. */
  readonly embed?: boolean;
}

/** How a note stood where it comes from. Such a note may be as long as a document, and no situations are made up for it. */
export interface NoteStanding {
  /** Default `active`. */
  readonly status?: MemoryStatus;
  /** Handle of the memory that took its place, which makes it `superseded`. */
  readonly supersededBy?: string;
  readonly pinned?: boolean;
  /** When it was written down. Default now. */
  readonly at?: Date;
}

export interface AddResult {
  readonly memory: MemoryRecord;
  /** False when the same content was already there. */
  readonly added: boolean;
}

export interface NoteEdit {
  readonly title?: string;
  readonly content?: string;
  readonly why?: string;
  readonly howToApply?: string;
  readonly whenToUse?: readonly string[];
  readonly whenNot?: string | null;
  readonly symbols?: readonly string[];
}

export interface ListRequest {
  readonly types?: readonly FactType[];
  /** Default: live ones. */
  readonly statuses?: readonly MemoryStatus[];
  /** All projects instead of the current one. */
  readonly everywhere?: boolean;
  readonly pinned?: boolean;
  readonly limit?: number;
}

/** What `forget` erases: exactly one of the four. */
export type EraseSelection =
  | { readonly handles: readonly string[] }
  | { readonly session: string }
  | { readonly project: ProjectId }
  | { readonly since: Date };

export interface WhyReport {
  readonly memory: MemoryRecord;
  readonly events: readonly MemoryEvent[];
  readonly versions: readonly MemoryRecord[];
  readonly runs: readonly RunRecord[];
}

export interface UndoReport {
  readonly changed: readonly MemoryRecord[];
  /** Changed by others since, and so left as they are. */
  readonly left: readonly MemoryRecord[];
}

export interface IngestOptions {
  /** A path's format is recognised where no host is named. */
  readonly host?: string;
  /** Everything but writing. */
  readonly dryRun?: boolean;
  /** States the outcome instead of having it judged. */
  readonly outcome?: "success" | "partial" | "failure";
  /** A transcript whose newest record is younger is still being written; default 0. */
  readonly minIdleMs?: number;
  readonly onStage?: (stage: string) => void;
  readonly signal?: AbortSignal;
}

export interface SpoolEntry {
  readonly host: string;
  readonly session: string;
  readonly transcript: string;
  /** Directory in which the session started. */
  readonly cwd: string;
  /** Bytes of the transcript when it was spooled. */
  readonly offset: number;
  readonly reason: "session-end" | "pre-compact" | "idle" | "request";
}

export interface WorkReport {
  readonly processed: readonly IngestReport[];
  readonly failed: readonly { readonly session: string; readonly message: string; readonly retryable: boolean }[];
  readonly remaining: number;
  /** Another worker holds the lease: nothing was done. */
  readonly busy: boolean;
  readonly embedded: number;
}

export interface SessionStart {
  readonly session: string;
  readonly host: string;
  readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
  /** Most characters that the host takes. */
  readonly maxCharacters: number;
  /** When the hook must have answered; parts that would come later are left out. */
  readonly deadlineAt: number;
}

export interface SessionStartContext {
  /** What is put before the model; empty when there is nothing worth saying. */
  readonly text: string;
  readonly shown: readonly MemoryId[];
  /** Whether the facets were embedded, or answered from text and symbols only, and why. */
  readonly degraded: readonly string[];
}

export interface ProjectView {
  readonly id: ProjectId;
  readonly name: string;
  readonly root: string;
  readonly remote: string | null;
  /** How it was recognised. */
  readonly by: "override" | "remote" | "git-directory" | "directory";
  /** An override in the checkout that the user has not accepted yet. */
  readonly pendingOverride: string | null;
}

export interface Memory extends AsyncDisposable {
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** @throws {ArcticMemError} `MEMORY_NOT_FOUND`, `MEMORY_AMBIGUOUS`. */
  get(handle: string): Promise<MemoryView>;
  list(request: ListRequest): Promise<MemoryRecord[]>;
  /** @throws {ArcticMemError} `INPUT_INVALID` for an empty or oversized text. Secrets are redacted first. */
  add(note: NewNote): Promise<AddResult>;
  /** The title block and the manifest for a session that starts. Never throws for want of a model. */
  start(event: SessionStart): Promise<SessionStartContext>;
  status(): Promise<StatusReport>;
  /** Drops and rebuilds everything derived, vectors included. */
  reindex(
    onProgress?: Progress,
    signal?: AbortSignal,
  ): Promise<{ readonly memories: number; readonly chunks: number; readonly embedded: number }>;
  readonly files: FilesPart;
  readonly ingest: IngestPart;
  readonly keep: KeepPart;
  readonly project: ProjectPart;
  readonly models: ModelsPart;
  readonly render: RenderPart;
  /** Where things of ours lie; none of them needs to exist. */
  readonly paths: MemoryPaths;
}

/** Absolute. */
export interface MemoryPaths {
  readonly store: string;
  /** What must outlive an update: the launcher is here. */
  readonly data: string;
  /** What may be lost: marks and counters. */
  readonly state: string;
  readonly log: string;
}

/** What an agent reads, as text: escaped, framed as data, within a budget. */
export interface RenderPart {
  /** Bodies of the best hits, titles of the others, notes, and what was degraded. */
  search(answer: SearchAnswer): Promise<string>;
  view(view: MemoryView): Promise<string>;
}

/** An embedding model as a person names it; what is absent is what is usual for it. Keys of the config's `embedder`. */
export interface EmbedderChoice {
  readonly provider: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  readonly dimensions?: number;
  readonly path?: string;
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
}

/** A model that can be pulled, or was. */
export interface ModelListing {
  readonly name: string;
  readonly about: string;
  readonly megabytes: number;
  /** Lengths of vectors to choose from, its own first. */
  readonly dimensions: readonly number[];
  readonly isPulled: boolean;
}

export interface PullReport {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  /** Files that came without a checksum to hold them against. */
  readonly unchecked: readonly string[];
}

export interface PullOptions {
  /** Address of the hub or of a mirror of one; default: what ARCTICMEM_MODEL_MIRROR names. */
  readonly mirror?: string;
  /** Counts bytes. */
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

export interface ModelsPart {
  list(): Promise<ModelListing[]>;
  /** @throws {ArcticMemError} `MODEL_FAILED` (offline, unknown, wrong checksum), `STORE_FULL`, `INPUT_INVALID`. */
  pull(name: string, options?: PullOptions): Promise<PullReport>;
  /**
   * Asks the model for a vector, and if it answers makes it the one of the config. Its vectors are built by `build`, or by
   * the next worker run; until they are complete the old ones serve.
   *
   * @returns The model's fingerprint, and where texts are sent from now on; null: nowhere.
   */
  use(choice: EmbedderChoice): Promise<{ readonly name: string; readonly endpoint: string | null }>;
  /** Makes all vectors that are missing. @returns How many texts were embedded. */
  build(options?: { readonly onProgress?: Progress; readonly signal?: AbortSignal }): Promise<number>;
  /** Measures what the cosines of the model in use mean, and keeps it for search and ingestion. */
  calibrate(options?: CalibrateOptions): Promise<CalibrationReport>;
}

export interface CalibrateOptions {
  /** Keeps it for the built-in model too, which comes calibrated. */
  readonly force?: boolean;
  /** Folder with `pairs.jsonl` and `generic.txt`; default those of the package. */
  readonly pairs?: URL;
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

/** `done` of `total` units of the named work. */
export type Progress = (work: string, done: number, total: number) => void;

export interface FilesPart {
  /** Brings the index in step with the workspace. Cheap when nothing changed. */
  index(options?: {
    readonly onProgress?: Progress;
    readonly embed?: boolean;
    /** What was indexed and embedded until then is kept. */
    readonly signal?: AbortSignal;
  }): Promise<IndexReport>;
  /**
   * Indexes what changes from now on, until it is disposed of or the memory is closed. For processes that live long; where
   * it can't watch, it says why, and each search looks at the files as it always does.
   */
  watch(): Promise<FileWatch>;
  /**
   * Files pieces that are cut already, of texts that lie in no workspace. They are searched like those of files, and stay
   * until the same path is put again, without pieces for instance.
   *
   * @returns How many pieces are kept: empty ones are not. Their paths begin with `put:`. `embed` is as in `index`.
   */
  put(files: readonly PutFile[], options?: { readonly embed?: boolean }): Promise<number>;
}

export interface PutFile {
  /** Any name, unique in the project. */
  readonly path: string;
  readonly pieces: readonly PutPiece[];
}

export interface PutPiece {
  readonly text: string;
  readonly headings?: readonly string[];
  /** Default: the piece's number in its file, from 1. */
  readonly startLine?: number;
  readonly endLine?: number;
}

export interface FileWatch extends AsyncDisposable {
  readonly folders: number;
  /** Why it no longer watches; null while it does. */
  readonly stopped: string | null;
}

export interface IngestPart {
  session(path: string, options?: IngestOptions): Promise<IngestReport>;
  /** Durable in milliseconds; needs neither store nor model. */
  spool(entry: SpoolEntry): Promise<void>;
  /** Spools this project's transcripts that are idle and not ingested. @returns How many. */
  spoolIdle(): Promise<number>;
  /** Whether a worker has something to do now: a note in the spool, or no look at the project for some time. */
  isDue(): Promise<boolean>;
  /** One worker run: the spool, retries that are due, missing vectors. */
  work(options?: { readonly onStage?: (stage: string) => void; readonly signal?: AbortSignal }): Promise<WorkReport>;
  runs(options?: { readonly limit?: number; readonly everywhere?: boolean }): Promise<RunRecord[]>;
  run(id: string): Promise<RunRecord>;
  /**
   * Settles runs that were given up, or wait after a failure: `retry` has the next worker run try them, `dismiss` leaves
   * them as they ended and tells nobody any more.
   *
   * @param ids - `dead`: all that were given up, of all projects.
   * @throws {ArcticMemError} `INPUT_INVALID` for a run that is neither.
   */
  settle(ids: readonly string[] | "dead", how: "retry" | "dismiss"): Promise<RunRecord[]>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Starts one detached worker process if something is due and none was started a moment ago. Returns within
   * milliseconds; the worker outlives the caller.
   *
   * @returns Whether a worker was started.
   */
  launchWorker(): Promise<boolean>;
}

export interface KeepPart extends FeedbackPart {
  edit(handle: string, edit: NoteEdit): Promise<MemoryRecord>;
  pin(handle: string, pinned: boolean): Promise<MemoryRecord>;
  /** Makes a provisional or disputed memory trusted by the user's word. */
  confirm(handle: string): Promise<MemoryRecord>;
  /** A tombstone that `restore` takes back. An agent may not forget what is pinned or user-stated (`PROTECTED`). */
  forget(handle: string, options: { readonly by: "person" | "agent"; readonly reason?: string }): Promise<MemoryRecord>;
  restore(handle: string): Promise<MemoryRecord>;
  /** What an erasure would take. */
  preview(selection: EraseSelection): Promise<MemoryRecord[]>;
  /** For good; leaves hash-only tombstones. @returns How many memories are gone. */
  erase(selection: EraseSelection): Promise<number>;
  /** Deletes the whole store, spool and logs. */
  purge(): Promise<void>;
  why(handle: string): Promise<WhyReport>;
  /** Takes back a run, or the last change of one memory. @throws {ArcticMemError} `INPUT_INVALID` for nothing to take back. */
  undo(runOrHandle: string): Promise<UndoReport>;
}

export interface ProjectPart {
  current(): Promise<ProjectView>;
  list(): Promise<
    readonly { readonly id: ProjectId; readonly name: string; readonly root: string; readonly memories: number }[]
  >;
  /** A sentence for each project that has memories under another identity of this same folder, with the way out. */
  leftBehind(): Promise<readonly string[]>;
  /** Honours the override that this checkout brings, from now on. */
  acceptOverride(): Promise<ProjectView>;
  merge(from: string, into: string): Promise<{ readonly memories: number; readonly files: number }>;
  /** The project whose root was `from` now lives in `to`. */
  move(from: string, to: string): Promise<ProjectView>;
}
