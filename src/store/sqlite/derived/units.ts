/** Numbers that stand for names in the derived tables. */
import type { UnitKind } from "../../../core/query.ts";
import type { VectorSlot } from "../../store.ts";

export const UNIT_CODES: Readonly<Record<UnitKind, number>> = { fact: 0, chunk: 1 };
/** In `vector_places`: a text that no unit has at the moment, and may have again. */
export const ASIDE_CODE = 2;
export const SLOT_CODES: Readonly<Record<VectorSlot, number>> = { trigger: 0, body: 1 };

export const unitOf = (code: number): UnitKind => (code === UNIT_CODES.chunk ? "chunk" : "fact");
export const slotOf = (code: number): VectorSlot => (code === SLOT_CODES.body ? "body" : "trigger");

/** Full-text tables of a kind of unit. */
export interface TextTables {
  readonly words: string;
  /** Every place of every word in `words`. */
  readonly terms: string;
  readonly columns: readonly string[];
  /** What a word in each column counts. */
  readonly weights: readonly number[];
  /** BM25's k1: how soon a word that comes again stops to count. */
  readonly saturation: number;
  /** BM25's b: how much a long text loses. Notes are short alike, pieces of files are not; set on development data. */
  readonly lengthShare: number;
  readonly trigrams: string;
}

export const TEXT_TABLES: Readonly<Record<UnitKind, TextTables>> = {
  fact: {
    words: "fact_words",
    terms: "fact_terms",
    columns: ["title", "when_to_use", "symbols", "content", "how_to_apply", "why"],
    weights: [4, 3, 3, 1.5, 1, 0.7],
    saturation: 1.2,
    lengthShare: 0.4,
    trigrams: "fact_trigrams",
  },
  chunk: {
    words: "chunk_words",
    terms: "chunk_terms",
    columns: ["headings", "symbols", "content"],
    weights: [2, 0.5, 1],
    saturation: 0.9,
    lengthShare: 0.6,
    trigrams: "chunk_trigrams",
  },
};

/** A text that is embedded for a unit, by its hash. */
export interface UnitText {
  readonly unit: number;
  readonly key: number;
  readonly slot: number;
  readonly hash: string;
}
