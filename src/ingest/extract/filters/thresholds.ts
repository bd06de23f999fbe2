/**
 * Cosines for the filters with all-MiniLM-L6-v2, fixed and cautious: where they are wrong, a fact is kept. Calibration on
 * labelled pairs, by the model's fingerprint, replaces them.
 */
import type { EmbedThresholds } from "../../stage-deps.ts";

export const MINILM_THRESHOLDS: EmbedThresholds = { generic: 0.78, duplicate: 0.92, trigger: 0.1 };
