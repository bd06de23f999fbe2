/**
 * A guard beside the claim sets: two texts of one frame in which words were exchanged (`old` for `new`, `the vet` for
 * `the owner`) or changed places are two claims, though every vector holds them for one. Synonyms look the same to it:
 * whoever asks must be able to bear that a difference is seen where there is none.
 */
import { canonicalWords } from "../shingles.ts";
import { queryTerms } from "../words.ts";

/** Share of the longer text's telling words that both have: from here on it is one frame. */
const ONE_FRAME = 0.5;

/** Whether one text is the other with telling words exchanged, or in another order. */
export function swapsWords(a: string, b: string): boolean {
  const [ours, theirs] = [tellingWords(a), tellingWords(b)];
  const onlyOurs = ours.filter((word) => !theirs.includes(word));
  const onlyTheirs = theirs.filter((word) => !ours.includes(word));
  if (onlyOurs.length === 0 && onlyTheirs.length === 0) return ours.join(" ") !== theirs.join(" ");
  if (onlyOurs.length === 0 || onlyTheirs.length === 0) return false;
  return (ours.length - onlyOurs.length) / Math.max(ours.length, theirs.length) >= ONE_FRAME;
}

/** In order, without endings; single letters count, since names may be one. */
function tellingWords(text: string): string[] {
  return canonicalWords(text).flatMap((word) => (FUNCTION.has(word) ? [] : queryTerms(word)));
}

/** Words that may stand anywhere in a sentence without telling anything. */
const FUNCTION: ReadonlySet<string> = new Set(
  "a an and are as at be been but by do does for from has have if in into is it its of on or so that the their then there this to up was were when where which will with you your we our they".split(
    " ",
  ),
);
