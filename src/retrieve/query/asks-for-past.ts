/** Whether a question is about how things were: only then may a memory answer that another one has replaced. */

import { wordsElsewhere } from "./words-elsewhere.ts";

/** `before` alone also orders steps ("before a deploy"); with a verb in the past it asks for what was. */
const PAST =
  /\b(?:previously|formerly|used to|originally|in the past|back then|history of|historically)\b|\b(?:did|was|were|had|used)\b.{1,100}\bbefore\b/i;
const PAST_OF_A_THING =
  /\b(?:previous|former|old|earlier) (?:\w+ )?(?:name|version|value|way|setting|choice|tool|database|framework|provider|topic|port|host|url|address|process|rule|limit)s?\b/i;
const isPastElsewhere = wordsElsewhere(
  "früher|vorher|damals|ehemals|auparavant|autrefois|avant|antes|anteriormente|antiguamente|раньше|прежде",
  "以前|之前|従来|이전|예전",
);

export function asksForPast(text: string): boolean {
  return PAST.test(text) || PAST_OF_A_THING.test(text) || isPastElsewhere(text);
}
