/**
 * Sentences of one frame: `the date format is A`, `date format: B`. Of some things there is one at a time, whatever it is
 * called, so that no list need know the values.
 */

/** A thing of which a project has one. */
const ONE_AT_A_TIME =
  /\b(?:default|format|theme|strategy|language|encoding|separator|delimiter|currency|time ?zone|library|framework|engine|provider|protocol|standard|scheme|algorithm|bucket|region|channel|broker|registry|domain|prefix|suffix|namespace|locale|font|license|convention|tracker|platform|tool|model)\b|\b(?:written|formatted) as\b/i;
const FRAME =
  /^(?<what>[^,:]{3,60}?)\s*(?::|\b(?:is|are|=))\s+(?:(?:the|an?|always|set to|named|called|written as)\s+)*[`"']?(?<value>[\w@#$/.*+-]*[\w*+])[`"']?(?:\s+(?:everywhere|by default|here|only|in all \w+))?[.!]?$/i;
/** A plain word may praise or blame (`the format is ugly`): only what looks like a name is a value. */
const NAME = /[A-Z\d_@#$/.*+-]/;

export interface Frame {
  readonly what: string;
  readonly value: string;
}

export function frameOf(statement: string): Frame | undefined {
  const { what, value } = FRAME.exec(statement)?.groups ?? {};
  if (what === undefined || value === undefined || !ONE_AT_A_TIME.test(statement) || !NAME.test(value))
    return undefined;
  return { what, value };
}
