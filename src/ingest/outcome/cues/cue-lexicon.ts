/**
 * The shape of a locale's cues: how people accept, correct and give up, and what turns a cue round. English is complete;
 * a session in another language is judged by its tools more than by its words.
 */

export interface CueLexicon {
  /** Regular expressions without flags; matched at word boundaries, case ignored. `^` is the start of the message. */
  readonly acceptance: readonly string[];
  readonly correction: readonly string[];
  /** Weak ones: they count only in a message that accepts nothing. */
  readonly objection: readonly string[];
  readonly resignation: readonly string[];
  /** Asks that changes be thrown away. */
  readonly revert: readonly string[];
  /** The assistant says that it could not finish. */
  readonly admission: readonly string[];
  /** The assistant says that it is done: told in the run's record, and worth nothing. */
  readonly completion: readonly string[];
  /** Holds for all projects. */
  readonly everywhere: readonly string[];
  /** Words that deny a cue when they stand close by. */
  readonly negation: readonly string[];
  /** Words that make a cue a wish or a condition. */
  readonly condition: readonly string[];
}
