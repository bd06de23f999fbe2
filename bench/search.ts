/**
 * Search in a process that lives, without the query's embedding: all searchers, fusion, adjustment, and the final rows.
 * Texts and vectors are synthetic, two vectors a note. In turns with it, over the same store: one plain pass (exact, no
 * filter, no texts) over all vectors, and one query of a stock full-text table of the same notes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDriver, openSqliteStore, projectId, type Store, search, VectorScanner } from "../src/internals.ts";
import { type Figure, toFigure } from "./figure.ts";
import { percentile } from "./measure.ts";
import { fillStore, syntheticEmbedder, VECTORS_PER_NOTE } from "./sample-store.ts";

const PROJECT = projectId("git:example.org/bench/harvest");
const WARM_UP = 40;
const FOUND = 50;
const COMPARED = 10;

export interface SearchBenchOptions {
  /** How many vectors, ascending. */
  readonly sizes: readonly number[];
  /** A store that is kept and filled up; one built for a million vectors is worth it. Default: a new one. */
  readonly path?: string | undefined;
}

export async function searchFigures({ sizes, path }: SearchBenchOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-bench-"));
  const file = path ?? join(folder, "search.db");
  const store = await openSqliteStore({ path: file });
  const embedder = syntheticEmbedder();
  const figures: Figure[] = [];
  try {
    for (const size of sizes) {
      const from = await countNotes(file);
      const count = Math.ceil(size / VECTORS_PER_NOTE) - from;
      const started = performance.now();
      await fillStore(store, { project: PROJECT, from, count: Math.max(0, count), embedder });
      if (count > 0) process.stderr.write(`${count} notes added in ${Math.round(performance.now() - started)} ms\n`);
      if (count < 0) throw new Error(`${file} holds more than ${size} vectors already`);
      figures.push(...(await measure({ store, file, folder, size })));
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function countNotes(file: string): Promise<number> {
  const driver = await openDriver({ path: file, readOnly: true });
  const count = Number(driver.prepare("SELECT count(*) AS notes FROM memories").get()?.notes);
  driver.close();
  return count;
}

interface Measured {
  readonly store: Store;
  readonly file: string;
  readonly folder: string;
  readonly size: number;
}

async function measure({ store, file, folder, size }: Measured): Promise<Figure[]> {
  const plain = await plainVectors(file);
  if (plain.all.size !== size) throw new Error(`${plain.all.size} vectors where ${size} were to be measured`);
  const stock = await stockFulltext(file, join(folder, `stock-${size}.db`));
  const fingerprint = (await store.index.activeFingerprint()) ?? "";
  const synthetic = syntheticEmbedder();
  const times = { search: timer(), pass: timer(), fulltext: timer() };
  const runs = size > 200_000 ? 60 : 300;
  let first = 0;
  for (let number = 0; number < runs + WARM_UP; number += 1) {
    const text = `${QUESTIONS[number % QUESTIONS.length]} ${number % 50}`;
    const vector = await embedded(synthetic.embed, text);
    const deps = { index: store.index, embedder: { ...synthetic, fingerprint, embedQuery: () => vector } };
    const counts = number >= WARM_UP;
    const ask = () => search({ ...deps, now: () => NOW }, { text, projects: [PROJECT], limit: 10 });
    const took = await times.search.take(ask, counts);
    if (number === 0) first = took;
    await times.pass.take(() => plain.all.scan({ query: vector, limit: FOUND }), counts);
    await times.fulltext.take(() => stock.ask(text), counts);
  }
  stock.close();
  const { search: ours, pass, fulltext } = times;
  const figure = (name: string, values: readonly number[], baseline?: readonly number[]): Figure =>
    toFigure({ name: `search-${name}-${size}`, unit: "ms", values, ...(baseline === undefined ? {} : { baseline }) });
  return [
    figure("p50", ours.wall, pass.wall),
    figure("p50-beside-fulltext", ours.wall, fulltext.wall),
    { ...figure("p95", [percentile(ours.wall, 0.95)]), runs },
    figure("processor-p50", ours.processor, pass.processor),
    figure("processor-p50-beside-fulltext", ours.processor, fulltext.processor),
    figure("first", [first]),
    toFigure({ name: `search-recall-${size}`, unit: "share", values: [await recallOf(store, plain, synthetic.embed)] }),
  ];
}

interface Timer {
  /** Milliseconds of each. */
  readonly wall: readonly number[];
  /** What the process used of the processor: on a busy machine the only time that says something. */
  readonly processor: readonly number[];
  /** @returns Milliseconds. */
  take(action: () => unknown, counts: boolean): Promise<number>;
}

function timer(): Timer {
  const wall: number[] = [];
  const processor: number[] = [];
  const take = async (action: () => unknown, counts: boolean): Promise<number> => {
    const before = process.cpuUsage();
    const started = performance.now();
    await action();
    const took = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    if (counts) wall.push(took);
    if (counts) processor.push((user + system) / 1000);
    return took;
  };
  return { wall, processor, take };
}

const NOW = new Date(Date.UTC(2026, 5, 1));

async function embedded(embed: (texts: string[]) => Promise<Float32Array[]>, text: string): Promise<Float32Array> {
  return (await embed([text]))[0] ?? new Float32Array(0);
}

interface PlainVectors {
  readonly all: VectorScanner;
  readonly triggers: VectorScanner;
  /** Note of each trigger. */
  readonly keys: readonly number[];
}

/** The store's own vectors, in scanners without masks or signs. */
async function plainVectors(file: string): Promise<PlainVectors> {
  const driver = await openDriver({ path: file, readOnly: true });
  const dimensions = Number(driver.prepare("SELECT dimensions FROM embedders WHERE active = 1").get()?.dimensions);
  const scanners = { all: new VectorScanner(dimensions), triggers: new VectorScanner(dimensions) };
  const keysOfTriggers: number[] = [];
  const read = driver.prepare(
    "SELECT id, slot, keys, scales, codes FROM vector_blocks WHERE id > ? ORDER BY id LIMIT 1",
  );
  for (let row = read.get([0]); row !== undefined; row = read.get([Number(row.id)])) {
    const [keys, scales, codes] = [row.keys, row.scales, row.codes].map(
      (blob) => new Uint8Array(blob as Uint8Array).buffer,
    );
    const places = [...new Int32Array(keys ?? [])];
    const live = places.filter((key) => key > 0).length;
    const code = new Int8Array(codes ?? []).subarray(0, live * dimensions);
    const scale = new Float32Array(scales ?? []).subarray(0, live);
    scanners.all.append(code, scale);
    if (Number(row.slot) !== 0) continue;
    scanners.triggers.append(code, scale);
    keysOfTriggers.push(...places.slice(0, live));
  }
  driver.close();
  return { ...scanners, keys: keysOfTriggers };
}

/** FTS5 as it comes: one table with five columns, the words of a question joined by OR, ordered by its rank. */
async function stockFulltext(
  file: string,
  path: string,
): Promise<{ ask: (text: string) => unknown; close: () => void }> {
  const driver = await openDriver({ path });
  driver.exec(`ATTACH '${file.replaceAll("'", "''")}' AS store`);
  driver.exec("CREATE VIRTUAL TABLE notes USING fts5 (title, when_to_use, content, how_to_apply, why)");
  driver.exec("INSERT INTO notes SELECT title, when_to_use, content, how_to_apply, why FROM store.memories");
  const query = driver.prepare("SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT 10");
  const ask = (text: string): unknown =>
    query.all([(text.match(/\w+/g) ?? []).map((word) => `"${word}"`).join(" OR ")]);
  return { ask, close: () => driver.close() };
}

/** Share of the ten notes with the nearest triggers, by a plain pass, that the index finds too. */
async function recallOf(
  { index }: Store,
  { triggers, keys }: PlainVectors,
  embed: (texts: string[]) => Promise<Float32Array[]>,
): Promise<number> {
  const filter = { unit: "fact", projects: [PROJECT], user: true, statuses: ["active"] } as const;
  let shared = 0;
  let wanted = 0;
  for (let number = 0; number < FOUND; number += 1) {
    const query = await embedded(embed, `${QUESTIONS[number % QUESTIONS.length]} ${number}`);
    const places = triggers.scan({ query, limit: COMPARED }).indices;
    const exact = [...places].map((place) => keys[place] ?? 0);
    const found = new Set((await index.vectors(query, "trigger", filter, COMPARED)).map(({ key }) => key));
    shared += exact.filter((key) => found.has(key)).length;
    wanted += exact.length;
  }
  return shared / wanted;
}

const QUESTIONS = [
  "why does the valve drop the schedule overnight",
  "debugging the parser of case",
  "pump_ledger",
  "the invoice looks wrong after a restart",
  "where is the migration of the replica",
  "the worker rounds the token under load, what to check first",
];
