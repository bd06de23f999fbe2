/** What a person said in a turn, as sentences: without code, quotations and pasted output, which somebody else wrote. */
import type { Turn } from "../../../core/session.ts";

export interface Sentence {
  /** Index of its turn. */
  readonly turn: number;
  /** Position within its turn, from 0. */
  readonly at: number;
  /** How many there are in its turn. */
  readonly of: number;
  /** As it was written, white space folded. */
  readonly text: string;
}

/** A sentence of a rule is short; what is longer was pasted, or is a story. */
const MAX_SENTENCE_CHARACTERS = 400;
/** Of a very long message only the ends are the person's own words as a rule. */
const MAX_MESSAGE_CHARACTERS = 6_000;
const END_CHARACTERS = 2_000;

const FENCE = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;
const QUOTED_LINE = /^[ \t]*>.*$/gm;
const LONG_QUOTATION = /"[^"\n]{60,}"|“[^”\n]{60,}”|«[^»\n]{60,}»/g;
const LIST_MARK = /^[ \t]*(?:[-*•+]|\d{1,2}[.)])[ \t]+/;
/** Lines that a machine prints: logs, stack traces, diffs, tables, shell prompts, JSON. */
const PRINTED =
  /^(?:\s{2,}at |\s*\d+ \||[+-]{3} |@@|\s*[$#%>] |\[[^\]]{1,40}\]\s|\d{4}-\d\d-\d\d|\s*[{}[\]|]|\s*(?:npm|error|warn(?:ing)?|info|debug|traceback|file)\b\s*[:"!(])/i;
/** A ticket that was pasted: from its first heading on somebody else speaks, as a rule. */
const TICKET =
  /^[ \t]*(?:#{1,4} |\*\*)?(?:steps? to reproduce|(?:actual|expected) (?:results?|behaviou?r|output)|user[- ]agent:|reproducible:|build identifier:|stack ?trace:|additional info(?:rmation)?)/im;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|(?<=\S )no|z\.B|d\.h|bzw|p\. ex|p\.ej)\.)$/i;

/** Sentences of a human turn; of any other turn none. */
export function spokenSentences(turn: Turn): Sentence[] {
  if (turn.kind !== "human" || turn.origin !== "human" || turn.trust !== 3) return [];
  const ticket = turn.text.search(TICKET);
  const spoken = ticket === -1 ? turn.text : turn.text.slice(0, ticket);
  const own = ends(spoken.replace(FENCE, "\n").replace(QUOTED_LINE, "").replace(LONG_QUOTATION, " "));
  const lines = own.split("\n").filter((line) => line.trim() !== "" && !PRINTED.test(line));
  const sentences = paragraphs(lines).flatMap(splitSentences);
  return sentences
    .filter((text) => text.length <= MAX_SENTENCE_CHARACTERS && /\p{L}{2}/u.test(text))
    .map((text, at, all) => ({ turn: turn.index, at, of: all.length, text }));
}

function ends(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARACTERS) return text;
  return `${text.slice(0, END_CHARACTERS)}\n${text.slice(-END_CHARACTERS)}`;
}

/** Joins lines that an editor wrapped; list items and lines that end a sentence stand alone. */
function paragraphs(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let open = false;
  for (const line of lines) {
    const isItem = LIST_MARK.test(line);
    const text = line.replace(LIST_MARK, "").trim();
    const last = joined.at(-1);
    const continues = open && !isItem && last !== undefined && /^\p{Ll}/u.test(text);
    if (continues) joined[joined.length - 1] = `${last} ${text}`;
    else joined.push(text);
    open = !/[.!?:;]$/.test(text);
  }
  return joined;
}

function splitSentences(paragraph: string): string[] {
  const pieces = paragraph.split(/(?<=[.!?…]["')\]]?)\s+(?=["'(`]?[\p{Lu}\p{N}`])/u);
  const sentences: string[] = [];
  for (const piece of pieces) {
    const last = sentences.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) sentences[sentences.length - 1] = `${last} ${piece}`;
    else sentences.push(piece);
  }
  return sentences.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}
