/**
 * What a query asks of each text index. Any input is safe: it is cleaned, bounded and broken into plain words here, and
 * nothing of it ever reaches an index as query syntax.
 */
import type { UnitKind } from "../../core/query.ts";
import type { FulltextTerm } from "../../store/store.ts";
import { isAscii } from "../../text/ascii.ts";
import { cleanText, cutAt } from "../../text/clean.ts";
import { errorSignatures } from "../../text/error-signature.ts";
import { stripInjectedSpans } from "../../text/injected-spans.ts";
import { extractSymbols, normaliseSymbol, symbolForms } from "../../text/symbols.ts";
import { indexTokens, isSingleCharacter, queryTerms as queryWords } from "../../text/words.ts";
import { isForeign, sharedBeginning } from "./foreign-text.ts";

/** A query is a question or a report, not a log: what follows adds cost and no meaning. */
const MAX_CHARACTERS = 6_000;
const MAX_TERMS = 96;
const MAX_FORMS = 64;
const MAX_PIECES = 32;
const PIECE_CHARACTERS = 3;
/** A report that says a word again and again is about it; BM25 counts each time, up to here. */
const MAX_REPEATS = 3;

export interface QueryTerms {
  /** The query as text, cleaned and cut: what is embedded. */
  readonly text: string;
  /** Words as the full-text indexes hold them, each once. */
  readonly words: Readonly<Record<UnitKind, readonly FulltextTerm[]>>;
  /** The same, repeated as the query repeats them: what BM25 is asked. */
  readonly repeated: Readonly<Record<UnitKind, readonly FulltextTerm[]>>;
  /** Signatures of pasted errors, and normalised forms of the symbols, under which they may have been stored. */
  readonly symbols: readonly string[];
  /** How many names the query holds, each of which may have several forms. */
  readonly nameCount: number;
  /** Pieces for the trigram index. */
  readonly pieces: readonly string[];
  readonly wordCount: number;
  /** In another language than English, by its letters and small words. */
  readonly isForeign: boolean;
  /** Share of the query's words that are symbols, 0 … 1. */
  readonly symbolShare: number;
}

interface AskedWords {
  readonly words: readonly FulltextTerm[];
  readonly repeated: readonly FulltextTerm[];
}

/**
 * Breaks any text into what the indexes are asked for; one without words gives empty lists.
 *
 * @param keepFunctionWords - Kinds of units that are also asked for the words that every text shares.
 */
export function queryTerms(raw: string, keepFunctionWords: readonly UnitKind[] = []): QueryTerms {
  const text = cleanText(stripInjectedSpans(cutAt(raw, MAX_CHARACTERS))).trim();
  const plain = text.split(/\s+/).filter(isSpoken);
  const named = extractSymbols(text);
  const signatures = errorSignatures(text).map(normaliseSymbol);
  const counts = countWords(text);
  const foreign = isForeign(text);
  const asTerms = foreign ? foreignTerms : plainTerms;
  const asked = (dropFunctionWords: boolean): AskedWords => {
    const words = queryWords(text, { dropFunctionWords });
    return { words: asTerms(words), repeated: asTerms(repeat(words, counts)) };
  };
  const telling = asked(true);
  const of = (unit: UnitKind): AskedWords => (keepFunctionWords.includes(unit) ? asked(false) : telling);
  const [fact, chunk] = [of("fact"), of("chunk")];
  return {
    text,
    words: { fact: fact.words, chunk: chunk.words },
    repeated: { fact: fact.repeated, chunk: chunk.repeated },
    symbols: [...new Set([...signatures, ...named.flatMap(symbolForms)])].slice(0, MAX_FORMS),
    nameCount: named.length,
    pieces: piecesOf(plain),
    wordCount: plain.length,
    isForeign: foreign,
    symbolShare: plain.length === 0 ? 0 : Math.min(1, named.length / plain.length),
  };
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of indexTokens(text).split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function plainTerms(words: readonly string[]): FulltextTerm[] {
  return words.slice(0, MAX_TERMS).map((text) => (isSingleCharacter(text) ? { text, prefix: true } : { text }));
}

function foreignTerms(words: readonly string[]): FulltextTerm[] {
  return words.slice(0, MAX_TERMS).map((word) => {
    const beginning = sharedBeginning(word);
    return beginning === undefined && !isSingleCharacter(word)
      ? { text: word }
      : { text: beginning ?? word, prefix: true };
  });
}

function repeat(words: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  return words.flatMap((word) => new Array<string>(Math.min(MAX_REPEATS, counts.get(word) ?? 1)).fill(word));
}

/** Words without their punctuation, long enough for the trigram index. */
function piecesOf(words: readonly string[]): string[] {
  const pieces = words.map((word) => bare(word).toLowerCase()).filter((word) => [...word].length >= PIECE_CHARACTERS);
  return [...new Set(pieces)].slice(0, MAX_PIECES);
}

function isSpoken(word: string): boolean {
  return /[A-Za-z0-9]/.test(word) || (!isAscii(word) && /[\p{L}\p{N}]/u.test(word));
}

function bare(word: string): string {
  return isAscii(word)
    ? word.replace(/^[^A-Za-z0-9_$@.#-]+|[^A-Za-z0-9_$]+$/g, "")
    : word.replace(/^[^\p{L}\p{N}_$@.#-]+|[^\p{L}\p{N}_$]+$/gu, "");
}
