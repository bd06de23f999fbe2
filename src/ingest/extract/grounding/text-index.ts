/**
 * Whether a name or a number occurs in a session. Texts are folded once; each token is looked for once. Searching a folded
 * text is faster than building a set of all its words, as long as there are only some hundred questions.
 */

export interface TextIndex {
  /** Whether the token occurs as a token of its own: `3` is not in `300`, `id` not in `uuid`. Case is ignored. */
  has(token: string): boolean;
}

const WORD = /[\p{L}\p{N}_]/u;

export function createTextIndex(texts: Iterable<string>): TextIndex {
  let folded: readonly string[] | undefined;
  const answers = new Map<string, boolean>();
  return {
    has(token) {
      folded ??= Array.from(texts, foldToken);
      const wanted = foldToken(token);
      const known = answers.get(wanted) ?? (wanted === "" || folded.some((text) => occursAlone(text, wanted)));
      answers.set(wanted, known);
      return known;
    },
  };
}

/** Case, width and quotation marks folded; thousands separators taken out of numbers. */
function foldToken(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/(?<=\d)[,_](?=\d{3}\b)/g, "");
}

function occursAlone(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const end = at + token.length;
    const inside = joins(text[at - 1], token[0]) || joins(text[end], token.at(-1)) || isPartOfDecimal(text, at, end);
    if (!inside) return true;
  }
  return false;
}

/** Whether the neighbouring character continues the token's own edge. */
function joins(neighbour: string | undefined, edge: string | undefined): boolean {
  return neighbour !== undefined && edge !== undefined && WORD.test(neighbour) && WORD.test(edge);
}

/** `3` is not in `3.5` nor in `2.3`. */
function isPartOfDecimal(text: string, start: number, end: number): boolean {
  return /^\d\.\d$/.test(text.slice(start - 2, start + 1)) || /^\d\.\d$/.test(text.slice(end - 1, end + 2));
}
