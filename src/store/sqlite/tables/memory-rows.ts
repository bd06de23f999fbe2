/** Memories as rows and back. Lists are JSON columns, times are milliseconds since 1970. */
import { memoryId, projectId, runId, sessionId } from "../../../core/ids.ts";
import {
  type Citation,
  type FactType,
  LIVE_STATUSES,
  type MemoryFlag,
  type MemoryRecord,
  type MemoryStatus,
  type Polarity,
  type Provenance,
  type Scope,
  type SourceRank,
  type Trust,
  type VerdictCounts,
} from "../../../core/memory-record.ts";
import { contentHash } from "../../../text/content-hash.ts";
import {
  type Connection,
  date,
  flag,
  integer,
  json,
  listOf,
  optionalDate,
  optionalInteger,
  optionalText,
  storable,
  storableOrNull,
  text,
  timeOf,
} from "../connection.ts";
import type { SqlRow, SqlValue } from "../driver.ts";
import { groupBy } from "../group-by.ts";
import { verdictsOf } from "./usage-table.ts";

/** Statuses of which only one memory of a text may be, as a list in SQL: as the unique index has it. */
export const LIVE = `(${LIVE_STATUSES.map((status) => `'${status}'`).join(", ")})`;
const USER_SCOPE = "user";

/** A scope as one text: `user`, or the project's id, which never looks like that. */
export function scopeText(scope: Scope): string {
  return scope.kind === "user" ? USER_SCOPE : scope.project;
}

function scopeOf(value: string): Scope {
  return value === USER_SCOPE ? { kind: "user" } : { kind: "project", project: projectId(value) };
}

/** The columns of `memories` but the key, each with its value in a record. */
const COLUMNS: Readonly<Record<string, (memory: MemoryRecord) => SqlValue>> = {
  id: (memory) => memory.id,
  scope: (memory) => scopeText(memory.scope),
  status: (memory) => memory.status,
  type: (memory) => memory.type,
  pinned: (memory) => Number(memory.pinned),
  created_at: (memory) => memory.createdAt.getTime(),
  tombstoned_at: (memory) => timeOf(memory.tombstonedAt),
  version: (memory) => memory.version,
  revision: (memory) => memory.revision ?? 1,
  content_hash: (memory) => contentHash(memory),
  polarity: (memory) => memory.polarity,
  title: (memory) => storable(memory.title),
  flags: (memory) => listOf(memory.flags),
  human_edited: (memory) => Number(memory.humanEdited),
  source: (memory) => memory.source,
  trust: (memory) => memory.trust,
  confidence: (memory) => memory.confidence,
  seen: (memory) => memory.seen,
  updated_at: (memory) => memory.updatedAt.getTime(),
  confirmed_at: (memory) => memory.confirmedAt.getTime(),
  event_at: (memory) => memory.eventAt.getTime(),
  expires_at: (memory) => timeOf(memory.expiresAt),
  superseded_by: (memory) => memory.supersededBy,
  reason: (memory) => storableOrNull(memory.reason),
  conflicts_with: (memory) => listOf(memory.conflictsWith),
  profile: (memory) => memory.profile,
  symbols: (memory) => listOf(memory.symbols),
  when_to_use: (memory) => listOf(memory.whenToUse),
  when_not: (memory) => storableOrNull(memory.whenNot),
  applies_if: (memory) => storableOrNull(memory.appliesIf),
  content: (memory) => storable(memory.content),
  why: (memory) => storable(memory.why),
  how_to_apply: (memory) => storable(memory.howToApply),
};
const NAMES = Object.keys(COLUMNS);
const INSERT = `INSERT INTO memories (${NAMES.join(", ")}) VALUES (${NAMES.map(() => "?").join(", ")})`;
const UPDATE = `UPDATE memories SET ${NAMES.map((name) => `${name} = ?`).join(", ")} WHERE key = ?`;

const valuesOf = (memory: MemoryRecord): SqlValue[] => NAMES.map((name) => COLUMNS[name]?.(memory) ?? null);

/** @returns The new row's key. */
export function insertMemory(db: Connection, memory: MemoryRecord): number {
  const key = db.run(INSERT, valuesOf(memory)).lastKey;
  insertSources(db, key, { sources: memory.provenance, from: 0, revision: memory.revision ?? 1 });
  replaceCitations(db, key, memory.citations);
  return key;
}

/** Writes all columns; sources and citations have functions of their own. */
export function updateMemory(db: Connection, key: number, memory: MemoryRecord): void {
  db.run(UPDATE, [...valuesOf(memory), key]);
}

/** The row as JSON, for the history: whatever columns a later version adds, an old snapshot stays readable. */
export function snapshotOf(row: SqlRow, citations: readonly Citation[]): string {
  const columns = NAMES.map((name) => [name, row[name] ?? null] as const);
  return JSON.stringify({ columns: Object.fromEntries(columns), citations });
}

export function recordOfSnapshot(snapshot: string, sources: readonly Provenance[]): MemoryRecord {
  const { columns, citations } = JSON.parse(snapshot) as { columns: SqlRow; citations: Citation[] };
  return recordOf(columns, { sources, citations });
}

interface Attachments {
  readonly sources: readonly Provenance[];
  readonly citations: readonly Citation[];
  readonly verdicts?: VerdictCounts | undefined;
}

function recordOf(row: SqlRow, { sources, citations, verdicts }: Attachments): MemoryRecord {
  const successor = optionalText(row, "superseded_by");
  return {
    id: memoryId(text(row, "id")),
    type: text(row, "type") as FactType,
    polarity: text(row, "polarity") as Polarity,
    title: text(row, "title"),
    content: text(row, "content"),
    why: text(row, "why"),
    howToApply: text(row, "how_to_apply"),
    whenToUse: json<string[]>(row, "when_to_use", []),
    whenNot: optionalText(row, "when_not"),
    appliesIf: optionalText(row, "applies_if"),
    symbols: json<string[]>(row, "symbols", []),
    scope: scopeOf(text(row, "scope")),
    status: text(row, "status") as MemoryStatus,
    flags: json<MemoryFlag[]>(row, "flags", []),
    pinned: flag(row, "pinned"),
    humanEdited: flag(row, "human_edited"),
    source: text(row, "source") as SourceRank,
    trust: integer(row, "trust") as Trust,
    confidence: Number(row.confidence),
    version: integer(row, "version"),
    revision: integer(row, "revision"),
    ...(verdicts === undefined ? {} : { verdicts }),
    seen: integer(row, "seen"),
    createdAt: date(row, "created_at"),
    updatedAt: date(row, "updated_at"),
    confirmedAt: date(row, "confirmed_at"),
    eventAt: date(row, "event_at"),
    expiresAt: optionalDate(row, "expires_at"),
    supersededBy: successor === null ? null : memoryId(successor),
    tombstonedAt: optionalDate(row, "tombstoned_at"),
    reason: optionalText(row, "reason"),
    conflictsWith: json<string[]>(row, "conflicts_with", []).map(memoryId),
    provenance: sources,
    citations,
    profile: text(row, "profile"),
  };
}

/** Records of rows of `memories`, in the rows' order: three more queries for all of them together. */
export function recordsOfRows(db: Connection, rows: readonly SqlRow[], withSources = true): MemoryRecord[] {
  if (rows.length === 0) return [];
  const keys = rows.map((row) => integer(row, "key"));
  const sources = withSources ? sourcesOf(db, keys) : new Map<number, StoredSource[]>();
  const citations = citationsOf(db, keys);
  const verdicts = verdictsOf(db, keys);
  return rows.map((row) => {
    const key = integer(row, "key");
    const seen = (sources.get(key) ?? []).map((source) => source.provenance);
    return recordOf(row, { sources: seen, citations: citations.get(key) ?? [], verdicts: verdicts.get(key) });
  });
}

/** The same with the rows' keys. */
export function keyedRecords(db: Connection, rows: readonly SqlRow[]): (readonly [key: number, MemoryRecord])[] {
  return recordsOfRows(db, rows).map((memory, at) => [integer(rows[at], "key"), memory]);
}

export function memoriesByKey(db: Connection, keys: readonly number[]): ReadonlyMap<number, MemoryRecord> {
  const rows = db.all("SELECT * FROM memories WHERE key IN (SELECT value FROM json_each(?))", [listOf(keys)]);
  return new Map(keyedRecords(db, rows));
}

/** A source and the memory's revision with which it came. */
export interface StoredSource {
  readonly revision: number;
  readonly provenance: Provenance;
}

export function sourcesOf(db: Connection, keys: readonly number[]): ReadonlyMap<number, StoredSource[]> {
  const rows = db.all(
    "SELECT * FROM memory_sources WHERE memory IN (SELECT value FROM json_each(?)) ORDER BY memory, position",
    [listOf(keys)],
  );
  return groupBy(rows, (row) => [
    integer(row, "memory"),
    { revision: integer(row, "revision"), provenance: provenanceOf(row) },
  ]);
}

function provenanceOf(row: SqlRow): Provenance {
  const session = optionalText(row, "session");
  const run = optionalText(row, "run");
  return {
    kind: text(row, "kind") as Provenance["kind"],
    host: optionalText(row, "host"),
    session: session === null ? null : sessionId(session),
    run: run === null ? null : runId(run),
    turn: optionalInteger(row, "turn"),
    quote: optionalText(row, "quote"),
    transcript: optionalText(row, "transcript"),
    extractor: text(row, "extractor"),
    at: date(row, "at"),
    excerpt: optionalText(row, "excerpt"),
  };
}

interface NewSources {
  readonly sources: readonly Provenance[];
  /** Position of the first one. */
  readonly from: number;
  readonly revision: number;
}

export function insertSources(db: Connection, key: number, { sources, from, revision }: NewSources): void {
  for (const [at, source] of sources.entries()) {
    db.run("INSERT INTO memory_sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [
      key,
      from + at,
      revision,
      source.kind,
      source.host,
      source.session,
      source.run,
      source.turn,
      storableOrNull(source.quote),
      source.transcript,
      source.extractor,
      source.at.getTime(),
      storableOrNull(source.excerpt),
    ]);
  }
}

export function citationsOf(db: Connection, keys: readonly number[]): ReadonlyMap<number, Citation[]> {
  const rows = db.all(
    "SELECT * FROM citations WHERE memory IN (SELECT value FROM json_each(?)) ORDER BY memory, position",
    [listOf(keys)],
  );
  return groupBy(rows, (row) => [
    integer(row, "memory"),
    { path: text(row, "path"), symbol: optionalText(row, "symbol"), lineHash: optionalText(row, "line_hash") },
  ]);
}

export function replaceCitations(db: Connection, key: number, citations: readonly Citation[]): void {
  db.run("DELETE FROM citations WHERE memory = ?", [key]);
  for (const [at, { path, symbol, lineHash }] of citations.entries()) {
    const values = [key, at, storable(path), storableOrNull(symbol), lineHash];
    db.run("INSERT INTO citations VALUES (?, ?, ?, ?, ?)", values);
  }
}
