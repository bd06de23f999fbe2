/**
 * What the cosines of one embedding model mean: from where on two texts are the same, on one matter, or worth showing.
 * Measured on labelled pairs for each model, since the same number means something else for each.
 */
export interface Calibration {
  /** Of the model. */
  readonly fingerprint: string;
  /** Hash of the pairs that it was measured on. */
  readonly pairs: string;
  readonly cosines: CalibratedCosines;
}

export interface CalibratedCosines {
  /** From here on two facts that agree in numbers, negations and names are one. */
  readonly duplicate: number;
  /** Below this "the target already says it" is not believed without shared words or names. */
  readonly covered: number;
  /** Below this a fact can't have disproved a memory, unless names or a slot say otherwise. */
  readonly contradicted: number;
  /** From here on two memories say nearly the same and belong into one group. */
  readonly cluster: number;
  /** Below this a situation has nothing to do with its fact. */
  readonly situation: number;
  /** From here on a fact says what every model knows. */
  readonly generic: number;
  /** What a query must reach with the nearest trigger, or with the body, for a memory to be worth showing. */
  readonly shownByTrigger: number;
  readonly shownByBody: number;
}

/** For a model that nobody has measured: at these only near copies are acted upon. */
export const CAUTIOUS_COSINES: CalibratedCosines = {
  duplicate: 0.97,
  covered: 0.6,
  contradicted: 0.55,
  cluster: 0.95,
  situation: 0.1,
  generic: 0.95,
  shownByTrigger: 0.6,
  shownByBody: 0.6,
};

/** How well the thresholds part the pairs that they were measured on. */
export interface CalibrationReport {
  readonly calibration: Calibration;
  /** Share of paraphrases that are taken for duplicates without a model, after the guards. */
  readonly duplicateRecall: number;
  /** Near-misses that the guards do not see. */
  readonly unguardedNearMisses: number;
  /** Share of queries with an answer that show it, and of unrelated ones that show nothing. */
  readonly shownAnswers: number;
  readonly hiddenUnrelated: number;
  /** Whether it was written to the store. */
  readonly saved: boolean;
}
