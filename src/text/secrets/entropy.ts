/** Whether a string is random: the last resort against secrets that neither shape nor name gives away. */

/** Bits a character, of alphabets with 64 and 16 characters; the limits that secret scanners have settled on. */
const MIXED_BITS = 4;
const HEX_BITS = 3;
const MIN_CHARACTERS = 20;
/** A git object's name: 40 hexadecimal digits, abbreviated or not. */
const GIT_NAME = /^[0-9a-f]{7,40}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INTEGRITY = /^sha(?:1|256|384|512)-/;

/** True for 20 characters and more of high entropy that are no git name, UUID, integrity value, path or word list. */
export function looksRandom(value: string): boolean {
  if (value.length < MIN_CHARACTERS || GIT_NAME.test(value) || UUID.test(value) || INTEGRITY.test(value)) return false;
  if (/^[0-9a-f]+$/i.test(value)) return /[a-f]/i.test(value) && /\d/.test(value) && entropyBits(value) > HEX_BITS;
  if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value) || isMadeOfWords(value)) return false;
  return entropyBits(value) > MIXED_BITS;
}

/** Paths and identifiers: most of their characters stand in runs of letters of one case, four and longer. */
function isMadeOfWords(value: string): boolean {
  const words = value.match(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g) ?? [];
  return words.join("").length > value.length * 0.6;
}

/** Shannon entropy in bits a character. */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
