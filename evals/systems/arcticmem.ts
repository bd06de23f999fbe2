/**
 * The system under test, through its own doors: facts come in by `memory.add`, everything else as pieces by
 * `memory.files.put`, and questions go to `memory.search`. All projects of a set share one store on disk, in a temporary
 * home. A document whose id ends in `:<number>` is that piece of the file before the colon.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArcticMemError,
  type Memory,
  type NewNote,
  openMemory,
  type SearchAnswer,
  type SearchHit,
} from "../../src/index.ts";
import { type Embedder, given, type RetrievalSettings } from "../../src/internals.ts";
import { byGroup, type EvalDocument, type EvalQuery, type EvalSet } from "../datasets/eval-set.ts";
import { MemoryPool } from "./memory-pool.ts";
import { DEPTH, type TimedSystem } from "./system.ts";

/** All facts are of one age: the sets tell nothing of it. */
const NOW = new Date("2026-01-01T00:00:00Z");
const FOLDER_NAME_CHARACTERS = 40;

export interface AskedWith {
  /** Default: those that are in force for the embedder. */
  readonly settings?: RetrievalSettings | undefined;
  /** Default: the one that the set was loaded with; `null`: none, so that words and symbols answer. */
  readonly embedder?: Embedder | null | undefined;
  /** Then the nearest also hold what is not near enough. Default false: as agents ask. */
  readonly explain?: boolean;
}

export interface LoadedSet {
  /** A ranker; the same store serves any number of them. */
  system(name: string, asked?: AskedWith): TimedSystem;
  /** One question, as a caller asks it; with `explain` all that the answer can tell of itself. */
  ask(query: Pick<EvalQuery, "text" | "group">, asked?: AskedWith): Promise<Answered>;
  /** Path of the store, for who builds other vectors. */
  readonly store: string;
  readonly loadMs: number;
  /** Documents that the doors refused, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface Answered {
  readonly answer: SearchAnswer;
  /** The documents of each hit: several where their text is the same. */
  readonly documents: readonly string[];
  /** Those of the titles that are named beside an answer of nothing. */
  readonly nearest: readonly string[];
}

export interface LoadOptions {
  readonly embedder: Embedder | undefined;
  /** Load the documents as facts. */
  readonly asFacts: boolean;
}

export async function loadSet(set: EvalSet, { embedder, asFacts }: LoadOptions): Promise<LoadedSet> {
  const started = performance.now();
  const home = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-eval-")));
  let measured: RetrievalSettings | undefined;
  const folders = foldersOf(set, home);
  const pool = new MemoryPool((group, asked) => {
    const { folder, environment } = { folder: folders.get(group) ?? home, environment: environmentOf(home) };
    mkdirSync(folder, { recursive: true });
    return openMemory({ cwd: folder, environment, now: () => NOW, embedder: asked, retrieval: () => measured });
  });
  const documentsOf = new Map<string, string[]>();
  const refused = new Map<string, number>();
  for (const [group, documents] of byGroup(set.documents)) {
    const memory = await pool.get(group, embedder ?? null);
    const added = asFacts ? await addFacts(memory, documents, refused) : await putPieces(memory, documents);
    for (const [key, ids] of added) documentsOf.set(key, ids);
  }
  const [first] = set.documents;
  const any = await pool.get(first?.group ?? "", embedder ?? null);
  await any.models.build();
  const loadMs = performance.now() - started;
  const ask: LoadedSet["ask"] = async (
    { text, group },
    { settings, explain, embedder: asked = embedder ?? null } = {},
  ) => {
    if (!folders.has(group)) return { answer: NOTHING, documents: [], nearest: [] };
    measured = settings;
    const answer = await (await pool.get(group, asked)).search({ text, limit: DEPTH, ...given({ explain }) });
    const named = (hits: readonly SearchHit[]): string[] => hits.flatMap((hit) => documentsOf.get(keyOf(hit)) ?? []);
    return { answer, documents: named(answer.hits), nearest: named(answer.nearest ?? []) };
  };
  return {
    loadMs,
    refused,
    ask,
    store: any.paths.store,
    close: async () => {
      await pool.close();
      rmSync(home, { recursive: true, force: true });
    },
    system: (name, asked) => {
      const searchMs: number[] = [];
      const answered = new Map<EvalQuery, number>();
      const rank = async (query: EvalQuery): Promise<readonly string[]> => {
        const { answer, documents, nearest } = await ask(query, asked);
        searchMs.push(answer.searchedMs);
        const others = (ids: readonly string[]): string[] => [...new Set(ids)].filter((id) => id !== query.exclude);
        answered.set(query, others(documents).length);
        return others([...documents, ...nearest]);
      };
      return { name, rank, searchMs, answered };
    },
  };
}

const NOTHING: SearchAnswer = { hits: [], abstained: false, degraded: [], notes: [], searchedMs: 0 };

function environmentOf(home: string): { platform: NodeJS.Platform; variables: Record<string, string> } {
  const homes = { HOME: home, USERPROFILE: home, ARCTICMEM_HOME: join(home, "arcticmem"), ARCTICMEM_NO_WORKER: "1" };
  return { platform: process.platform, variables: homes };
}

/** A folder for each group: a project is known by where it lies, and people know it by the folder's name. */
function foldersOf({ documents }: EvalSet, home: string): Map<string, string> {
  const groups = [...new Set(documents.map(({ group }) => group))];
  const nameOf = (group: string): string =>
    group.replace(/[^\w-]+/g, "-").slice(0, FOLDER_NAME_CHARACTERS) || "project";
  return new Map(groups.map((group, at) => [group, join(home, "work", String(at), nameOf(group))]));
}

function keyOf(hit: SearchHit): string {
  return hit.unit === "fact" ? hit.memory.id : placeOf(hit.chunk.project, hit.chunk.path, hit.chunk.startLine);
}

const placeOf = (project: string, path: string, line: number): string => `${project}\n${path}\n${line}`;

/** By memory: two documents of one text are one memory. Successors come before what they replace. */
async function addFacts(
  memory: Memory,
  documents: readonly EvalDocument[],
  refused: Map<string, number>,
): Promise<Map<string, string[]>> {
  const documentsOf = new Map<string, string[]>();
  const memoryOf = new Map<string, string>();
  for (const document of successorsFirst(documents)) {
    const successor = document.successor === undefined ? undefined : memoryOf.get(document.successor);
    try {
      const { memory: kept } = await memory.add(noteOf(document, successor));
      memoryOf.set(document.id, kept.id);
      documentsOf.set(kept.id, [...(documentsOf.get(kept.id) ?? []), document.id]);
    } catch (thrown) {
      if (!(thrown instanceof ArcticMemError)) throw thrown;
      refused.set(thrown.message, (refused.get(thrown.message) ?? 0) + 1);
    }
  }
  return documentsOf;
}

/** A successor that is not among the documents, or comes back to where it began, is left out of account. */
function successorsFirst(documents: readonly EvalDocument[]): EvalDocument[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const placed = new Set<EvalDocument>();
  const place = (document: EvalDocument): void => {
    if (placed.has(document)) return;
    placed.add(document);
    const next = document.successor === undefined ? undefined : byId.get(document.successor);
    if (next !== undefined) place(next);
    ordered.push(document);
  };
  const ordered: EvalDocument[] = [];
  for (const document of documents) place(document);
  return ordered;
}

function noteOf(document: EvalDocument, successor: string | undefined): NewNote {
  const {
    text,
    type,
    title,
    content,
    why,
    how_to_apply: howToApply,
    when_to_use: whenToUse,
    status,
    pinned,
  } = document;
  return {
    text: content ?? text,
    by: "person",
    embed: false,
    standing: defined({ status, pinned, supersededBy: status === "superseded" ? successor : undefined }),
    ...defined({ type, title, why: why || undefined, howToApply: howToApply || undefined, whenToUse }),
  };
}

type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

/** By place: the pieces of one file follow each other. */
async function putPieces(memory: Memory, documents: readonly EvalDocument[]): Promise<Map<string, string[]>> {
  const files = new Map<string, EvalDocument[]>();
  for (const document of documents) {
    const name = document.id.replace(/:\d+$/, "");
    const pieces = files.get(name);
    if (pieces === undefined) files.set(name, [document]);
    else pieces.push(document);
  }
  const named = [...files.values()].map((pieces, at) => ({ path: `f${at + 1}`, pieces }));
  await memory.files.put(named, { embed: false });
  const { id: project } = await memory.project.current();
  return new Map(
    named.flatMap(({ path, pieces }) =>
      pieces.map((document, at): [string, string[]] => [placeOf(project, `put:${path}`, at + 1), [document.id]]),
    ),
  );
}
