/**
 * The system under test: a set's documents in a real store, asked through the real search. Facts go in as memories,
 * everything else as pieces of files; a document whose id ends in `:<number>` is that piece of the file before the colon.
 */
import {
  type Chunk,
  chunkId,
  cleanLine,
  type Embedder,
  embedMissing,
  extractSymbols,
  type MemoryRecord,
  memoryId,
  openSqliteStore,
  projectId,
  type RetrievalSettings,
  type SearchAnswer,
  type SearchHit,
  type Store,
  search,
  sha256,
} from "../../src/internals.ts";
import type { EvalDocument, EvalQuery, EvalSet } from "../datasets/eval-set.ts";
import { DEPTH, type System } from "./system.ts";

/** All facts are of one age: the sets tell nothing of it. */
const NOW = new Date("2026-01-01T00:00:00Z");
const TITLE_CHARACTERS = 80;

export interface LoadedSet {
  /** A ranker under these settings; the same store serves any number of them. */
  system(name: string, settings: RetrievalSettings): System & { readonly searchMs: readonly number[] };
  /** One question with all that the answer can tell of itself. */
  ask(query: Pick<EvalQuery, "text" | "group">, settings: RetrievalSettings): Promise<Answered>;
  readonly loadMs: number;
  close(): Promise<void>;
}

export interface Answered {
  readonly answer: SearchAnswer;
  /** The document of each hit. */
  readonly documents: readonly string[];
}

export interface LoadOptions {
  readonly embedder: Embedder | undefined;
  /** Load the documents as facts. */
  readonly asFacts: boolean;
}

export async function loadSet(set: EvalSet, { embedder, asFacts }: LoadOptions): Promise<LoadedSet> {
  const started = performance.now();
  const store = await openSqliteStore({ path: ":memory:", now: () => NOW });
  for (const group of new Set(set.documents.map((document) => document.group))) {
    await store.projects.upsert({ id: projectOf(group), name: "", remote: null, root: `/${group}` });
  }
  const documentOf = asFacts ? await addFacts(store, set.documents) : await addChunks(store, set.documents);
  await embedMissing({ index: store.index, embedder });
  const loadMs = performance.now() - started;
  const ask: LoadedSet["ask"] = async ({ text, group }, settings) => {
    const answer = await search(
      { index: store.index, embedder, now: () => NOW, settings },
      { text, projects: [projectOf(group)], limit: DEPTH, units: [asFacts ? "fact" : "chunk"], explain: true },
    );
    return { answer, documents: answer.hits.map((hit) => documentOf.get(keyOf(hit)) ?? "") };
  };
  return {
    loadMs,
    ask,
    close: () => store.close(),
    system: (name, settings) => {
      const searchMs: number[] = [];
      const rank = async (query: EvalQuery): Promise<readonly string[]> => {
        const { answer, documents } = await ask(query, settings);
        searchMs.push(answer.searchedMs);
        return [...new Set(documents)].filter((id) => id !== query.exclude);
      };
      return { name, rank, searchMs };
    },
  };
}

const projectOf = (group: string) => projectId(`named:${group}`);

function keyOf(hit: SearchHit): string {
  return hit.unit === "fact" ? hit.memory.id : hit.chunk.id;
}

async function addFacts(store: Store, documents: readonly EvalDocument[]): Promise<Map<string, string>> {
  const idOf = new Map(documents.map(({ id }, at) => [id, memoryId(at.toString(36).padStart(12, "0"))]));
  await store.memories.apply(
    documents.map((document) => ({ kind: "add", memory: factOf(document, idOf) })),
    [],
  );
  return new Map([...idOf].map(([document, memory]) => [memory, document]));
}

function factOf(document: EvalDocument, idOf: ReadonlyMap<string, MemoryRecord["id"]>): MemoryRecord {
  const { id, text, group, status, successor } = document;
  return {
    id: idOf.get(id) ?? memoryId(""),
    type: document.type ?? "context",
    polarity: "fact",
    title: document.title ?? cleanLine(text, TITLE_CHARACTERS),
    content: document.content ?? text,
    why: document.why ?? "",
    howToApply: document.how_to_apply ?? "",
    whenToUse: document.when_to_use ?? [],
    whenNot: null,
    appliesIf: null,
    symbols: extractSymbols(text),
    scope: { kind: "project", project: projectOf(group) },
    status: status ?? "active",
    flags: [],
    pinned: document.pinned ?? false,
    humanEdited: false,
    source: "user_stated",
    trust: 3,
    confidence: 1,
    version: 1,
    seen: 1,
    createdAt: NOW,
    updatedAt: NOW,
    confirmedAt: NOW,
    eventAt: NOW,
    expiresAt: null,
    supersededBy: (successor === undefined ? undefined : idOf.get(successor)) ?? null,
    tombstonedAt: null,
    reason: null,
    conflictsWith: [],
    provenance: [],
    citations: [],
    profile: "coding",
  };
}

async function addChunks(store: Store, documents: readonly EvalDocument[]): Promise<Map<string, string>> {
  const documentOf = new Map<string, string>();
  const files = new Map<string, Chunk[]>();
  for (const [at, document] of documents.entries()) {
    const path = document.id.replace(/:\d+$/, "");
    const name = `${document.group}\n${path}`;
    const pieces = files.get(name) ?? [];
    files.set(name, pieces);
    const chunk = chunkOf(document, { at, path: `f${files.size}`, line: pieces.length + 1 });
    pieces.push(chunk);
    documentOf.set(chunk.id, document.id);
  }
  for (const chunks of files.values()) {
    const [first] = chunks;
    if (first === undefined) continue;
    const { project, path } = first;
    const bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
    await store.files.replace(
      { project, path, contentHash: path, bytes, modifiedAtMs: 0, loadedBy: [] },
      chunks.map((chunk) => ({ ...chunk, path })),
    );
  }
  return documentOf;
}

function chunkOf(
  { text, group }: EvalDocument,
  { at, path, line }: { readonly at: number; readonly path: string; readonly line: number },
): Chunk {
  return {
    id: chunkId(String(at)),
    project: projectOf(group),
    path,
    headings: [],
    text,
    startLine: line,
    endLine: line,
    contentHash: sha256(text),
    symbols: extractSymbols(text),
  };
}
