/** Words of other languages than English in a text, without making a text in ASCII pay for all scripts. */
import { isAscii } from "../../text/ascii.ts";

/**
 * Tells whether a text holds any of the words, whatever their case; compiled when first asked.
 *
 * @param words - Source of a pattern, its alternatives without groups between; no letter may stand before or behind.
 * @param unspaced - The same for scripts without spaces, where words stand anywhere; none of them is in ASCII.
 */
export function wordsElsewhere(words: string, unspaced: string): (text: string) => boolean {
  let plain: RegExp | undefined;
  let all: RegExp | undefined;
  return (text) => {
    if (isAscii(text)) {
      plain ??= new RegExp(`(?<![a-z])(?:${words.split("|").filter(isAscii).join("|")})(?![a-z])`, "i");
      return plain.test(text);
    }
    all ??= new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})|${unspaced}`, "iu");
    return all.test(text);
  };
}
