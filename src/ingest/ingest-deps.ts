/** Everything that ingestion of a session needs from outside, and what it is asked. */
import type { IdSource, ProjectId } from "../core/ids.ts";
import type { Profile } from "../core/profile.ts";
import type { IngestReport } from "../core/report.ts";
import type { OutcomeLabel, Session } from "../core/session.ts";
import type { LanguageModel } from "../models/language-model.ts";
import type { Store } from "../store/store.ts";
import type { Redactor } from "../text/redact.ts";
import type { DecideFactsDeps } from "./lifecycle/decide-facts.ts";
import type { LifecycleCosines } from "./lifecycle/thresholds.ts";
import type { Budgets, Price } from "./session/metered-model.ts";
import type { EmbedPort, SummaryCache } from "./stage-deps.ts";

export interface IngestDeps {
  readonly store: Pick<Store, "memories" | "runs" | "sessions">;
  /** The model that the user chose; without one rules extract. */
  readonly model?: LanguageModel;
  /** @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `FORMAT_UNKNOWN`. */
  readonly readTranscript: (host: string | undefined, path: string, signal?: AbortSignal) => Promise<Session>;
  /** The project in which a session took place; its root, where it is on this machine. `register`: the store learns of it. */
  readonly projectOf: (
    session: Session,
    where: { readonly cwd: string | null; readonly register: boolean },
  ) => Promise<{ readonly id: ProjectId; readonly root: string | null }>;
  readonly profile: Profile;
  /** One for each session: placeholders are numbered by it. */
  readonly createRedactor: () => Redactor;
  readonly findCandidates: DecideFactsDeps["findCandidates"];
  readonly similarity: DecideFactsDeps["similarity"];
  readonly cosines?: LifecycleCosines;
  readonly onLifecycleFailure?: "add_pending" | "retry";
  /** Titles of memories of the project, most relevant first: told to the model as known. */
  readonly knownTitles: (project: ProjectId) => Promise<readonly string[]>;
  /** Texts of instruction files and README: what stands there is not learned again. */
  readonly knownDocuments: (project: ProjectId) => Promise<readonly string[]>;
  /** Vectors for the filters. */
  readonly embed?: EmbedPort;
  readonly cache?: SummaryCache;
  /** Gives new memories their vectors, after the commit. @returns How many texts were embedded. */
  readonly embedMissing: (signal?: AbortSignal) => Promise<number>;
  readonly budgets: Budgets;
  readonly priceOf: (model: string) => Price | undefined;
  /** Sessions with content from outside are left out altogether. */
  readonly skipExternalSessions: boolean;
  readonly now: () => Date;
  readonly ids: IdSource;
  /** Names this process in leases. */
  readonly owner: string;
}

export interface IngestRequest {
  /** Recognised by the file's head where it is not named. */
  readonly host?: string;
  /** The host's id of the session, where the transcript can't be read. */
  readonly session?: string;
  readonly transcript: string;
  readonly cwd: string | null;
  readonly outcome?: Exclude<OutcomeLabel, "unknown">;
  readonly dryRun?: boolean;
  /** Asked by hand: tried even where an earlier try was given up, or the next one is not due. */
  readonly again?: boolean;
  /** What becomes of a file that can't be read: a run that failed (the default), or an error of the caller's. */
  readonly onUnreadable?: "record" | "throw";
  /** A transcript whose last record is younger is still being written. */
  readonly minIdleMs?: number;
  readonly onStage?: (stage: string) => void;
  readonly signal?: AbortSignal;
}

export interface IngestResult {
  readonly report: IngestReport;
  /** The model was down and rules stood in: this run waits for it. */
  readonly waiting: IngestReport | null;
}
