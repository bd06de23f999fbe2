/**
 * Runs one golden case through the real thing: a fresh store with the case's earlier memories, its transcript ingested as
 * the command line would, and what the store holds afterwards. Ids and clock are fixed, so that a run can be repeated.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  cleanLine,
  type Embedder,
  embedMissing,
  type IngestReport,
  type LanguageModel,
  type MemoryRecord,
  memoryId,
  openSqliteStore,
  type ProjectId,
  readTranscript,
} from "../../../src/internals.ts";
import type { GoldenCase, Seed } from "../../datasets/golden.ts";
import { type Experience, experienceOf } from "./experience.ts";
import { type EvalMemory, inFolder, openCase } from "./open-case.ts";
import { linesAtStart, type Serving, searchLive, servingOf } from "./served.ts";
import { type StagedSession, stageSession } from "./stage-session.ts";

export type Mode = "rules" | "model";

export interface CaseRun {
  readonly golden: GoldenCase;
  readonly mode: Mode;
  readonly repeat: number;
  /** Of the session itself, first the run before it grew, where it grew. */
  readonly reports: readonly IngestReport[];
  /** Memories that its runs added or changed, as they are at the end. */
  readonly facts: readonly MemoryRecord[];
  /** Whether each fact's quotes stand in the transcript, in the order of `facts`. */
  readonly grounded: readonly boolean[];
  /** What became of the seeds, by the seeds' ids. */
  readonly seeds: ReadonlyMap<string, SeedRun>;
  readonly experience: Experience;
}

export interface SeedRun {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord | undefined;
  /** Whether a search for its own title, or the start of the next session, still gives it. */
  readonly served: Serving;
}

export interface RunDeps {
  readonly embedder: Embedder | null;
  /** By name: cases may follow others. */
  readonly cases: ReadonlyMap<string, GoldenCase>;
}

export interface RunRequest {
  readonly golden: GoldenCase;
  readonly repeat: number;
  /** Absent: rules extract. */
  readonly model?: LanguageModel;
}

const DAY_MS = 86_400_000;
const ALL_STATUSES = ["active", "provisional", "disputed", "archived", "superseded", "forgotten"] as const;

export function runCase(deps: RunDeps, request: RunRequest): Promise<CaseRun> {
  return inFolder((folder) => runIn(folder, deps, request));
}

async function runIn(folder: string, { embedder, cases }: RunDeps, request: RunRequest): Promise<CaseRun> {
  const { golden, repeat, model = null } = request;
  const { profile, after = [] } = golden.expected;
  const staged = stageSession(golden, join(folder, golden.name));
  const session = await readTranscript(undefined, staged.path);
  const now = new Date(session.endedAt.getTime() + DAY_MS);
  const opened = await openCase({ name: `${golden.name}/${repeat}`, folder, profile, now, embedder, model });
  await using memory = opened.memory;
  const project = (await memory.project.current()).id;
  const seeds = (golden.expected.lifecycle?.seed ?? []).map((seed, at) => seedMemory(seed, at, { project, profile }));
  await seedStore(memory.paths.store, { seeds, project, root: opened.cwd, embedder });
  for (const name of after) {
    const earlier = cases.get(name);
    if (earlier !== undefined) await ingestStaged(memory.ingest.session, stageSession(earlier, join(folder, name)));
  }
  const reports = await ingestStaged(memory.ingest.session, staged);
  const all = await everything(memory);
  const facts = changedBy(reports, { seeds, all });
  const texts = session.turns.map(({ text }) => squeeze(text));
  return {
    golden,
    mode: model === null ? "rules" : "model",
    repeat,
    reports,
    facts,
    grounded: facts.map((fact) => isGrounded(fact, texts)),
    seeds: await seedRuns(memory, { seeds, all, now }),
    experience: await experienceOf(memory, facts, now),
  };
}

async function everything(memory: EvalMemory): Promise<MemoryRecord[]> {
  const store = await openSqliteStore({ path: memory.paths.store });
  const all = await store.memories.list({ statuses: ALL_STATUSES, limit: 1_000 });
  await store.close();
  return all;
}

interface Found {
  readonly seeds: readonly Seeded[];
  readonly all: readonly MemoryRecord[];
}

/** Seeds only where their text changed, not where they were superseded or seen again. */
function changedBy(reports: readonly IngestReport[], { seeds, all }: Found): MemoryRecord[] {
  const changed = new Set(reports.flatMap(({ decisions }) => decisions.map(({ memory: id }) => id)));
  const seedIds = new Set(seeds.map(({ record }) => record.id));
  return all.filter(({ id }) => changed.has(id) && !(seedIds.has(id) && !isChanged(id, seeds, all)));
}

type Ingest = (path: string) => Promise<IngestReport>;

async function ingestStaged(ingest: Ingest, { path, firstText, text }: StagedSession): Promise<IngestReport[]> {
  if (firstText === undefined) return [await ingest(path)];
  writeFileSync(path, firstText);
  const first = await ingest(path);
  writeFileSync(path, text);
  return [first, await ingest(path)];
}

interface Seeded {
  readonly seed: Seed;
  readonly record: MemoryRecord;
}

interface SeedPlace {
  readonly project: ProjectId;
  readonly profile: string;
}

function seedMemory(seed: Seed, at: number, { project, profile }: SeedPlace): Seeded {
  const date = new Date(seed.at);
  const { id: _, at: __, ...body } = seed;
  const record: MemoryRecord = {
    ...body,
    id: memoryId(`seed${String(at).padStart(2, "0")}000000`),
    title: cleanLine(seed.title, 80),
    whenNot: null,
    appliesIf: null,
    scope: { kind: "project", project },
    status: "active",
    flags: [],
    humanEdited: false,
    version: 1,
    seen: 1,
    createdAt: date,
    updatedAt: date,
    confirmedAt: date,
    eventAt: date,
    expiresAt: null,
    supersededBy: null,
    tombstonedAt: null,
    reason: null,
    conflictsWith: [],
    provenance: [],
    citations: [],
    profile,
  };
  return { seed, record };
}

interface SeedStore {
  readonly seeds: readonly Seeded[];
  readonly project: ProjectId;
  readonly root: string;
  readonly embedder: Embedder | null;
}

async function seedStore(path: string, { seeds, project, root, embedder }: SeedStore): Promise<void> {
  if (seeds.length === 0) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const store = await openSqliteStore({ path });
  await store.projects.upsert({ id: project, name: "", remote: null, root });
  await store.memories.apply(
    seeds.map(({ record }) => ({ kind: "add", memory: record })),
    [],
  );
  await embedMissing({ index: store.index, embedder: embedder ?? undefined });
  await store.close();
}

function isChanged(id: string, seeds: readonly Seeded[], all: readonly MemoryRecord[]): boolean {
  const before = seeds.find(({ record }) => record.id === id)?.record;
  return all.find((memory) => memory.id === id)?.version !== before?.version;
}

async function seedRuns(
  memory: EvalMemory,
  { seeds, all, now }: Found & { readonly now: Date },
): Promise<ReadonlyMap<string, SeedRun>> {
  const lines = await linesAtStart(memory, now);
  const runs = seeds.map(async ({ seed, record }): Promise<[string, SeedRun]> => {
    const after = all.find(({ id }) => id === record.id);
    const hits = (await searchLive(memory, seed.title)).filter(({ id }) => id === record.id);
    // Where its text was changed for the better, the line is no longer the old one.
    const shown = after?.version === record.version ? lines.filter((line) => line.includes(record.title)) : [];
    return [seed.id, { before: record, after, served: servingOf(hits, shown) }];
  });
  return new Map(await Promise.all(runs));
}

/** A quote counts where it stands in a turn; parts that were redacted can't be compared and are passed over. */
function isGrounded({ provenance }: MemoryRecord, turns: readonly string[]): boolean {
  const quotes = provenance.flatMap(({ quote }) => (quote === null ? [] : [quote]));
  const parts = quotes.flatMap((quote) => quote.split(/\[[A-Z]+:[^\]]*\]|~\//)).map(squeeze);
  return quotes.length > 0 && parts.every((part) => turns.some((text) => text.includes(part)));
}

function squeeze(text: string): string {
  return text.normalize("NFKC").replace(/[“”„]/g, '"').replace(/[’‘]/g, "'").replace(/\s+/g, "").toLowerCase();
}
