/**
 * Runs one golden case through the real thing: a fresh store with the case's earlier memories, its transcript ingested as
 * the command line would, and what the store holds afterwards. Ids and clock are fixed, so that a run can be repeated.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  cleanLine,
  type Embedder,
  embedMissing,
  type IngestReport,
  type LanguageModel,
  type MemoryRecord,
  memoryId,
  openMemory,
  openSqliteStore,
  type ProjectId,
  readTranscript,
  sha256,
} from "../../src/internals.ts";
import type { GoldenCase, Seed } from "../datasets/golden.ts";
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
  readonly seeds: ReadonlyMap<string, { readonly before: MemoryRecord; readonly after: MemoryRecord | undefined }>;
  /** Seeds that a search for their own title still serves as true. */
  readonly served: ReadonlySet<string>;
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
const SERVED_DEPTH = 5;

export async function runCase(deps: RunDeps, request: RunRequest): Promise<CaseRun> {
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-golden-"));
  try {
    return await runIn(folder, deps, request);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, deps: RunDeps, { golden, repeat, model }: RunRequest): Promise<CaseRun> {
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const staged = stageSession(golden, join(folder, golden.name));
  const session = await readTranscript(undefined, staged.path);
  const now = new Date(session.endedAt.getTime() + DAY_MS);
  const embedder = deps.embedder === null ? null : kept(deps.embedder);
  await using memory = await openMemory({
    cwd,
    environment: { platform: process.platform, variables: { HOME: folder, USERPROFILE: folder } },
    now: () => now,
    ids: countedIds(`${golden.name}/${repeat}`),
    embedder,
    languageModel: model ?? null,
  });
  const project = (await memory.project.current()).id;
  const seeds = (golden.expected.lifecycle?.seed ?? []).map((seed, at) => seedMemory(seed, at, project));
  await seedStore(memory.paths.store, { seeds, project, root: cwd, embedder });
  for (const name of golden.expected.after ?? []) {
    const earlier = deps.cases.get(name);
    if (earlier !== undefined) await ingestStaged(memory.ingest.session, stageSession(earlier, join(folder, name)));
  }
  const reports = await ingestStaged(memory.ingest.session, staged);
  const changed = new Set(reports.flatMap(({ decisions }) => decisions.map(({ memory: id }) => id)));
  const store = await openSqliteStore({ path: memory.paths.store });
  const all = await store.memories.list({ statuses: ALL_STATUSES, limit: 1_000 });
  await store.close();
  const seedIds = new Set(seeds.map(({ record }) => record.id));
  const facts = all.filter(({ id }) => changed.has(id) && !(seedIds.has(id) && !isChanged(id, seeds, all)));
  const texts = session.turns.map(({ text }) => squeeze(text));
  return {
    golden,
    mode: model === undefined ? "rules" : "model",
    repeat,
    reports,
    facts,
    grounded: facts.map((fact) => isGrounded(fact, texts)),
    seeds: new Map(
      seeds.map(({ seed, record }) => [seed.id, { before: record, after: all.find(({ id }) => id === record.id) }]),
    ),
    served: await servedSeeds(memory, seeds),
  };
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

function seedMemory(seed: Seed, at: number, project: ProjectId): Seeded {
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
    profile: "coding",
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

async function servedSeeds(
  memory: Awaited<ReturnType<typeof openMemory>>,
  seeds: readonly Seeded[],
): Promise<ReadonlySet<string>> {
  const served = new Set<string>();
  for (const { seed, record } of seeds) {
    const { hits } = await memory.search({ text: seed.title, limit: SERVED_DEPTH, units: ["fact"] });
    const isServed = hits.some(
      (hit) => hit.unit === "fact" && hit.memory.id === record.id && hit.memory.status === "active",
    );
    if (isServed) served.add(seed.id);
  }
  return served;
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

/** One embedder serves all cases: closing a case's memory leaves it open. */
function kept(embedder: Embedder): Embedder {
  const { fingerprint, dimensions, maxTokens, embedQuery } = embedder;
  return {
    fingerprint,
    dimensions,
    maxTokens,
    embed: (texts, options) => embedder.embed(texts, options),
    ...(embedQuery === undefined ? {} : { embedQuery: (text) => embedQuery.call(embedder, text) }),
    close: async () => undefined,
  };
}

function countedIds(seed: string): { next(): string } {
  let count = 0;
  return {
    next() {
      count += 1;
      return BigInt(`0x${sha256(`${seed}/${count}`).slice(0, 15)}`)
        .toString(32)
        .padStart(12, "0")
        .replace(/[ilou]/g, "z");
    },
  };
}
