/**
 * Vectors on disk: blocks of 128, so that a process that has just started reads 10,000 memories' vectors as some
 * hundred rows. A block's parallel columns hold the unit's key (0: free, -1: set aside), the scale and the int8 codes of each place.
 */
import { quantise } from "../../../kernel/quantise.ts";
import { bytes, type Connection, integer, signedBytes } from "../connection.ts";
import type { SqlRow } from "../driver.ts";

export const BLOCK_PLACES = 128;
/** In place of a key: the vector of a text that no unit has at the moment. */
const ASIDE = -1;

export interface VectorPlace {
  readonly block: number;
  readonly place: number;
}

export const placeOf = (row: SqlRow): VectorPlace => ({ block: integer(row, "block"), place: integer(row, "place") });

/** The vectors that are searched together: one model, one kind of unit, one slot. */
export interface Shelf {
  readonly embedder: number;
  readonly unit: number;
  readonly slot: number;
}

export interface StoredBlock {
  readonly id: number;
  readonly change: number;
  readonly keys: Int32Array;
  readonly scales: Float32Array;
  readonly codes: Int8Array;
}

export interface PlacedVector {
  readonly key: number;
  readonly scale: number;
  readonly code: Int8Array;
}

/** Blocks that changed after `change`, in the order of their making. */
export function readBlocks(db: Connection, { embedder, unit, slot }: Shelf, change: number): StoredBlock[] {
  const rows = db.all(
    `SELECT id, change, keys, scales, codes FROM vector_blocks
     WHERE embedder = ? AND unit = ? AND slot = ? AND change > ? ORDER BY id`,
    [embedder, unit, slot, change],
  );
  return rows.map(blockOf);
}

function readBlock(db: Connection, id: number): StoredBlock | undefined {
  const row = db.get("SELECT id, change, keys, scales, codes FROM vector_blocks WHERE id = ?", [id]);
  return row === undefined ? undefined : blockOf(row);
}

function blockOf(row: SqlRow): StoredBlock {
  return {
    id: integer(row, "id"),
    change: integer(row, "change"),
    keys: new Int32Array(bytes(row, "keys")),
    scales: new Float32Array(bytes(row, "scales")),
    codes: signedBytes(row, "codes"),
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Moves with every change of any block; blocks with a higher number are newer. */
function nextChange(db: Connection): number {
  return integer(db.get("SELECT max(change) AS latest FROM vector_blocks"), "latest") + 1;
}

/** Writes vectors into free places, into new blocks where there are none. @returns Their places, in the same order. */
export function placeVectors(db: Connection, shelf: Shelf, vectors: readonly PlacedVector[]): VectorPlace[] {
  const dimensions = vectors[0]?.code.length ?? 0;
  db.noteMoved("vectors");
  const change = nextChange(db);
  const places: VectorPlace[] = [];
  for (const block of openBlocks(db, shelf)) {
    if (places.length === vectors.length) return places;
    const filled = fill(block, vectors.slice(places.length));
    places.push(...filled.map((place) => ({ block: block.id, place })));
    writeBlock(db, block, change);
  }
  while (places.length < vectors.length) {
    const block = emptyBlock(dimensions);
    const filled = fill(block, vectors.slice(places.length));
    const id = insertBlock(db, { shelf, block, change });
    places.push(...filled.map((place) => ({ block: id, place })));
  }
  return places;
}

function openBlocks(db: Connection, { embedder, unit, slot }: Shelf): StoredBlock[] {
  const rows = db.all(
    `SELECT id, change, keys, scales, codes FROM vector_blocks
     WHERE embedder = ? AND unit = ? AND slot = ? AND live < ${BLOCK_PLACES} ORDER BY live, id LIMIT 4`,
    [embedder, unit, slot],
  );
  return rows.map(blockOf);
}

function emptyBlock(dimensions: number): StoredBlock {
  return {
    id: 0,
    change: 0,
    keys: new Int32Array(BLOCK_PLACES),
    scales: new Float32Array(BLOCK_PLACES),
    codes: new Int8Array(BLOCK_PLACES * dimensions),
  };
}

function fill({ keys, scales, codes }: StoredBlock, vectors: readonly PlacedVector[]): number[] {
  const dimensions = codes.length / BLOCK_PLACES;
  const places: number[] = [];
  for (let place = 0; place < BLOCK_PLACES && places.length < vectors.length; place += 1) {
    const vector = vectors[places.length];
    if (keys[place] !== 0 || vector === undefined) continue;
    keys[place] = vector.key;
    scales[place] = vector.scale;
    codes.set(vector.code, place * dimensions);
    places.push(place);
  }
  return places;
}

const liveIn = (keys: Int32Array): number => keys.reduce((count, key) => (key === 0 ? count : count + 1), 0);

function writeBlock(db: Connection, { id, keys, scales, codes }: StoredBlock, change: number): void {
  const values = [change, liveIn(keys), bytesOf(keys), bytesOf(scales), bytesOf(codes), id];
  db.run("UPDATE vector_blocks SET change = ?, live = ?, keys = ?, scales = ?, codes = ? WHERE id = ?", values);
}

interface NewBlock {
  readonly shelf: Shelf;
  readonly block: StoredBlock;
  readonly change: number;
}

function insertBlock(db: Connection, { shelf, block, change }: NewBlock): number {
  const { keys, scales, codes } = block;
  return db.run(
    `INSERT INTO vector_blocks (embedder, unit, slot, change, live, keys, scales, codes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [shelf.embedder, shelf.unit, shelf.slot, change, liveIn(keys), bytesOf(keys), bytesOf(scales), bytesOf(codes)],
  ).lastKey;
}

/** Frees places and overwrites what stood there. */
export function dropVectors(db: Connection, places: readonly VectorPlace[]): void {
  editPlaces(db, places, ({ keys, scales, codes }, place) => {
    const dimensions = codes.length / BLOCK_PLACES;
    keys[place] = 0;
    scales[place] = 0;
    codes.fill(0, place * dimensions, (place + 1) * dimensions);
  });
}

/** Takes vectors out of every search and leaves them where they are, for the same text to be found again. */
export function setVectorsAside(db: Connection, places: readonly VectorPlace[]): void {
  editPlaces(db, places, ({ keys }, place) => {
    keys[place] = ASIDE;
  });
}

function editPlaces(
  db: Connection,
  places: readonly VectorPlace[],
  edit: (block: StoredBlock, place: number) => void,
): void {
  if (places.length === 0) return;
  db.noteMoved("vectors");
  const change = nextChange(db);
  for (const id of new Set(places.map(({ block }) => block))) {
    const block = readBlock(db, id);
    if (block === undefined) continue;
    for (const { place } of places.filter((entry) => entry.block === id)) edit(block, place);
    writeBlock(db, block, change);
  }
}

/** A vector as it is kept. */
export function pack(key: number, vector: Float32Array): PlacedVector {
  return { key, ...quantise(vector) };
}
