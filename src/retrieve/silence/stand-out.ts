/**
 * Whether anything found stands out. To a question that no memory answers, ten of them are about equally near; the one
 * that answers is ahead of them. A single cosine does not tell these apart, since some subjects are near to everything.
 */

/** What a searcher's raw scores say of one unit. */
export interface Nearness {
  /** Best cosine with the query. */
  readonly likeness: number;
  /** Share of the query's idf mass that its text covers, 0 … 1. */
  readonly coverage: number;
}

/** How much shared words count beside meaning. */
const WORDS_COUNT = 0.5;
/** Those it has to be ahead of: the second to the tenth. */
const RIVALS = 9;
/** Being near counts a little by itself: a few notes on one subject are rivals and answers at once. */
const NEARNESS_COUNTS = 0.2;

/** How far the nearest is ahead of the next ones, plus a little for how near it is. 0 where there is nothing. */
export function standing(units: readonly Nearness[]): number {
  const [best = 0, ...rest] = units
    .map(({ likeness, coverage }) => likeness + WORDS_COUNT * coverage)
    .sort((a, b) => b - a);
  const rivals = rest.slice(0, RIVALS);
  const level = rivals.length === 0 ? 0 : rivals.reduce((sum, one) => sum + one, 0) / rivals.length;
  return best - level + NEARNESS_COUNTS * best;
}

const QUESTION_MARK = /[?？؟]\s*$/u;
/** English complete; of others the words that open most questions. */
const QUESTION_WORD =
  /^\s*(?:how|what|which|who|whom|whose|where|when|why|is|are|do|does|did|can|could|may|should|must|will|was|were|has|have|wie|was|welche[nrsm]?|wer|wo|wann|warum|comment|quel(?:le)?s?|qui|où|quand|pourquoi|qué|cuál(?:es)?|quién|dónde|cuándo|cómo|qual|quais|quem|onde|quando|como|какой|какая|какие|кто|где|когда|почему|как)(?![\p{L}\p{N}])/iu;
/** Asks for several things: those that are equally near are its answers. English. */
const BROAD =
  /\b(?:all|every|each|both|different(?:ly)?|differences?|differ|compare[ds]?|overview|summar(?:y|ise|ize)|describe|list|whole|entire|full|stack|architecture|conventions|practices|patterns|principles|rules|guidelines|decisions|preferences|lessons|everything|anything)\b/i;

/**
 * Whether a text asks for one thing: it has an answer or it has none. To a situation, a few words or a broad question,
 * memories are only more or less alike.
 */
export function asksForOne(text: string): boolean {
  return (QUESTION_MARK.test(text) || QUESTION_WORD.test(text)) && !asksForSeveral(text);
}

export function asksForSeveral(text: string): boolean {
  return BROAD.test(text);
}
