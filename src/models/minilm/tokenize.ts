/**
 * WordPiece, as the model was trained with it: clean, split Chinese characters, strip accents, lower
 * case, split at space and punctuation, then longest match first against the vocabulary.
 *
 * The vocabulary is used as it lies in the model file, an open-addressing hash table over UTF-8:
 * nothing is built at start. A literal "[MASK]" or "[SEP]" in a text is plain text here.
 */

/** Ids of the special tokens. */
const UNKNOWN = 100;
const CLASSIFY = 101;
const SEPARATE = 102;

/** Longer words are unknown, as in the reference tokenizer. Unicode characters. */
const MAX_WORD_CHARACTERS = 100;
/** Of a word so long, in UTF-8. */
const MAX_WORD_BYTES = MAX_WORD_CHARACTERS * 4;

const SLOTS = 65_536;
const HASH_SEED = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
/** State of the hash after "##", with which the pieces inside a word begin in the vocabulary. */
const HASH_INSIDE = hashByte(hashByte(HASH_SEED, 0x23), 0x23);

const NOT_PLAIN = /[^\t\n\r -~]/;
const PLAIN_WORDS = /[!-/:-@[-`{-~]|[a-z0-9]+/g;
const WORDS = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const DROPPED = /\uFFFD|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ACCENTS = /\p{Mn}/gu;
const CHINESE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;

function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, HASH_PRIME);
}

/** Words and single punctuation marks, lower case and without accents. */
function splitWords(text: string): readonly string[] {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORDS) ?? [];
  const cleaned = text.replace(DROPPED, "").replace(CHINESE, " $& ").normalize("NFD").replace(ACCENTS, "");
  // The reference lowers character by character; JavaScript gives a final sigma another form.
  return cleaned.replaceAll("Σ", "σ").toLowerCase().match(WORDS) ?? [];
}

export class Tokenizer {
  readonly #slots: Uint16Array;
  readonly #offsets: Uint32Array;
  readonly #tokens: Uint8Array;
  readonly #word = new Uint8Array(MAX_WORD_BYTES);
  readonly #hashes = new Int32Array(MAX_WORD_BYTES);
  readonly #encoder = new TextEncoder();

  /** @param vocabulary - The model file's vocabulary section: table, offsets, bytes. */
  constructor(vocabulary: ArrayBuffer, size: number) {
    this.#slots = new Uint16Array(vocabulary, 0, SLOTS);
    this.#offsets = new Uint32Array(vocabulary, SLOTS * 2, size + 1);
    this.#tokens = new Uint8Array(vocabulary, SLOTS * 2 + (size + 1) * 4);
  }

  /**
   * Token ids of `text`, with the special ones before and behind.
   *
   * @param limit - Most ids, the special ones included; what does not fit is cut.
   */
  encode(text: string, limit: number): number[] {
    const ids = [CLASSIFY];
    for (const word of splitWords(text)) {
      if (ids.length >= limit - 1) break;
      this.#addPieces(word, ids);
    }
    if (ids.length > limit - 1) ids.length = limit - 1;
    ids.push(SEPARATE);
    return ids;
  }

  /** Appends the ids of one word's pieces; one unknown token if any part of it is in no piece. */
  #addPieces(word: string, ids: number[]): void {
    const { read, written } = this.#encoder.encodeInto(word, this.#word);
    if (read < word.length || (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS)) {
      ids.push(UNKNOWN);
      return;
    }
    const before = ids.length;
    for (let start = 0; start < written; ) {
      const end = this.#longestPiece({ start, end: written }, ids);
      if (end === start) {
        ids.length = before;
        ids.push(UNKNOWN);
        return;
      }
      start = end;
    }
  }

  /** Appends the id of the longest piece at `start` of the current word. @returns Its end; `start` if there is none. */
  #longestPiece({ start, end }: { readonly start: number; readonly end: number }, ids: number[]): number {
    const inside = start > 0;
    let hash = inside ? HASH_INSIDE : HASH_SEED;
    for (let at = start; at < end; at++) {
      hash = hashByte(hash, this.#word[at] ?? 0);
      this.#hashes[at] = hash;
    }
    for (let stop = end; stop > start; stop--) {
      const id = this.#find(this.#hashes[stop - 1] ?? 0, this.#word.subarray(start, stop), inside ? 2 : 0);
      if (id !== undefined) {
        ids.push(id);
        return stop;
      }
    }
    return start;
  }

  /** Id of the token that is `piece` behind `marks` bytes of "##". */
  #find(hash: number, piece: Uint8Array, marks: number): number | undefined {
    let slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    for (;;) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return undefined;
      if (this.#matches(entry - 1, piece, marks)) return entry - 1;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #matches(id: number, piece: Uint8Array, marks: number): boolean {
    const from = (this.#offsets[id] ?? 0) + marks;
    if ((this.#offsets[id + 1] ?? 0) - from !== piece.length) return false;
    for (let at = 0; at < piece.length; at++) {
      if (this.#tokens[from + at] !== piece[at]) return false;
    }
    return marks === 0 || (this.#tokens[from - 2] === 0x23 && this.#tokens[from - 1] === 0x23);
  }
}
