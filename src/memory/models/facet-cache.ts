/**
 * Vectors of facets from earlier session starts: the README's title and the branch seldom change, and each costs the hook
 * six milliseconds. A small file that may be lost at any time.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VectorCache } from "../../retrieve/start/cached-embedder.ts";

/** About 130 KB on disk, read in a millisecond. */
const MOST = 64;

export interface FacetCache extends VectorCache {
  /** Writes what was added; trouble is left alone. */
  save(): void;
}

export function openFacetCache(stateDirectory: string): FacetCache {
  const path = join(stateDirectory, "facet-vectors.json");
  let entries: Map<string, string> | undefined;
  let changed = false;
  const loaded = (): Map<string, string> => (entries ??= readEntries(path));
  return {
    get: async (name) => {
      const text = loaded().get(name);
      return text === undefined ? undefined : decode(text);
    },
    set: async (name, vector) => {
      loaded().delete(name);
      loaded().set(name, encode(vector));
      changed = true;
    },
    save: () => {
      if (changed) writeEntries(path, [...loaded()].slice(-MOST));
    },
  };
}

function encode(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function decode(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
}

function readEntries(path: string): Map<string, string> {
  try {
    return new Map(JSON.parse(readFileSync(path, "utf8")) as [string, string][]);
  } catch {
    return new Map(); // none yet, or cut off by a kill: it fills again
  }
}

function writeEntries(path: string, entries: readonly (readonly [string, string])[]): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(entries), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // a full disk costs the next start a few milliseconds, nothing else
  }
}
