/** Which texts have vectors, and putting them in: written after the canonical commit, never waited for. */
import type { MissingVector, NewVector } from "../../store.ts";
import { chunkTexts, factTexts, type SlotText } from "../../unit-texts.ts";
import { bytes, type Connection, integer, text } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { groupBy } from "../group-by.ts";
import { chunksByKey } from "../tables/file-table.ts";
import { memoriesByKey } from "../tables/memory-rows.ts";
import { projectNameOf } from "../tables/project-names.ts";
import { aroundChunk, indexChunk, indexMemory, textHash } from "./unit-index.ts";
import { ASIDE_CODE, SLOT_CODES, slotOf, UNIT_CODES, type UnitText, unitOf } from "./units.ts";
import { dropVectors, type PlacedVector, pack, placeOf, placeVectors } from "./vector-blocks.ts";

/** A branch's worth of pieces of files. */
const MAX_ASIDE = 2000;

const LACKING = `FROM unit_texts t WHERE NOT EXISTS (SELECT 1 FROM vector_places p WHERE p.unit = t.unit
  AND p.key = t.key AND p.slot = t.slot AND p.text_hash = t.text_hash AND p.embedder = ?)`;

const wantedOf = (row: SqlRow): UnitText => ({
  unit: integer(row, "unit"),
  key: integer(row, "key"),
  slot: integer(row, "slot"),
  hash: text(row, "text_hash"),
});

/** 0 for a fingerprint that never put a vector. */
export function embedderId(db: Connection, fingerprint: string): number {
  return integer(db.get("SELECT id FROM embedders WHERE fingerprint = ?", [fingerprint]), "id");
}

function ensureEmbedder(db: Connection, fingerprint: string, dimensions: number): number {
  const known = embedderId(db, fingerprint);
  if (known > 0) return known;
  return db.run("INSERT INTO embedders (fingerprint, dimensions, active) VALUES (?, ?, 0)", [fingerprint, dimensions])
    .lastKey;
}

/** Makes a model the one that serves. The one that served before is kept, in case of a way back; older ones go. */
export function activateEmbedder(db: Connection, fingerprint: string, dimensions: number): void {
  db.write(["vectors"], () => {
    const id = ensureEmbedder(db, fingerprint, dimensions);
    const before = integer(db.get("SELECT id FROM embedders WHERE active = 1"), "id");
    if (before === id) return;
    db.run("DELETE FROM embedders WHERE id NOT IN (?, ?)", [id, before]);
    db.run("UPDATE embedders SET active = (id = ?)", [id]);
  });
}

/** Their vectors go with them. */
export function dropInactiveEmbedders(db: Connection): void {
  if (db.get("SELECT 1 FROM embedders WHERE active = 0") === undefined) return;
  db.write(["vectors"], () => db.run("DELETE FROM embedders WHERE active = 0"));
}

/** Does nothing where nothing was put under the name. */
export function replaceActiveVectors(db: Connection, name: string): void {
  db.write(["vectors"], () => {
    const made = embedderId(db, name);
    const served = db.get("SELECT fingerprint FROM embedders WHERE active = 1 AND id <> ?", [made]);
    if (made === 0 || served === undefined) return;
    db.run("DELETE FROM embedders WHERE active = 1");
    db.run("UPDATE embedders SET fingerprint = ?, active = 1 WHERE id = ?", [text(served, "fingerprint"), made]);
  });
}

/** Every place of a unit has its text, so the difference is what is missing: two counts instead of a comparison. */
function missingByUnit(db: Connection, embedder: number): ReadonlyMap<number, number> {
  const texts = db.all("SELECT unit, count(*) AS found FROM unit_texts GROUP BY unit");
  const places = db.all("SELECT unit, count(*) AS found FROM vector_places WHERE embedder = ? GROUP BY unit", [
    embedder,
  ]);
  const placed = new Map(places.map((row) => [integer(row, "unit"), integer(row, "found")]));
  return new Map(
    texts.map((row) => {
      const unit = integer(row, "unit");
      return [unit, integer(row, "found") - (placed.get(unit) ?? 0)];
    }),
  );
}

export function countMissing(db: Connection, fingerprint: string): number {
  return [...missingByUnit(db, embedderId(db, fingerprint)).values()].reduce((sum, count) => sum + count, 0);
}

export function listMissing(db: Connection, fingerprint: string, limit: number): MissingVector[] {
  const { found, outdated } = readMissing(db, fingerprint, limit);
  if (outdated.length === 0) return found;
  db.write([], () => {
    for (const { unit, key } of outdated) renewTexts(db, unit, key);
  });
  return readMissing(db, fingerprint, limit).found;
}

/** Newest units first: what is missing is most often what came last, and the search ends when all of it is found. */
function wantedTexts(db: Connection, embedder: number, limit: number): UnitText[] {
  const wanted: UnitText[] = [];
  for (const [unit, missing] of missingByUnit(db, embedder)) {
    const most = Math.min(missing, limit - wanted.length);
    if (most <= 0) continue;
    const rows = db.all(
      `SELECT t.unit, t.key, t.slot, t.text_hash ${LACKING} AND t.unit = ? ORDER BY t.key DESC LIMIT ?`,
      [embedder, unit, most],
    );
    wanted.push(...rows.map(wantedOf));
  }
  return wanted;
}

/** A hash that no text of its unit has: an older version of ArcticMem made other texts of it. */
function readMissing(
  db: Connection,
  fingerprint: string,
  limit: number,
): { readonly found: MissingVector[]; readonly outdated: readonly UnitText[] } {
  const wanted = wantedTexts(db, embedderId(db, fingerprint), limit);
  const texts = textsOf(db, wanted);
  const found: MissingVector[] = [];
  const outdated: UnitText[] = [];
  for (const entry of wanted) {
    const { unit, key, slot, hash } = entry;
    const wantedText = texts.get(`${unit}/${key}/${slot}/${hash}`);
    if (wantedText === undefined) outdated.push(entry);
    else found.push({ ...wantedText, unit: unitOf(unit), key, slot: slotOf(slot) });
  }
  return { found, outdated };
}

function renewTexts(db: Connection, unit: number, key: number): void {
  const chunk = unit === UNIT_CODES.chunk ? chunksByKey(db, [key]).get(key) : undefined;
  const memory = unit === UNIT_CODES.fact ? memoriesByKey(db, [key]).get(key) : undefined;
  if (chunk !== undefined) indexChunk(db, key, chunk);
  if (memory !== undefined) indexMemory(db, key, memory);
}

/** Only hashes are kept; the texts are made again from the canonical rows. */
function textsOf(db: Connection, wanted: readonly UnitText[]): ReadonlyMap<string, SlotText> {
  const texts = new Map<string, SlotText>();
  const add = (unit: number, key: number, entries: readonly SlotText[]): void => {
    for (const entry of entries) texts.set(`${unit}/${key}/${SLOT_CODES[entry.slot]}/${textHash(entry)}`, entry);
  };
  const keysOf = (unit: number): number[] => [
    ...new Set(wanted.filter((entry) => entry.unit === unit).map(({ key }) => key)),
  ];
  for (const [key, memory] of memoriesByKey(db, keysOf(UNIT_CODES.fact))) {
    add(UNIT_CODES.fact, key, factTexts(memory, projectNameOf(db, memory.scope)));
  }
  for (const [key, chunk] of chunksByKey(db, keysOf(UNIT_CODES.chunk))) {
    add(UNIT_CODES.chunk, key, chunkTexts(chunk, aroundChunk(db, key)));
  }
  return texts;
}

/** A text that changed or went while its vector was made is left out. */
export function insertVectors(db: Connection, fingerprint: string, vectors: readonly NewVector[]): void {
  if (vectors.length === 0) return;
  db.write(["vectors"], () => {
    const embedder = ensureEmbedder(db, fingerprint, vectors[0]?.vector.length ?? 0);
    const entries = vectors.map(({ unit, key, slot, vector, ...content }) => ({
      wanted: { unit: UNIT_CODES[unit], key, slot: SLOT_CODES[slot], hash: textHash(content) },
      vector: pack(key, vector),
    }));
    placeAll(
      db,
      embedder,
      entries.filter(({ wanted }) => isLacking(db, embedder, wanted)),
    );
  });
}

function isLacking(db: Connection, embedder: number, { unit, key, slot, hash }: UnitText): boolean {
  const row = db.get(`SELECT 1 ${LACKING} AND t.unit = ? AND t.key = ? AND t.slot = ? AND t.text_hash = ?`, [
    embedder,
    unit,
    key,
    slot,
    hash,
  ]);
  return row !== undefined;
}

interface PlacedEntry {
  readonly wanted: UnitText;
  readonly vector: PlacedVector;
}

function placeAll(db: Connection, embedder: number, entries: readonly PlacedEntry[]): void {
  const shelves = groupBy(entries, (entry) => [`${entry.wanted.unit}/${entry.wanted.slot}`, entry]);
  for (const group of shelves.values()) {
    const { unit, slot } = group[0]?.wanted ?? { unit: 0, slot: 0 };
    const places = placeVectors(
      db,
      { embedder, unit, slot },
      group.map(({ vector }) => vector),
    );
    for (const [at, { wanted }] of group.entries()) {
      db.run(
        `INSERT INTO vector_places (unit, key, slot, text_hash, embedder, block, place) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        [unit, wanted.key, slot, wanted.hash, embedder, places[at]?.block ?? 0, places[at]?.place ?? 0],
      );
    }
  }
}

/** Gives units the vectors of equal texts of other units. @returns How many texts need no embedding any more. */
export function copyVectors(db: Connection, fingerprint: string): number {
  const embedder = embedderId(db, fingerprint);
  if (embedder === 0 || countMissing(db, fingerprint) === 0) return 0;
  return db.write(["vectors"], () => {
    const rows = db.all(
      `SELECT t.unit, t.key, t.slot, t.text_hash, min(q.block * 1024 + q.place) AS source FROM unit_texts t
       JOIN vector_places q ON q.embedder = ?1 AND q.text_hash = t.text_hash
       WHERE NOT EXISTS (SELECT 1 FROM vector_places p WHERE p.unit = t.unit AND p.key = t.key AND p.slot = t.slot
         AND p.text_hash = t.text_hash AND p.embedder = ?1)
       GROUP BY t.unit, t.key, t.slot, t.text_hash`,
      [embedder],
    );
    const entries = rows.map((row) => {
      const source = integer(row, "source");
      const vector = readVector(db, {
        block: Math.floor(source / 1024),
        place: source % 1024,
        key: integer(row, "key"),
      });
      return { wanted: wantedOf(row), vector };
    });
    placeAll(db, embedder, entries);
    dropOldAside(db);
    return entries.length;
  });
}

/** Of the vectors that were set aside the newest stay. */
function dropOldAside(db: Connection): void {
  const rows = db.all(
    "SELECT key, block, place FROM vector_places WHERE unit = ? ORDER BY key DESC LIMIT -1 OFFSET ?",
    [ASIDE_CODE, MAX_ASIDE],
  );
  dropVectors(db, rows.map(placeOf));
  for (const row of rows) {
    db.run("DELETE FROM vector_places WHERE unit = ? AND key = ?", [ASIDE_CODE, integer(row, "key")]);
  }
}

function readVector(
  db: Connection,
  { block, place, key }: { block: number; place: number; key: number },
): PlacedVector {
  const row = db.get(
    `SELECT substr(b.scales, ?1 * 4 + 1, 4) AS scale, substr(b.codes, ?1 * e.dimensions + 1, e.dimensions) AS code
     FROM vector_blocks b JOIN embedders e ON e.id = b.embedder WHERE b.id = ?2`,
    [place, block],
  );
  const scale = new Float32Array(bytes(row, "scale"))[0] ?? 0;
  return { key, scale, code: new Int8Array(bytes(row, "code")) };
}
