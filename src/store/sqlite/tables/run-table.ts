/**
 * Runs of ingestion: claimed under a lease, tried again after a pause, given up after too many tries. A claim is one
 * transaction, so two workers never extract the same session at once.
 */
import { projectId, type RunId, runId, type SessionId, sessionId } from "../../../core/ids.ts";
import {
  hasCome,
  type IngestReport,
  LONGEST_LEASE_MS,
  LONGEST_PAUSE_MS,
  type RunRecord,
  type RunStatus,
} from "../../../core/report.ts";
import type { RunClaim, RunFinish, RunStart, RunTable } from "../../store.ts";
import {
  type Connection,
  date,
  flag,
  integer,
  optionalDate,
  optionalText,
  storableOrNull,
  text,
  timeOf,
} from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { allOf, matching } from "./conditions.ts";
import { projectInForce } from "./project-names.ts";

const DEFAULT_LIST = 100;

export class SqliteRunTable implements RunTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async claim(start: RunStart, now: Date): Promise<RunClaim> {
    return this.#db.write([], () => {
      const row = this.#rowOf(start);
      const refusal = this.#leaseOfSession(start, now) ?? (row === undefined ? undefined : this.#refusal(row, now));
      if (refusal !== undefined) return refusal;
      const id = row === undefined ? this.#insert(start, now) : this.#take(runId(text(row, "id")), start, now);
      return { kind: "claimed", run: this.#read(id) };
    });
  }

  #rowOf({ host, session, digest, profile, extractor }: RunStart): SqlRow | undefined {
    return this.#db.get(
      "SELECT * FROM ingest_runs WHERE host = ? AND session = ? AND digest = ? AND profile = ? AND extractor = ?",
      [host, session, digest, profile, extractor],
    );
  }

  /** A session that has grown is another run, but not one to be extracted at the same time. */
  #leaseOfSession({ host, session, extractor }: RunStart, now: Date): RunClaim | undefined {
    const row = this.#db.get(
      `SELECT max(lease_until) AS until FROM ingest_runs
       WHERE host = ? AND session = ? AND extractor = ? AND status = 'running' AND lease_until > ? AND lease_until <= ?`,
      [host, session, extractor, now.getTime(), now.getTime() + LONGEST_LEASE_MS],
    );
    const until = optionalDate(row, "until");
    return until === null ? undefined : { kind: "leased", until };
  }

  #refusal(row: SqlRow, now: Date): RunClaim | undefined {
    const status = text(row, "status") as RunStatus;
    const notBefore = optionalDate(row, "not_before");
    if (status === "dead") return { kind: "dead", run: recordOf(row) };
    if (status === "done" && flag(row, "final")) return { kind: "done", run: recordOf(row) };
    if (notBefore !== null && !hasCome(notBefore, now, LONGEST_PAUSE_MS)) {
      return { kind: "waiting", until: notBefore, run: recordOf(row) };
    }
    if (status !== "running" || integer(row, "attempts") < integer(row, "max_attempts")) return undefined;
    const id = runId(text(row, "id"));
    this.#db.run("UPDATE ingest_runs SET status = 'dead', error = coalesce(error, ?), updated_at = ? WHERE id = ?", [
      "the worker ended without a word each time",
      now.getTime(),
      id,
    ]);
    return { kind: "dead", run: this.#read(id) };
  }

  #insert(start: RunStart, now: Date): RunId {
    const project = start.project === null ? null : projectInForce(this.#db, start.project);
    this.#db.run(
      `INSERT INTO ingest_runs (id, host, session, digest, profile, extractor, project, transcript, status, final,
         attempts, max_attempts, owner, lease_until, not_before, watermark, report, error, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', 0, 1, ?, ?, ?, NULL, 0, NULL, NULL, ?)`,
      [
        start.id,
        start.host,
        start.session,
        start.digest,
        start.profile,
        start.extractor,
        project,
        start.transcript,
        start.maxAttempts,
        start.owner,
        now.getTime() + start.leaseMs,
        now.getTime(),
      ],
    );
    return start.id;
  }

  #take(id: RunId, { owner, leaseMs, maxAttempts, transcript }: RunStart, now: Date): RunId {
    this.#db.run(
      `UPDATE ingest_runs SET status = 'running', final = 0, attempts = attempts + 1, max_attempts = ?, owner = ?,
         lease_until = ?, not_before = NULL, transcript = ?, updated_at = ? WHERE id = ?`,
      [maxAttempts, owner, now.getTime() + leaseMs, transcript, now.getTime(), id],
    );
    return id;
  }

  #read(id: RunId): RunRecord {
    return recordOf(this.#db.get("SELECT * FROM ingest_runs WHERE id = ?", [id]) ?? {});
  }

  async heartbeat(id: RunId, owner: string, until: Date): Promise<boolean> {
    return this.#db.write([], () => {
      const { changes } = this.#db.run(
        "UPDATE ingest_runs SET lease_until = ? WHERE id = ? AND owner = ? AND status = 'running'",
        [until.getTime(), id, owner],
      );
      return changes > 0;
    });
  }

  async finish(id: RunId, outcome: RunFinish, now: Date): Promise<void> {
    this.#db.write([], () => {
      const row = this.#db.get("SELECT attempts, max_attempts FROM ingest_runs WHERE id = ?", [id]);
      if (row === undefined) return;
      const attemptsLeft = integer(row, "attempts") < integer(row, "max_attempts");
      const ending = endingOf(outcome, attemptsLeft);
      this.#db.run(
        `UPDATE ingest_runs SET status = ?, final = ?, attempts = CASE WHEN ? THEN 0 ELSE attempts END, owner = NULL,
           lease_until = NULL, not_before = ?, watermark = ?, report = ?, error = ?, updated_at = ? WHERE id = ?`,
        [
          ending.status,
          Number(ending.final),
          Number(ending.forgetAttempts),
          timeOf(outcome.notBefore),
          outcome.watermark,
          outcome.report === null ? null : JSON.stringify(outcome.report),
          storableOrNull(outcome.error),
          now.getTime(),
          id,
        ],
      );
    });
  }

  async get(id: RunId): Promise<RunRecord | undefined> {
    const row = this.#db.get("SELECT * FROM ingest_runs WHERE id = ?", [id]);
    return row === undefined ? undefined : recordOf(row);
  }

  async list(filter: Parameters<RunTable["list"]>[0]): Promise<RunRecord[]> {
    const { where, parameters } = allOf([
      ...matching("project = ?", filter.project && projectInForce(this.#db, filter.project)),
      ...matching("status = ?", filter.status),
    ]);
    const rows = this.#db.all(`SELECT * FROM ingest_runs WHERE ${where} ORDER BY updated_at DESC, id LIMIT ?`, [
      ...parameters,
      filter.limit ?? DEFAULT_LIST,
    ]);
    return rows.map(recordOf);
  }

  async watermark(host: string, session: SessionId, extractor: string): Promise<number> {
    const row = this.#db.get(
      `SELECT max(watermark) AS mark FROM ingest_runs
       WHERE host = ? AND session = ? AND extractor = ? AND status = 'done' AND final = 1`,
      [host, session, extractor],
    );
    return integer(row, "mark");
  }

  async revive(id: RunId): Promise<void> {
    this.#db.write([], () => {
      this.#db.run(
        `UPDATE ingest_runs SET status = 'waiting', final = 0, attempts = 0, not_before = NULL
         WHERE id = ? AND status <> 'running'`,
        [id],
      );
    });
  }
}

interface Ending {
  readonly status: RunStatus;
  readonly final: boolean;
  readonly forgetAttempts: boolean;
}

/** What is only put off is no failed try. */
function endingOf({ status, report }: RunFinish, attemptsLeft: boolean): Ending {
  const result = report?.result;
  const putOff = result?.kind === "skipped" && (result.reason === "budget" || result.reason === "active");
  if (status !== "done") return { status, final: false, forgetAttempts: putOff };
  if (putOff) return { status, final: false, forgetAttempts: true };
  if (result?.kind === "failed" && result.retryable && attemptsLeft) {
    return { status: "waiting", final: false, forgetAttempts: false };
  }
  return { status, final: true, forgetAttempts: false };
}

function recordOf(row: SqlRow): RunRecord {
  const project = optionalText(row, "project");
  const report = optionalText(row, "report");
  return {
    id: runId(text(row, "id")),
    host: text(row, "host"),
    session: sessionId(text(row, "session")),
    project: project === null ? null : projectId(project),
    transcript: text(row, "transcript"),
    digest: text(row, "digest"),
    extractor: text(row, "extractor"),
    profile: text(row, "profile"),
    status: text(row, "status") as RunStatus,
    attempts: integer(row, "attempts"),
    leaseUntil: optionalDate(row, "lease_until"),
    notBefore: optionalDate(row, "not_before"),
    watermark: integer(row, "watermark"),
    report: report === null ? null : reportOf(report),
    error: optionalText(row, "error"),
    updatedAt: date(row, "updated_at"),
  };
}

function reportOf(stored: string): IngestReport {
  const report = JSON.parse(stored) as IngestReport;
  return { ...report, startedAt: new Date(report.startedAt), finishedAt: new Date(report.finishedAt) };
}
