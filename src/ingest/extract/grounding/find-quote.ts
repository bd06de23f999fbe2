/**
 * Where a quote stands. Models fold white space, change quotation marks and mistype; they also invent. Exact first, then
 * nearly exact; what is not found is not evidence.
 */

/** Share of a quote's characters that must agree. */
const LEAST_LIKENESS = 0.9;
/** A shorter quote is found in any text. */
export const SHORTEST_QUOTE = 6;
/** Approximate search looks around this many places at most. */
const MAX_PLACES = 40;

/** The form in which quotes are compared: NFKC, white space and quotation marks folded, our escapes undone. */
export function foldQuote(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/‹/g, "<")
    .replace(/›/g, ">")
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * Whether some stretch of a folded text is within a tenth of the folded quote's length in edits, whatever the case. Cut
 * into one piece more than the edits allowed, a quote has at least one piece without an edit: only around those is
 * anything compared. Near-linear in the text.
 */
export function isNearlyIn(wanted: string, searched: string): boolean {
  const [quote, text] = [wanted.toLowerCase(), searched.toLowerCase()];
  const edits = Math.floor(quote.length * (1 - LEAST_LIKENESS));
  if (edits === 0) return text.includes(quote);
  const size = Math.floor(quote.length / (edits + 1));
  let places = 0;
  for (let piece = 0; piece <= edits; piece += 1) {
    const offset = piece * size;
    const needle = quote.slice(offset, offset + size);
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
      const start = Math.max(0, at - offset - edits);
      const stretch = text.slice(start, at - offset + quote.length + edits);
      if (isWithin(quote, stretch, edits)) return true;
      places += 1;
      if (places > MAX_PLACES) return false;
    }
  }
  return false;
}

/** Whether the quote can be turned into some substring of the text by at most `edits` edits (Sellers 1980). */
function isWithin(quote: string, text: string, edits: number): boolean {
  let column = Array.from({ length: quote.length + 1 }, (_, at) => at);
  for (const character of text) {
    const next = [0];
    for (let at = 1; at <= quote.length; at += 1) {
      const replaced = (column[at - 1] ?? 0) + (quote[at - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (column[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    if ((next[quote.length] ?? edits + 1) <= edits) return true;
    column = next;
  }
  return false;
}
