/** Thresholds of the lifecycle. Where one is wrong, a memory is kept that could have been merged. */
import type { CalibratedCosines } from "../../core/findings/calibration.ts";

export type LifecycleCosines = Pick<CalibratedCosines, "duplicate" | "covered" | "contradicted">;

/** Cautious for all-MiniLM-L6-v2; the calibration of the model in use stands in for them where there is one. */
export const LIFECYCLE_COSINES: LifecycleCosines = { duplicate: 0.92, covered: 0.55, contradicted: 0.5 };

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
