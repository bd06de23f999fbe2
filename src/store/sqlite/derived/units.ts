/** Numbers that stand for names in the derived tables. */
import type { UnitKind } from "../../../core/query.ts";
import type { VectorSlot } from "../../store.ts";

export const UNIT_CODES: Readonly<Record<UnitKind, number>> = { fact: 0, chunk: 1 };
export const SLOT_CODES: Readonly<Record<VectorSlot, number>> = { trigger: 0, body: 1 };

export const unitOf = (code: number): UnitKind => (code === UNIT_CODES.chunk ? "chunk" : "fact");
export const slotOf = (code: number): VectorSlot => (code === SLOT_CODES.body ? "body" : "trigger");

/** Names of a kind's full-text tables. */
export interface TextTables {
  readonly words: string;
  readonly terms: string;
  readonly trigrams: string;
  /** BM25 weights of the columns of `words`, in their order. */
  readonly weights: readonly number[];
}

export const TEXT_TABLES: Readonly<Record<UnitKind, TextTables>> = {
  // Title, when to use, symbols, content, how to apply, why.
  fact: { words: "fact_words", terms: "fact_terms", trigrams: "fact_trigrams", weights: [4, 3, 3, 1.5, 1, 0.7] },
  // Headings, symbols, content.
  chunk: { words: "chunk_words", terms: "chunk_terms", trigrams: "chunk_trigrams", weights: [2, 1.5, 1] },
};
