/** The form of what the rules listen for in one language. */

/** All patterns are tried on one sentence; those with a group `claim` say which part of it is the statement. */
export interface RuleLexicon {
  /** Words at the head of a sentence that say nothing: `ok`, `no`, `actually`. */
  readonly interjections: RegExp;
  /** What only says that something was said before. */
  readonly restated: RegExp;
  /** X1: an explicit request to remember. */
  readonly remember: readonly RegExp[];
  /** The same in a short message; in a long one, of a report as a rule, it only structures the text. */
  readonly noted: readonly RegExp[];
  /** Sentences with a cue of X1 that ask for nothing. */
  readonly notRemember: RegExp;
  /** X2: a rule that is to hold from now on. */
  readonly standing: readonly RegExp[];
  /** X2, but not in the message that sets the task: there it says what to build. */
  readonly general: readonly RegExp[];
  /** X3: how a person who stops the agent begins. */
  readonly correction: RegExp;
  /** Beginnings that only look like that. */
  readonly notCorrection: RegExp;
  /** X7: a decision. */
  readonly decision: readonly RegExp[];
  /** Head of the part of a sentence that gives a reason. */
  readonly reason: RegExp;
  /** X6: what a link may lead to. */
  readonly places: RegExp;
  /** Holds for this moment only. */
  readonly passing: RegExp;
  /** Reports how the work stands, which the next change makes untrue. */
  readonly status: RegExp;
  /** Verbs of a sentence that says how things are. */
  readonly statement: RegExp;
  /** A request to do something now, not a statement. */
  readonly request: RegExp;
  /** Forbids rather than asks for. */
  readonly forbids: RegExp;
  /** How the user likes things, rather than how they are. */
  readonly preference: RegExp;
  /** Holds beyond this project. */
  readonly everywhere: RegExp;
}
