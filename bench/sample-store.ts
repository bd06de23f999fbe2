/**
 * Stores of any size for measuring: notes on an invented system, made from lists of words by a seeded generator, so that
 * words, names and situations repeat as they do in a real store. Synthetic, and said so wherever figures are reported.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../src/index.ts";
import {
  type Embedder,
  type FactType,
  type MemoryRecord,
  memoryId,
  openSqliteStore,
  type ProjectId,
  type Store,
} from "../src/internals.ts";

export interface SampleHome extends Disposable {
  /** A git checkout with commits and changed files. */
  readonly project: string;
  /** For child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly storePath: string;
  readonly projectId: ProjectId;
}

/** A home with a checkout in it and an empty store. */
export async function makeSampleHome(): Promise<SampleHome> {
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-bench-"));
  const project = join(folder, "work", "harvest");
  const home = join(folder, "arcticmem");
  const environment = { PATH: process.env.PATH ?? "", HOME: folder, ARCTICMEM_HOME: home, CLAUDECODE: "1" };
  makeCheckout(project);
  await using memory = await openMemory({
    cwd: project,
    environment: { platform: process.platform, variables: environment },
  });
  await memory.files.index();
  const { id } = await memory.project.current();
  return {
    project,
    environment,
    storePath: memory.paths.store,
    projectId: id,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeCheckout(project: string): void {
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "README.md"), "# Harvest\n\nPlans greenhouse work.\n");
  writeFileSync(join(project, "CLAUDE.md"), "# Harvest\n\n## Tests\n\nRun `make check` before a commit.\n");
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"];
  const git = (...args: string[]): void =>
    void execFileSync("git", [...identity, ...args], { cwd: project, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch", "irrigation-retry");
  for (const subject of ["Read the moisture sensors", "Retry a valve that does not answer", "Plan by crop and bed"]) {
    writeFileSync(join(project, "src", "plan.ts"), `// ${subject}\n`);
    git("add", ".");
    git("commit", "--quiet", "--message", subject);
  }
  writeFileSync(join(project, "src", "valve.ts"), "// not committed yet\n");
}

const THINGS =
  "valve sensor pump schedule ledger invoice replica queue parser migration index token cache worker".split(" ");
const DEEDS = "retries drops rounds locks skips reorders duplicates truncates rejects caches batches delays".split(" ");
const CAUSES = "overnight at month end under load after a restart on leap days in the staging area".split(" ");
const TYPES: readonly FactType[] = ["lesson", "context", "preference", "pointer"];

/** Mulberry32: small, seeded, good enough for picking words. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function sampleRecord(number: number, project: ProjectId, random: () => number): MemoryRecord {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const [thing, other, deed] = [pick(THINGS), pick(THINGS), pick(DEEDS)];
  const symbol = `${thing}_${other}_${number % 997}`;
  const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 1e10));
  return {
    id: memoryId(String(number).padStart(6, "0").padEnd(12, "0")),
    type: pick(TYPES),
    polarity: "fact",
    title: `The ${thing} ${deed} the ${other} ${pick(CAUSES)} (case ${number})`,
    content: `When ${symbol} runs ${pick(CAUSES)}, the ${thing} ${deed} the ${other}; check ${pick(THINGS)} of case ${number} first.`,
    why: `It took an afternoon to find that the ${other} was not at fault.`,
    howToApply: `Look at ${symbol} before touching the ${other}.`,
    whenToUse: [`debugging the ${thing} of case ${number}`, `the ${other} looks wrong ${pick(CAUSES)}`],
    whenNot: null,
    appliesIf: null,
    symbols: [symbol],
    scope: { kind: "project", project },
    status: "active",
    flags: [],
    pinned: false,
    humanEdited: false,
    source: "tool_verified",
    trust: 2,
    confidence: 0.8,
    version: 1,
    seen: 1,
    createdAt: at,
    updatedAt: at,
    confirmedAt: at,
    eventAt: at,
    expiresAt: null,
    supersededBy: null,
    tombstonedAt: null,
    reason: null,
    conflictsWith: [],
    provenance: [],
    citations: [],
    profile: "coding@1",
  };
}

/** Of its situations with its claim, and of its body: what a note is found by. */
export const VECTORS_PER_NOTE = 2;
/** Notes in one transaction, and vectors in one. */
const NOTES_AT_ONCE = 2_000;
const VECTORS_AT_ONCE = 8_000;

/** Adds notes from number `from` on and gives them the embedder's vectors. A million vectors take some ten minutes. */
export async function fillStore(
  store: Store,
  {
    project,
    from,
    count,
    embedder,
  }: { readonly project: ProjectId; readonly from: number; readonly count: number; readonly embedder: Embedder },
): Promise<void> {
  const random = seededRandom(from + 1);
  for (let at = from; at < from + count; at += NOTES_AT_ONCE) {
    const size = Math.min(NOTES_AT_ONCE, from + count - at);
    const records = Array.from({ length: size }, (_, offset) => sampleRecord(at + offset, project, random));
    const result = await store.memories.apply(
      records.map((memory) => ({ kind: "add", memory })),
      [],
    );
    if (!result.applied) throw new Error("the sample notes collide");
    await embedAdded(store, embedder);
  }
}

/** As the embedding pass does, in larger pieces: it asks what is missing for each batch, which adds up. */
async function embedAdded({ index }: Store, embedder: Embedder): Promise<void> {
  const { fingerprint, dimensions } = embedder;
  if ((await index.activeFingerprint()) === undefined) await index.activate(fingerprint, dimensions);
  for (;;) {
    const missing = await index.missingVectors(fingerprint, VECTORS_AT_ONCE);
    const vectors = await embedder.embed(missing.map(({ text }) => text));
    await index.putVectors(
      fingerprint,
      missing.flatMap((entry, at) => {
        const vector = vectors[at];
        return vector === undefined ? [] : [{ ...entry, vector }];
      }),
    );
    if (missing.length < VECTORS_AT_ONCE) return;
  }
}

export function openSampleStore({ storePath }: Pick<SampleHome, "storePath">): Promise<Store> {
  return openSqliteStore({ path: storePath });
}

const DIMENSIONS = 384;
/** Of what a text is about, how much it has for itself. */
const OWN_SHARE = 0.3;

/** A vector for each word and a little for the text itself: texts that share words are near each other. */
export function syntheticEmbedder(): Embedder {
  const words = new Map<string, Float32Array>();
  const vectorOf = (text: string): Float32Array => {
    const own = randomVector(numberOf(text));
    const sum = own.map((value) => value * OWN_SHARE);
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
      const vector = words.get(word) ?? randomVector(numberOf(word));
      words.set(word, vector);
      for (let at = 0; at < DIMENSIONS; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
    }
    return toUnitLength(sum);
  };
  return {
    fingerprint: "synthetic@2",
    dimensions: DIMENSIONS,
    maxTokens: 256,
    embed: async (texts) => texts.map(vectorOf),
    embedQuery: vectorOf,
    close: async () => {},
  };
}

const POOL = 300;

/**
 * The real model for questions; for notes, mixtures of the vectors that it gives some hundred of them: what a store of
 * ten thousand looks like, without the quarter of an hour that embedding it takes.
 */
export async function pooledEmbedder(model: Embedder, texts: readonly string[]): Promise<Embedder> {
  const pool = await model.embed(texts.slice(0, POOL));
  const mixed = (text: string): Float32Array => {
    const random = seededRandom(numberOf(text));
    const some = (): Float32Array => pool[Math.floor(random() * pool.length)] ?? new Float32Array(model.dimensions);
    const [first, second] = [some(), some()];
    return toUnitLength(first.map((value, at) => value + 0.5 * (second[at] ?? 0)));
  };
  return {
    fingerprint: model.fingerprint,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    embed: async (wanted) => wanted.map(mixed),
    close: () => model.close(),
  };
}

/** Titles and contents of notes, as `fillStore` makes them. */
export function sampleTexts(project: ProjectId): string[] {
  const random = seededRandom(1);
  return Array.from({ length: POOL }, (_, number) => sampleRecord(number, project, random)).map(
    ({ title, content }, at) => (at % 2 === 0 ? title : content),
  );
}

function randomVector(seed: number): Float32Array {
  const random = seededRandom(seed);
  return toUnitLength(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

function numberOf(text: string): number {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}
