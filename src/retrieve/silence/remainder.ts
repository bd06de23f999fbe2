/**
 * What a question asks beyond the words that it shares with a note. `Which supplier leases the vans?` is near to every note
 * on vans; whether one answers it shows in what is left, `supplier leases`.
 */
import { indexTokens, queryTerms } from "../../text/words.ts";

const WORD = /[^\s,.;:()[\]{}"'`?!]+/g;
/** Asks when or how much, or does what any thing may do: a note that answers seldom says it in this word. */
const IDLE =
  /^(?:current|currently|now|nowadays|today|latest|newest|recent|recently|many|much|often|long|use[ds]?|using|have|has|get|gets|got|make|makes|must|may|might|run|runs|work|works|handle[ds]?|listens?)$/i;

/** A text's words as the index holds them: what `queryTerms` makes of a word is looked up in it. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(indexTokens(text).split(" "));
}

/**
 * The question's telling words that none of the texts has, as they stand, each once.
 *
 * @param telling - The question's words as the index holds them, without those that every text shares.
 */
export function remainder(
  question: string,
  telling: ReadonlySet<string>,
  had: readonly ReadonlySet<string>[],
): string[] {
  const words = (question.match(WORD) ?? []).filter((word) => {
    const terms = queryTerms(word);
    const tells = terms.some((term) => telling.has(term)) && !IDLE.test(word);
    return tells && !terms.some((term) => had.some((text) => text.has(term)));
  });
  return [...new Set(words)];
}
