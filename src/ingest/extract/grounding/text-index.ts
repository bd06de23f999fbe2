/**
 * What occurs in a session, indexed once: every word, number and name, so that asking for one costs the same however
 * long the session is.
 */

export interface TextIndex {
  /** Whether the token occurs as a token of its own: `3` is not in `300`, `id` not in `uuid`. Case is ignored. */
  has(token: string): boolean;
}

/** Runs without white space or the punctuation of prose; then their parts. */
const RUN = /[^\s"'`“”‘’«»‹›()[\]{}<>,;|=]+/gu;
const PART = /[\p{L}\p{N}\p{M}_$]+/gu;
const EDGES = /^[.:!?*#@+-]+|[.:!?*]+$/g;
/** A longer run is a line of minified code or an encoded blob: only its parts count. */
const MAX_RUN_CHARACTERS = 300;

export function createTextIndex(texts: Iterable<string>): TextIndex {
  const tokens = new Set<string>();
  const folded: string[] = [];
  for (const text of texts) {
    const lower = foldToken(text);
    folded.push(lower);
    addTokens(tokens, lower);
  }
  return { has: (token) => hasToken(tokens, folded, foldToken(token)) };
}

/** Case, width and quotation marks folded; thousands separators taken out of numbers. */
export function foldToken(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/(?<=\d)[,_](?=\d{3}\b)/g, "");
}

function addTokens(tokens: Set<string>, text: string): void {
  for (const [run] of text.matchAll(RUN)) {
    if (run.length > MAX_RUN_CHARACTERS) continue;
    tokens.add(run);
    const trimmed = run.replace(EDGES, "");
    if (trimmed !== run) tokens.add(trimmed);
  }
  for (const [part] of text.matchAll(PART)) tokens.add(part);
}

function hasToken(tokens: ReadonlySet<string>, folded: readonly string[], token: string): boolean {
  if (token === "" || tokens.has(token)) return true;
  return folded.some((text) => occursAlone(text, token));
}

/** Searches the text itself, for tokens that hold punctuation at which the index splits. */
function occursAlone(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    if (!joins(text[at - 1], token[0]) && !joins(text[at + token.length], token.at(-1))) return true;
  }
  return false;
}

/** Whether the neighbouring character continues the token's own edge. */
function joins(neighbour: string | undefined, edge: string | undefined): boolean {
  return neighbour !== undefined && edge !== undefined && WORD.test(neighbour) && WORD.test(edge);
}

const WORD = /[\p{L}\p{N}_]/u;
