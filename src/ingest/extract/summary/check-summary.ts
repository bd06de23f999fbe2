/** A summary is believed only as far as its span bears it out. */
import { unsupportedTokens } from "../grounding/claim-tokens.ts";
import { createTextIndex } from "../grounding/text-index.ts";

/** How far over its limit a summary may be before it is cut. */
const TOLERANCE = 1.5;
const SENTENCE_END = /(?<=[.!?。！？])\s+(?=\S)|\n+/u;

/**
 * Removes sentences whose names or numbers do not occur in the span, and cuts at a sentence where it is too long.
 *
 * @returns undefined where nothing is left: the digest then stands in.
 */
export function checkSummary(summary: string, spanText: string, limit: number): string | undefined {
  const index = createTextIndex([spanText]);
  const borneOut = summary
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && unsupportedTokens(sentence, index).length === 0);
  const kept = withinLimit(borneOut, limit * TOLERANCE);
  return kept === "" ? undefined : kept;
}

function withinLimit(sentences: readonly string[], most: number): string {
  let text = "";
  for (const sentence of sentences) {
    const longer = text === "" ? sentence : `${text} ${sentence}`;
    if (longer.length > most) break;
    text = longer;
  }
  return text;
}
