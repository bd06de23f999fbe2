/** Estimated tokens, where no tokenizer of the reader's model is at hand. */

/** English prose and code come to 3.5 – 4 characters a token with today's tokenizers; unspaced scripts to about one. */
export const CHARACTERS_PER_TOKEN = 3.6;
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

/** How many tokens a text will cost its reader, estimated. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}
