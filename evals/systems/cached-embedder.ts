/** Remembers vectors in a file between runs, so that a sweep of settings embeds nothing twice. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, sha256 } from "../../src/internals.ts";

const NAME_BYTES = 32;

export interface CachedEmbedder extends Embedder {
  /** Writes what is new. */
  save(): void;
}

/** Documents and queries are kept apart. With a query known, what `search` takes can be told from what the model takes. */
export function cachedEmbedder(embedder: Embedder, folder: string): CachedEmbedder {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${embedder.fingerprint.replace(/[^\w.-]/g, "_")}.vectors`);
  const known = existsSync(path) ? readVectors(readFileSync(path), embedder.dimensions) : new Map();
  const embedQuery = (text: string): Float32Array => {
    const name = sha256(`query\n${text}`);
    const vector = known.get(name) ?? embedder.embedQuery?.(text) ?? new Float32Array(embedder.dimensions);
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
    save: () => writeFileSync(path, writeVectors(known)),
    close: () => embedder.close(),
  };
}

function readVectors(file: Buffer, dimensions: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  const size = NAME_BYTES + dimensions * 4;
  for (let at = 0; at + size <= file.length; at += size) {
    const vector = new Float32Array(dimensions);
    for (let place = 0; place < dimensions; place += 1) vector[place] = file.readFloatLE(at + NAME_BYTES + place * 4);
    vectors.set(file.toString("hex", at, at + NAME_BYTES), vector);
  }
  return vectors;
}

function writeVectors(vectors: ReadonlyMap<string, Float32Array>): Buffer {
  return Buffer.concat(
    [...vectors].map(([name, vector]) =>
      Buffer.concat([Buffer.from(name, "hex"), Buffer.from(vector.buffer.slice(0))]),
    ),
  );
}
