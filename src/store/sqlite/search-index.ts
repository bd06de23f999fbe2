/** The searchers behind one door. Ids of projects are brought up to date here, so that a merge changes no caller. */
import type { Chunk } from "../../core/chunk.ts";
import { type MemoryId, memoryId } from "../../core/ids.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import type { RankedUnit, UnitKind } from "../../core/query.ts";
import type {
  CommonVector,
  FulltextTerm,
  MissingVector,
  NewVector,
  SearchIndex,
  SymbolHit,
  UnitFilter,
  VectorSlot,
} from "../store.ts";
import { type Connection, integer, listOf, text } from "./connection.ts";
import { Postings } from "./derived/postings.ts";
import {
  coverageOf,
  searchSymbols,
  searchTrigrams,
  searchWords,
  type TextSearchDeps,
  termFrequencies,
} from "./derived/text-index.ts";
import { UnitMasks } from "./derived/unit-masks.ts";
import { VectorIndex } from "./derived/vector-index.ts";
import {
  activateEmbedder,
  copyVectors,
  countMissing,
  dropInactiveEmbedders,
  insertVectors,
  listMissing,
  replaceActiveVectors,
} from "./derived/vector-store.ts";
import { chunksByKey } from "./tables/file-table.ts";
import { memoriesByKey } from "./tables/memory-rows.ts";
import { ProjectAliases } from "./tables/project-names.ts";

export class SqliteSearchIndex implements SearchIndex {
  readonly #db: Connection;
  readonly #masks: UnitMasks;
  readonly #vectors: VectorIndex;
  readonly #postings: Postings;
  readonly #aliases: ProjectAliases;
  /** As they are in force, by filter: the searchers of one query share one. */
  #filters = new WeakMap<UnitFilter, UnitFilter>();
  #filterStamp = -1;

  constructor(db: Connection) {
    this.#db = db;
    this.#masks = new UnitMasks(db);
    this.#postings = new Postings(db);
    this.#vectors = new VectorIndex(db, this.#masks);
    this.#aliases = new ProjectAliases(db);
  }

  async fulltext(terms: readonly FulltextTerm[], filter: UnitFilter, limit: number): Promise<RankedUnit[]> {
    return this.#ask(filter, (inForce) => searchWords(this.#text, terms, { filter: inForce, limit }));
  }

  async symbols(forms: readonly string[], filter: UnitFilter, limit: number): Promise<SymbolHit[]> {
    return this.#ask(filter, (inForce) => searchSymbols(this.#text, forms, { filter: inForce, limit }));
  }

  async trigrams(pieces: readonly string[], filter: UnitFilter, limit: number): Promise<RankedUnit[]> {
    return this.#ask(filter, (inForce) => searchTrigrams(this.#text, pieces, { filter: inForce, limit }));
  }

  // biome-ignore lint/complexity/useMaxParams: the contract's shape
  async vectors(query: Float32Array, slot: VectorSlot, filter: UnitFilter, limit: number): Promise<RankedUnit[]> {
    return this.#ask(filter, (inForce) => this.#vectors.search({ query, slot, filter: inForce, limit }));
  }

  async commonVector(slot: VectorSlot, unit: UnitKind): Promise<CommonVector | undefined> {
    return this.#vectors.common(slot, unit);
  }

  async documentFrequencies(
    terms: readonly FulltextTerm[],
    unit: UnitKind,
  ): Promise<{ readonly documents: number; readonly counts: readonly number[] }> {
    return this.#db.steady(() => {
      return { documents: this.#postings.documents(unit), counts: termFrequencies(this.#postings, terms, unit) };
    });
  }

  async coverage(
    terms: readonly FulltextTerm[],
    keys: readonly number[],
    unit: UnitKind,
  ): Promise<ReadonlyMap<number, number>> {
    return this.#db.steady(() => coverageOf(this.#postings, terms, { keys, unit }));
  }

  async memoriesByKey(keys: readonly number[]): Promise<ReadonlyMap<number, MemoryRecord>> {
    return keys.length === 0 ? new Map() : memoriesByKey(this.#db, keys);
  }

  async chunksByKey(keys: readonly number[]): Promise<ReadonlyMap<number, Chunk>> {
    return keys.length === 0 ? new Map() : chunksByKey(this.#db, keys);
  }

  async keysOfMemories(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, number>> {
    const rows = this.#db.all("SELECT id, key FROM memories WHERE id IN (SELECT value FROM json_each(?))", [
      listOf(ids),
    ]);
    return new Map(rows.map((row) => [memoryId(text(row, "id")), integer(row, "key")]));
  }

  async vectorsOf(
    keys: readonly number[],
    slot: VectorSlot,
    unit: UnitKind,
  ): Promise<ReadonlyMap<number, readonly Float32Array[]>> {
    return this.#vectors.vectorsOf(keys, slot, unit);
  }

  async activeFingerprint(): Promise<string | undefined> {
    return this.#vectors.fingerprint;
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    activateEmbedder(this.#db, fingerprint, dimensions);
  }

  async dropInactive(): Promise<void> {
    dropInactiveEmbedders(this.#db);
  }

  async replaceActive(name: string): Promise<void> {
    replaceActiveVectors(this.#db, name);
  }

  async missingVectors(fingerprint: string, limit: number): Promise<MissingVector[]> {
    return listMissing(this.#db, fingerprint, limit);
  }

  async countMissing(fingerprint: string): Promise<number> {
    return countMissing(this.#db, fingerprint);
  }

  async reuseVectors(fingerprint: string): Promise<number> {
    return copyVectors(this.#db, fingerprint);
  }

  async putVectors(fingerprint: string, vectors: readonly NewVector[]): Promise<void> {
    insertVectors(this.#db, fingerprint, vectors);
  }

  get #text(): TextSearchDeps {
    return { db: this.#db, postings: this.#postings, masks: this.#masks };
  }

  #ask<Answer>(filter: UnitFilter, search: (inForce: UnitFilter) => Answer): Answer {
    return this.#db.steady(() => search(this.#inForce(filter)));
  }

  #inForce(filter: UnitFilter): UnitFilter {
    const { units } = this.#db.stamps();
    if (units !== this.#filterStamp) this.#filters = new WeakMap();
    this.#filterStamp = units;
    const known = this.#filters.get(filter);
    if (known !== undefined) return known;
    const inForce = { ...filter, projects: this.#aliases.inForce(filter.projects) };
    this.#filters.set(filter, inForce);
    return inForce;
  }
}
