/**
 * Changes of memories: all of them or none, each compared with what its decision saw. The state before each change
 * becomes a row of the history, and the text indexes move in the same transaction.
 */
import { type MemoryId, memoryId } from "../../../core/ids.ts";
import type { MemoryChange, MemoryEvent } from "../../../core/lifecycle.ts";
import { isLive, type MemoryRecord, type Provenance } from "../../../core/memory-record.ts";
import { contentHash } from "../../../text/content-hash.ts";
import type { ApplyResult } from "../../store.ts";
import { type Connection, integer, listOf, storableOrNull, text } from "../connection.ts";
import { indexMemory } from "../derived/unit-index.ts";
import type { SqlRow } from "../driver.ts";
import {
  citationsOf,
  insertMemory,
  insertSources,
  LIVE,
  recordsOfRows,
  replaceCitations,
  scopeText,
  snapshotOf,
  updateMemory,
} from "./memory-rows.ts";
import { scopeInForce } from "./project-names.ts";

type Added = Extract<MemoryChange, { kind: "add" }>;
type Changed = Exclude<MemoryChange, Added>;

interface Standing {
  readonly key: number;
  readonly row: SqlRow;
  readonly memory: MemoryRecord;
}

interface Duplicate {
  readonly change: number;
  readonly existing: MemoryId;
}

interface Batch {
  readonly db: Connection;
  readonly events: readonly MemoryEvent[];
  readonly now: Date;
  readonly lost: MemoryId[];
  readonly duplicates: Duplicate[];
  /** Content hash of each memory before and after. */
  readonly hashes: Map<MemoryId, { readonly before: string | null; readonly after: string }>;
}

/** Thrown to roll the transaction back; never leaves this file. */
class NotApplied extends Error {}

export interface ApplyRequest {
  readonly changes: readonly MemoryChange[];
  readonly events: readonly MemoryEvent[];
  readonly now: Date;
}

export function applyChanges(db: Connection, { changes, events, now }: ApplyRequest): ApplyResult {
  const batch: Batch = { db, events, now, lost: [], duplicates: [], hashes: new Map() };
  try {
    db.write(["units"], () => {
      for (const [at, change] of inSafeOrder(changes)) applyOne(batch, change, at);
      if (batch.lost.length > 0 || batch.duplicates.length > 0) throw new NotApplied("changes lost a race");
      insertEvents(batch);
    });
    return { applied: true };
  } catch (error) {
    if (!(error instanceof NotApplied)) throw error;
    return { applied: false, lost: batch.lost, duplicates: batch.duplicates };
  }
}

/** A memory that makes room for another with the same text has to leave first, and one that returns has to wait. */
function inSafeOrder(changes: readonly MemoryChange[]): (readonly [number, MemoryChange])[] {
  const rank = (change: MemoryChange): number => {
    if (change.kind === "add") return 2;
    if (change.patch.status === undefined) return 1;
    return isLive({ status: change.patch.status }) ? 3 : 0;
  };
  return [...changes.entries()].sort(([, a], [, b]) => rank(a) - rank(b));
}

function applyOne(batch: Batch, change: MemoryChange, at: number): void {
  if (change.kind === "add") {
    add(batch, change.memory, at);
    return;
  }
  const standing = readStanding(batch.db, change.id);
  if (standing === undefined || isOvertaken(standing.memory, change)) {
    batch.lost.push(change.id);
    return;
  }
  changeOne(batch, standing, { change, at });
}

function readStanding(db: Connection, id: MemoryId): Standing | undefined {
  const row = db.get("SELECT * FROM memories WHERE id = ?", [id]);
  const memory = row === undefined ? undefined : recordsOfRows(db, [row])[0];
  return row === undefined || memory === undefined ? undefined : { key: integer(row, "key"), row, memory };
}

/**
 * Besides the version: new text or evidence for a memory that left meanwhile would be lost with it, and of two
 * successors the second would silently replace the first.
 */
function isOvertaken(memory: MemoryRecord, change: Changed): boolean {
  if (memory.version !== change.expectedVersion) return true;
  if (change.expectedRevision !== undefined) return memory.revision !== change.expectedRevision;
  if (memory.status !== "superseded" && memory.status !== "forgotten") return false;
  const { status, supersededBy } = change.patch;
  if (status === "superseded") return memory.status === "superseded" && memory.supersededBy !== (supersededBy ?? null);
  return status === undefined && (change.kind === "revise" || change.provenance.length > 0);
}

function add(batch: Batch, asked: MemoryRecord, at: number): void {
  const { db } = batch;
  const memory = { ...asked, scope: scopeInForce(db, asked.scope), revision: 1 };
  if (noteDuplicate(batch, memory, at)) return;
  const key = insertMemory(db, memory);
  indexMemory(db, key, memory);
  batch.hashes.set(memory.id, { before: null, after: contentHash(memory) });
}

/** Notes the live memory that says the same. @returns Whether there is one. */
function noteDuplicate({ db, duplicates }: Batch, memory: MemoryRecord, change: number): boolean {
  if (!isLive(memory)) return false;
  const row = db.get(
    `SELECT id FROM memories WHERE scope = ? AND type = ? AND content_hash = ? AND id <> ?
     AND status IN ${LIVE}`,
    [scopeText(memory.scope), memory.type, contentHash(memory), memory.id],
  );
  if (row !== undefined) duplicates.push({ change, existing: memoryId(text(row, "id")) });
  return row !== undefined;
}

function changeOne(batch: Batch, standing: Standing, { change, at }: { change: Changed; at: number }): void {
  const { db } = batch;
  const { key, memory } = standing;
  const asked = afterChange(memory, change, batch.now);
  const changed = { ...asked, scope: scopeInForce(db, asked.scope) };
  if (noteDuplicate(batch, changed, at)) return;
  keepSnapshot(batch, standing, change.provenance);
  updateMemory(db, key, changed);
  const revision = changed.revision ?? 1;
  insertSources(db, key, { sources: change.provenance, from: memory.provenance.length, revision });
  if (change.patch.citations !== undefined) replaceCitations(db, key, changed.citations);
  if (change.kind === "revise" || change.patch.scope !== undefined) {
    indexMemory(db, key, changed);
  }
  batch.hashes.set(memory.id, { before: text(standing.row, "content_hash"), after: contentHash(changed) });
}

function afterChange(memory: MemoryRecord, change: Changed, now: Date): MemoryRecord {
  const body = change.kind === "revise" ? change.body : {};
  return {
    ...memory,
    ...definedOf(body),
    ...definedOf(change.patch),
    version: change.kind === "revise" ? memory.version + 1 : memory.version,
    revision: (memory.revision ?? 1) + 1,
    updatedAt: now,
    provenance: [...memory.provenance, ...change.provenance],
  };
}

function definedOf<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}

function keepSnapshot(batch: Batch, { key, row, memory }: Standing, provenance: readonly Provenance[]): void {
  const event = batch.events.find((candidate) => candidate.memory === memory.id);
  const run = event?.run ?? provenance.find((source) => source.run !== null)?.run ?? null;
  const citations = citationsOf(batch.db, [key]).get(key) ?? [];
  batch.db.run(
    "INSERT INTO memory_versions (memory, revision, status, until, run, snapshot) VALUES (?, ?, ?, ?, ?, ?)",
    [key, memory.revision ?? 1, memory.status, (event?.at ?? batch.now).getTime(), run, snapshotOf(row, citations)],
  );
}

function insertEvents({ db, events, hashes }: Batch): void {
  for (const event of events) {
    const hash = hashes.get(event.memory);
    db.run(
      `INSERT INTO memory_events (memory, kind, run, actor, rules, reason, before_hash, after_hash, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        event.memory,
        event.kind,
        event.run,
        event.actor,
        listOf(event.rules),
        storableOrNull(event.reason),
        hash?.before ?? null,
        hash?.after ?? null,
        event.at.getTime(),
      ],
    );
  }
}
