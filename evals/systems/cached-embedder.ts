/**
 * Remembers vectors, so that a sweep of settings embeds nothing twice and a search's time is that of the search; in a file
 * too where a folder is given, for the next run.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, sha256 } from "../../src/internals.ts";

const NAME_BYTES = 32;

export interface CachedEmbedder extends Embedder {
  /** Writes what is new, where there is a folder for it. */
  save(): void;
  /** Time of each query that the model itself was asked for, in ms. */
  readonly queryMs: readonly number[];
}

/** Documents and queries are kept apart. */
export function cachedEmbedder(embedder: Embedder, folder: string | undefined): CachedEmbedder {
  const file = `${embedder.fingerprint.replace(/[^\w.-]/g, "_")}.vectors`;
  const path = folder === undefined ? undefined : join(folder, file);
  const known = readVectors(path, embedder.dimensions);
  let saved = known.size;
  const queryMs: number[] = [];
  const embedQuery = (text: string): Float32Array => {
    const name = sha256(`query\n${text}`);
    const before = known.get(name);
    if (before !== undefined) return before;
    const started = performance.now();
    const vector = embedder.embedQuery?.(text) ?? new Float32Array(embedder.dimensions);
    queryMs.push(performance.now() - started);
    known.set(name, vector);
    return vector;
  };
  const embed: Embedder["embed"] = async (texts, options = {}) => {
    const names = texts.map((text) => sha256(`${options.kind ?? "document"}\n${text}`));
    const missing = [...new Set(names)].filter((name) => !known.has(name));
    const vectors = await embedder.embed(
      missing.map((name) => texts[names.indexOf(name)] ?? ""),
      options,
    );
    for (const [at, name] of missing.entries()) known.set(name, vectors[at] ?? new Float32Array(embedder.dimensions));
    return names.map((name) => known.get(name) ?? new Float32Array(embedder.dimensions));
  };
  return {
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    maxTokens: embedder.maxTokens,
    embed,
    ...(embedder.embedQuery === undefined ? {} : { embedQuery }),
    queryMs,
    save: () => {
      if (path === undefined || known.size === saved) return;
      saved = known.size;
      writeVectors(path, known);
    },
    close: () => embedder.close(),
  };
}

function readVectors(path: string | undefined, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  if (path === undefined || !existsSync(path)) return vectors;
  const file = readFileSync(path);
  const size = NAME_BYTES + dimensions * 4;
  for (let at = 0; at + size <= file.length; at += size) {
    const vector = new Float32Array(dimensions);
    for (let place = 0; place < dimensions; place += 1) vector[place] = file.readFloatLE(at + NAME_BYTES + place * 4);
    vectors.set(file.toString("hex", at, at + NAME_BYTES), vector);
  }
  return vectors;
}

/** Whole or not at all: a run may be stopped. */
function writeVectors(path: string, vectors: ReadonlyMap<string, Float32Array>): void {
  mkdirSync(join(path, ".."), { recursive: true });
  const rows = [...vectors].map(([name, vector]) =>
    Buffer.concat([Buffer.from(name, "hex"), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
  );
  writeFileSync(`${path}.${process.pid}`, Buffer.concat(rows));
  renameSync(`${path}.${process.pid}`, path);
}
