/** Likeness of texts by their words: canonical form, word shingles, Jaccard and containment. No model takes part. */

/** Broder 1997 used four words for web pages; notes of one or two sentences need three to share any. */
const SHINGLE_WORDS = 3;

const QUOTES = /[\u2018\u2019\u201a\u201b\u2032]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Punctuation that only structures a sentence. What carries meaning in code (`!=`, `%`, `#`, `/`, `-x`) stays. */
const STRUCTURE =
  /["“”„«»‹›`´()[\]{}…,;:?¿¡]+(?=\s|$)|(?<=^|\s)["“”„«»‹›`´()[\]{}…,;:?¿¡]+|["“”„«»‹›`´()[\]{}…]|[.!]+(?=\s|$)|(?<=^|\s)['-]+(?=\s|$)/gu;
const UNSPACED = /[\u2e80-\u2fff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;

/**
 * The form in which two texts are the same text: case folded, NFKC, sentence punctuation and white space folded. Stop
 * words stay, because `not` is one. Idempotent.
 */
export function canonicalText(text: string): string {
  let folded = foldOnce(text);
  for (let round = 0; round < 4; round += 1) {
    const again = foldOnce(folded);
    if (again === folded) break;
    folded = again;
  }
  return folded;
}

function foldOnce(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(QUOTES, "'")
    .replace(DASHES, "-")
    .replace(STRUCTURE, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Words of the canonical form; a character of an unspaced script is a word. */
export function canonicalWords(text: string): string[] {
  return canonicalText(text)
    .replace(UNSPACED, " $& ")
    .split(/\s+/u)
    .filter((word) => word !== "");
}

/** Every run of three words; a shorter text is one shingle. Empty for a text without words. */
export function wordShingles(text: string): ReadonlySet<string> {
  const words = canonicalWords(text);
  if (words.length === 0) return new Set();
  if (words.length <= SHINGLE_WORDS) return new Set([words.join(" ")]);
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at += 1) {
    shingles.add(words.slice(at, at + SHINGLE_WORDS).join(" "));
  }
  return shingles;
}

/** |a ∩ b| / |a ∪ b|, 0 … 1; two empty sets share nothing: 0. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b);
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

/** How much of `part` stands in `whole`, 0 … 1; an empty `part` gives 0. */
export function containment(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size === 0 ? 0 : sharedCount(part, whole) / part.size;
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const item of small) if (large.has(item)) shared += 1;
  return shared;
}
