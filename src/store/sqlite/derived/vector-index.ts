/**
 * The vector searcher. Codes of a shelf (one model, one kind of unit, one slot) are kept packed in memory and brought up
 * to date block by block; which of them may answer is a mask that is kept for each filter until something changes.
 */
import type { RankedUnit, UnitKind } from "../../../core/query.ts";
import { type ScanResult, VectorScanner } from "../../../kernel/vector-scanner.ts";
import type { CommonVector, UnitFilter, VectorSlot } from "../../store.ts";
import { type Connection, integer, text } from "../connection.ts";
import type { UnitMask, UnitMasks } from "./unit-masks.ts";
import { SLOT_CODES, UNIT_CODES } from "./units.ts";
import { BLOCK_PLACES, readBlocks, type Shelf, type StoredBlock } from "./vector-blocks.ts";

export interface ActiveEmbedder {
  readonly id: number;
  readonly fingerprint: string;
  readonly dimensions: number;
}

export function activeEmbedder(db: Connection): ActiveEmbedder | undefined {
  const row = db.get("SELECT id, fingerprint, dimensions FROM embedders WHERE active = 1");
  if (row === undefined) return undefined;
  return { id: integer(row, "id"), fingerprint: text(row, "fingerprint"), dimensions: integer(row, "dimensions") };
}

export interface VectorQuery {
  readonly query: Float32Array;
  readonly slot: VectorSlot;
  readonly filter: UnitFilter;
  readonly limit: number;
}

/** Blocks of which a shelf's common vector is the mean: 2,048 vectors. */
const SAMPLED_BLOCKS = 16;
/** Places asked for at first for each unit that is wanted: often more than one trigger of a memory is near. */
const PLACES_PER_UNIT = 2;
/**
 * From so many vectors on, sign codes choose what is scored: the codes themselves no longer fit a processor's cache.
 * Measured with MiniLM: of the best ten to fifty of 3,000 texts all are among the twentieth that is scored.
 */
const SIGNS_FROM = 16_384;

export class VectorIndex {
  readonly #db: Connection;
  readonly #shelves = new Map<string, PackedShelf>();
  readonly #units: UnitMasks;
  readonly #places = new WeakMap<UnitMask, WeakMap<PackedShelf, PlaceMask>>();
  #embedder: ActiveEmbedder | undefined;
  #vectorStamp = -1;

  constructor(db: Connection, units: UnitMasks) {
    this.#db = db;
    this.#units = units;
  }

  search({ query, slot, filter, limit }: VectorQuery): RankedUnit[] {
    const shelf = this.#shelfOf(slot, filter.unit);
    if (shelf === undefined || shelf.dimensions !== query.length) return [];
    const mask = this.#placeMask(shelf, this.#units.of(filter));
    return mask.open === 0 ? [] : shelf.best({ query, mask: mask.bytes, limit });
  }

  /** Those of the model that serves, as floats again. */
  vectorsOf(keys: readonly number[], slot: VectorSlot, unit: UnitKind): ReadonlyMap<number, Float32Array[]> {
    const shelf = this.#shelfOf(slot, unit);
    const found = keys.map((key) => [key, shelf?.vectorsOf(key) ?? []] as const);
    return new Map(found.filter(([, vectors]) => vectors.length > 0));
  }

  common(slot: VectorSlot, unit: UnitKind): CommonVector | undefined {
    return this.#shelfOf(slot, unit)?.common();
  }

  /** Of the model that serves. */
  get fingerprint(): string | undefined {
    this.#refresh();
    return this.#embedder?.fingerprint;
  }

  #refresh(): void {
    const { vectors } = this.#db.stamps();
    if (vectors === this.#vectorStamp) return;
    this.#vectorStamp = vectors;
    this.#embedder = activeEmbedder(this.#db);
    for (const shelf of this.#shelves.values()) shelf.expire();
  }

  /** The shelf of the model that serves, up to date; none where no model does. */
  #shelfOf(slot: VectorSlot, unit: UnitKind): PackedShelf | undefined {
    this.#refresh();
    if (this.#embedder === undefined) return undefined;
    const { id: embedder, dimensions } = this.#embedder;
    const name = `${embedder}/${unit}/${slot}`;
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      for (const other of this.#shelves.keys()) if (!other.startsWith(`${embedder}/`)) this.#shelves.delete(other);
      shelf = new PackedShelf({ embedder, unit: UNIT_CODES[unit], slot: SLOT_CODES[slot] }, dimensions);
      this.#shelves.set(name, shelf);
    }
    shelf.refresh(this.#db);
    return shelf;
  }

  #placeMask(shelf: PackedShelf, units: UnitMask): PlaceMask {
    const kept = this.#places.get(units) ?? new WeakMap<PackedShelf, PlaceMask>();
    this.#places.set(units, kept);
    const known = kept.get(shelf);
    if (known?.state === shelf.state) return known;
    const mask = maskOf(shelf, units);
    kept.set(shelf, mask);
    return mask;
  }
}

interface PlaceMask {
  /** State of the shelf that it fits. */
  readonly state: number;
  /** One byte for each place of the shelf. */
  readonly bytes: Uint8Array;
  readonly open: number;
}

function maskOf({ keys, state }: PackedShelf, units: UnitMask): PlaceMask {
  const bytes = new Uint8Array(keys.length);
  let open = 0;
  for (let place = 0; place < keys.length; place += 1) {
    if (units.open[keys[place] ?? 0] !== 1) continue;
    bytes[place] = 1;
    open += 1;
  }
  return { state, bytes, open };
}

/** The places of each key, ascending; -1 ends them. */
interface Chains {
  /** First place, by key. */
  readonly heads: Int32Array;
  /** The place after each, by place. */
  readonly next: Int32Array;
}

function chainsOf(keys: Int32Array): Chains {
  const heads = new Int32Array(keys.reduce((most, key) => Math.max(most, key), 0) + 1).fill(-1);
  const next = new Int32Array(keys.length);
  for (let place = keys.length - 1; place >= 0; place -= 1) {
    const key = keys[place] ?? 0;
    if (key <= 0) continue;
    next[place] = heads[key] ?? -1;
    heads[key] = place;
  }
  return { heads, next };
}

/** `mean` holds the sum here. */
function blockSum({ keys, scales, codes }: StoredBlock, dimensions: number): CommonVector {
  const mean = new Float32Array(dimensions);
  let count = 0;
  for (const [place, key] of keys.entries()) {
    if (key === 0) continue;
    count += 1;
    const scale = scales[place] ?? 0;
    const start = place * dimensions;
    for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + scale * (codes[start + at] ?? 0);
  }
  return { mean, count };
}

function meanOf(sums: readonly CommonVector[], dimensions: number): CommonVector {
  const count = sums.reduce((total, sum) => total + sum.count, 0);
  const mean = new Float32Array(dimensions);
  for (const sum of sums) for (const [at, value] of sum.mean.entries()) mean[at] = (mean[at] ?? 0) + value / count;
  return { mean, count };
}

/** A shelf's vectors in the scanner. A block that changed is added again; its old places are dead until a rebuild. */
class PackedShelf {
  readonly dimensions: number;
  readonly #shelf: Shelf;
  #scanner: VectorScanner;
  #keys = new Int32Array(0);
  /** First place of each block. */
  #starts = new Map<number, number>();
  #change = 0;
  #dead = 0;
  #expired = true;
  /** By block, of the first few: enough to know what the shelf has in common. */
  readonly #sums = new Map<number, CommonVector>();
  #common: CommonVector | undefined;
  #chains: Chains | undefined;
  /** Moves when places or keys do. */
  state = 0;

  constructor(shelf: Shelf, dimensions: number) {
    this.#shelf = shelf;
    this.dimensions = dimensions;
    this.#scanner = new VectorScanner(dimensions);
  }

  /** Key of the unit at each place, 0 where there is none. */
  get keys(): Int32Array {
    return this.#keys;
  }

  expire(): void {
    this.#expired = true;
  }

  refresh(db: Connection): void {
    if (!this.#expired) return;
    this.#expired = false;
    if (this.#dead > this.#keys.length / 2) this.#clear();
    const blocks = readBlocks(db, this.#shelf, this.#change);
    if (blocks.length === 0) return;
    const keys = new Int32Array(this.#keys.length + blocks.length * BLOCK_PLACES);
    keys.set(this.#keys);
    for (const [at, block] of blocks.entries())
      this.#load(block, { keys, start: this.#keys.length + at * BLOCK_PLACES });
    this.#keys = keys;
    this.#common = undefined;
    this.#chains = undefined;
    this.state += 1;
  }

  common(): CommonVector | undefined {
    this.#common ??= meanOf([...this.#sums.values()], this.dimensions);
    return this.#common.count === 0 ? undefined : this.#common;
  }

  vectorsOf(key: number): Float32Array[] {
    this.#chains ??= chainsOf(this.#keys);
    const { heads, next } = this.#chains;
    const vectors: Float32Array[] = [];
    for (let place = heads[key] ?? -1; place >= 0; place = next[place] ?? -1) {
      vectors.push(this.#scanner.vectorAt(place));
    }
    return vectors;
  }

  #clear(): void {
    this.#scanner = new VectorScanner(this.dimensions);
    this.#keys = new Int32Array(0);
    this.#starts.clear();
    this.#sums.clear();
    this.#change = 0;
    this.#dead = 0;
  }

  #load(block: StoredBlock, { keys, start }: { readonly keys: Int32Array; readonly start: number }): void {
    const old = this.#starts.get(block.id);
    if (old !== undefined) {
      keys.fill(0, old, old + BLOCK_PLACES);
      this.#dead += BLOCK_PLACES;
    }
    keys.set(block.keys, start);
    this.#starts.set(block.id, start);
    this.#scanner.append(block.codes, block.scales);
    if (this.#sums.size < SAMPLED_BLOCKS || this.#sums.has(block.id)) {
      this.#sums.set(block.id, blockSum(block, this.dimensions));
    }
    this.#change = Math.max(this.#change, block.change);
  }

  /** Best units; asks for more places while too few units come of them. */
  best({ query, mask, limit }: { query: Float32Array; mask: Uint8Array; limit: number }): RankedUnit[] {
    const exact = this.#scanner.size < SIGNS_FROM;
    for (let places = limit * PLACES_PER_UNIT; ; places *= 4) {
      const request = { query, mask, limit: places };
      const result = exact ? this.#scanner.scan(request) : this.#scanner.scanSigns(request);
      const units = this.#unitsOf(result, limit);
      if (units.length === limit || result.indices.length < places) return units;
    }
  }

  /** Each unit once, with its best score. */
  #unitsOf({ indices, scores }: ScanResult, limit: number): RankedUnit[] {
    const seen = new Set<number>();
    const units: RankedUnit[] = [];
    for (let at = 0; at < indices.length && units.length < limit; at += 1) {
      const key = this.#keys[indices[at] ?? 0] ?? 0;
      if (seen.has(key)) continue;
      seen.add(key);
      units.push({ key, score: scores[at] ?? 0 });
    }
    return units;
  }
}
