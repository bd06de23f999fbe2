/**
 * The contradiction radar: what rules files and memories disagree on, looked for when either is new or has changed. Full
 * text proposes what may speak of one matter, rules of text decide; no model takes part.
 */
import type { Chunk } from "../core/chunk.ts";
import type { ProjectId } from "../core/ids.ts";
import { LIVE_STATUSES } from "../core/memory-record.ts";
import type { ConflictTable, FoundConflict, SearchIndex, UncheckedTexts, UnitFilter } from "../store/store.ts";
import { type Claim, fileClaims, memoryClaims, rivalTerms, type StatedMemory } from "../text/conflicts/claim.ts";
import { contradictionAmong } from "../text/conflicts/contradicts.ts";

export interface RadarDeps {
  readonly index: Pick<SearchIndex, "fulltext" | "memoriesByKey" | "chunksByKey">;
  readonly conflicts: ConflictTable;
}

export interface RadarOptions {
  /** Most memories, and most chunks, to look at now; default all. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Moves when the rules do: then everything is looked at again. */
const RULES_VERSION = "2";
const BATCH = 64;
/** Texts that search proposes for one memory, and for one sentence of a file. */
const CHUNKS_PER_MEMORY = 12;
const MEMORIES_PER_CLAIM = 8;
const MAX_TERMS = 48;
/** Texts of each kind whose reading is kept in memory, some kilobytes each. */
const MOST_READ = 4_000;
const SAYS_CHARACTERS = 120;

/** @returns How many texts were looked at. */
export async function findFileConflicts(
  { index, conflicts }: RadarDeps,
  project: ProjectId,
  { most = Number.POSITIVE_INFINITY, signal }: RadarOptions = {},
): Promise<number> {
  let checked = 0;
  const read = claimReader();
  while (checked < most) {
    signal?.throwIfAborted();
    const texts = await conflicts.unchecked(project, { rules: RULES_VERSION, limit: Math.min(BATCH, most - checked) });
    const count = texts.memories.length + texts.chunks.length;
    if (count === 0) break;
    const found = await compare({ index, read }, project, texts);
    await conflicts.record(project, { rules: RULES_VERSION, texts, found });
    checked += count;
  }
  return checked;
}

type Keyed<Kind extends keyof UncheckedTexts> = UncheckedTexts[Kind][number];

/** Each new text against everything of the other kind; a pair of new ones is met twice and found once. */
async function compare(
  { index, read }: { readonly index: RadarDeps["index"]; readonly read: ClaimReader },
  project: ProjectId,
  texts: UncheckedTexts,
): Promise<FoundConflict[]> {
  const found: FoundConflict[] = [];
  const hold = (memory: Keyed<"memories">, chunk: Keyed<"chunks">): void => {
    const conflict = conflictOf(memory, chunk, read);
    if (conflict !== undefined) found.push(conflict);
  };
  for (const memory of texts.memories) {
    const terms = rivalTerms(`${memory.memory.title}\n${memory.memory.content}`);
    const keys = await keysOf(index, terms, { unit: "chunk", project, limit: CHUNKS_PER_MEMORY });
    for (const [key, chunk] of await index.chunksByKey(keys)) hold(memory, { key, chunk });
  }
  for (const chunk of texts.chunks) {
    const keys = new Set<number>();
    for (const { text } of read.file(chunk.chunk).claims) {
      const near = await keysOf(index, rivalTerms(text), { unit: "fact", project, limit: MEMORIES_PER_CLAIM });
      for (const key of near) keys.add(key);
    }
    for (const [key, memory] of await index.memoriesByKey([...keys])) hold({ key, memory }, chunk);
  }
  return found;
}

interface Search {
  readonly unit: UnitFilter["unit"];
  readonly project: ProjectId;
  readonly limit: number;
}

async function keysOf(
  index: RadarDeps["index"],
  terms: readonly string[],
  { unit, project, limit }: Search,
): Promise<number[]> {
  if (terms.length === 0) return [];
  const filter = { unit, projects: [project], user: true, statuses: LIVE_STATUSES };
  const asked = terms.slice(0, MAX_TERMS).map((text) => ({ text }));
  return (await index.fulltext(asked, filter, limit)).map(({ key }) => key);
}

interface ReadChunk {
  readonly claims: readonly Claim[];
  /** Lines that were put before the chunk's own. */
  readonly ahead: number;
}

interface ClaimReader {
  file(chunk: Chunk): ReadChunk;
  memory(memory: StatedMemory & { readonly id: string; readonly version: number }): readonly Claim[];
}

/** Reads each text once; the titles above a chunk limit what it says. */
function claimReader(): ClaimReader {
  const chunks = new Map<string, ReadChunk>();
  const memories = new Map<string, readonly Claim[]>();
  return {
    file(chunk) {
      const key = `${chunk.id}/${chunk.contentHash}`;
      const known = chunks.get(key);
      if (known !== undefined) return known;
      const titles = chunk.headings.length === 0 ? [] : [`# ${chunk.headings.join(" ")}`];
      const read = { claims: fileClaims([...titles, chunk.text].join("\n")), ahead: titles.length };
      if (chunks.size >= MOST_READ) chunks.clear();
      chunks.set(key, read);
      return read;
    },
    memory(memory) {
      const key = `${memory.id}/${memory.version}`;
      const known = memories.get(key) ?? memoryClaims(memory);
      if (memories.size >= MOST_READ) memories.clear();
      memories.set(key, known);
      return known;
    },
  };
}

function conflictOf(
  { key: memoryKey, memory }: Keyed<"memories">,
  { key: chunkKey, chunk }: Keyed<"chunks">,
  read: ClaimReader,
): FoundConflict | undefined {
  const { claims, ahead } = read.file(chunk);
  const found = contradictionAmong(claims, read.memory(memory));
  if (found === undefined) return undefined;
  const conflict = {
    kind: found.kind,
    line: Math.max(1, found.line - ahead),
    fileSays: found.file.slice(0, SAYS_CHARACTERS),
    memorySays: found.memory.slice(0, SAYS_CHARACTERS),
  };
  return { memoryKey, chunkKey, version: memory.version, contentHash: chunk.contentHash, conflict };
}
