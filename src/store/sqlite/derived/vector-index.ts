/**
 * The vector searcher. Codes of a shelf (one model, one kind of unit, one slot) are kept packed in memory and brought up
 * to date block by block; which of them may answer is a mask that is kept for each filter until something changes.
 */
import type { RankedUnit } from "../../../core/query.ts";
import { VectorScanner } from "../../../kernel/vector-scanner.ts";
import type { UnitFilter, VectorSlot } from "../../store.ts";
import { type Connection, integer, text } from "../connection.ts";
import { filterSql } from "./unit-filter.ts";
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

/** A unit has up to five vectors in a slot; so many places are asked for each unit that is wanted. */
const PLACES_PER_UNIT = 5;
const MAX_MASKS = 16;

export class VectorIndex {
  readonly #db: Connection;
  readonly #shelves = new Map<string, PackedShelf>();
  readonly #masks = new Map<string, Mask>();
  #embedder: ActiveEmbedder | undefined;
  #vectorStamp = -1;
  #unitStamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  search({ query, slot, filter, limit }: VectorQuery): RankedUnit[] {
    const stamps = this.#db.stamps();
    if (stamps.units !== this.#unitStamp) this.#masks.clear();
    if (stamps.vectors !== this.#vectorStamp) this.#embedder = activeEmbedder(this.#db);
    const stale = stamps.vectors !== this.#vectorStamp;
    this.#unitStamp = stamps.units;
    this.#vectorStamp = stamps.vectors;
    if (stale) for (const shelf of this.#shelves.values()) shelf.expire();
    if (this.#embedder === undefined || this.#embedder.dimensions !== query.length) return [];
    const shelf = this.#shelf({ embedder: this.#embedder.id, unit: UNIT_CODES[filter.unit], slot: SLOT_CODES[slot] });
    shelf.refresh(this.#db);
    const mask = this.#mask(shelf, filter);
    return mask.allowed === 0 ? [] : shelf.best({ query, mask: mask.bytes, limit });
  }

  #shelf(place: Shelf): PackedShelf {
    const name = `${place.embedder}/${place.unit}/${place.slot}`;
    const known = this.#shelves.get(name);
    if (known !== undefined) return known;
    for (const other of this.#shelves.keys()) {
      if (!other.startsWith(`${place.embedder}/`)) this.#shelves.delete(other);
    }
    const shelf = new PackedShelf(place, this.#embedder?.dimensions ?? 0);
    this.#shelves.set(name, shelf);
    return shelf;
  }

  #mask(shelf: PackedShelf, filter: UnitFilter): Mask {
    const { where, parameters } = filterSql(filter);
    const name = `${shelf.name}|${where}|${JSON.stringify(parameters)}`;
    const known = this.#masks.get(name);
    if (known?.state === shelf.state) return known;
    const mask = maskOf(shelf, allowedKeys(this.#db, filter));
    if (this.#masks.size >= MAX_MASKS) this.#masks.clear();
    this.#masks.set(name, mask);
    return mask;
  }
}

interface Mask {
  /** State of the shelf that it fits. */
  readonly state: number;
  /** One byte for each place of the shelf. */
  readonly bytes: Uint8Array;
  readonly allowed: number;
}

/** One row for all keys: reading ten thousand rows costs more than the scan. */
function allowedKeys(db: Connection, filter: UnitFilter): ReadonlySet<number> {
  const { table, where, parameters } = filterSql(filter);
  const row = db.get(`SELECT group_concat(u.key) AS keys FROM ${table} WHERE ${where}`, parameters);
  const keys = row === undefined ? "" : text(row, "keys");
  return new Set(keys === "" ? [] : keys.split(",").map(Number));
}

function maskOf(shelf: PackedShelf, allowed: ReadonlySet<number>): Mask {
  let count = 0;
  const bytes = Uint8Array.from(shelf.keys, (key) => {
    const open = key !== 0 && allowed.has(key);
    if (open) count += 1;
    return Number(open);
  });
  return { state: shelf.state, bytes, allowed: count };
}

/** A shelf's vectors in the scanner. A block that changed is added again; its old places are dead until a rebuild. */
class PackedShelf {
  readonly name: string;
  readonly #shelf: Shelf;
  readonly #dimensions: number;
  #scanner: VectorScanner;
  #keys: number[] = [];
  /** First place of each block. */
  #starts = new Map<number, number>();
  #change = 0;
  #dead = 0;
  #expired = true;
  /** Moves when places or keys do. */
  state = 0;

  constructor(shelf: Shelf, dimensions: number) {
    this.name = `${shelf.embedder}/${shelf.unit}/${shelf.slot}`;
    this.#shelf = shelf;
    this.#dimensions = dimensions;
    this.#scanner = new VectorScanner(dimensions);
  }

  /** Key of the unit at each place, 0 where there is none. */
  get keys(): readonly number[] {
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
    for (const block of blocks) this.#load(block);
    if (blocks.length > 0) this.state += 1;
  }

  #clear(): void {
    this.#scanner = new VectorScanner(this.#dimensions);
    this.#keys = [];
    this.#starts.clear();
    this.#change = 0;
    this.#dead = 0;
  }

  #load(block: StoredBlock): void {
    const old = this.#starts.get(block.id);
    if (old !== undefined) {
      this.#keys.fill(0, old, old + BLOCK_PLACES);
      this.#dead += BLOCK_PLACES;
    }
    this.#starts.set(block.id, this.#scanner.append(block.codes, block.scales));
    for (const key of block.keys) this.#keys.push(key);
    this.#change = Math.max(this.#change, block.change);
  }

  /** Best places, a unit once; asks for more places while too few units come of them. */
  best({ query, mask, limit }: { query: Float32Array; mask: Uint8Array; limit: number }): RankedUnit[] {
    for (let places = limit * PLACES_PER_UNIT; ; places *= 4) {
      const { indices, scores } = this.#scanner.scan({ query, mask, limit: places });
      const best = new Map<number, number>();
      for (const [at, index] of indices.entries()) {
        const key = this.#keys[index] ?? 0;
        if (!best.has(key)) best.set(key, scores[at] ?? 0);
        if (best.size === limit) break;
      }
      if (best.size === limit || indices.length < places) return Array.from(best, ([key, score]) => ({ key, score }));
    }
  }
}
