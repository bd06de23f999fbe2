/**
 * Thresholds on cosines between a fact and a memory. A cosine means something else for each embedding model; these are
 * fixed and cautious for all-MiniLM-L6-v2: where they are wrong, a memory is kept that could have been merged. The
 * calibration of retrieval (per fingerprint, on labelled pairs) will replace them; nothing else in ingestion holds one.
 */

/** From here on two facts of one type with equal numbers, negations and names are the same fact. */
export const DUPLICATE_COSINE = 0.92;
/** Below this (and without shared words or names) "the target already says it" is not believed. */
export const COVERED_COSINE = 0.55;
/** Below this (and without shared names or slot) a fact can't have disproved a memory. */
export const CONTRADICTED_COSINE = 0.5;

/** Shares of three-word shingles (Jaccard) for the same decisions, where no vector is at hand. */
export const DUPLICATE_SHINGLES = 0.9;
export const COVERED_SHINGLES = 0.3;

/** Least share of the target's length that a merged text keeps. */
export const KEPT_LENGTH = 0.6;
/** A fact less sure than this removes nothing. */
export const DELETE_CONFIDENCE = 0.6;
/** A shorter reason is none. */
export const REASON_CHARACTERS = 12;
/** Share of the active memories of a scope that one run may supersede, beside the profile's own cap. */
export const DELETE_SHARE = 0.1;
