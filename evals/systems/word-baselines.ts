/**
 * What there is without us: a search for substrings as with grep, and Okapi BM25 with stop words, a light stemmer and
 * the constants that suit the kind of text – the reference of the kit.
 */
import { byGroup, type EvalDocument, type EvalSet } from "../datasets/eval-set.ts";
import { DEPTH, type System } from "./system.ts";

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about again all am an and any are as at be been being both but by can could did do does doing don down each few for
  from had has have having he her his how i if in into is it its just me more most my no not now of on only or other our
  out over own s same she should so some such t than that the their them then there these they this to too under up very
  was we what when where which who whom why will with would you your him`.split(/\s+/),
);
/** Code and bug reports: identifiers are split, long documents are expected. */
const TECHNICAL = /cosqa|gitbugs/;
const LONG = /cosqa|gitbugs|codexfi-session/;

function wordsOf(text: string, splitCamel: boolean): string[] {
  const spaced = splitCamel ? text.replace(/([a-z0-9])([A-Z])/g, "$1 $2") : text;
  const words =
    spaced
      .toLowerCase()
      .normalize("NFKD")
      .match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

function stem(word: string): string {
  if (word.length < 5) return word;
  return word
    .replace(/(?:ational|ization|fulness|ousness|iveness)$/, "")
    .replace(/(?:ingly|edly|ments?|ings?|ies|ied|ers?|ed|es|ly|s)$/, "");
}

/** Most distinct words of the query that stand in the text, as substrings of any case. */
export function grepMatch({ documents }: EvalSet): System {
  const lower = documents.map(({ id, group, text }) => ({ id, group, text: text.toLowerCase() }));
  return {
    name: "grep",
    rank: async ({ text, group, exclude }) => {
      const words = [...new Set(wordsOf(text, false))].filter((word) => word.length > 2);
      return lower
        .filter((document) => document.group === group && document.id !== exclude)
        .map(({ id, text: candidate }) => ({ id, hits: words.filter((word) => candidate.includes(word)).length }))
        .filter(({ hits }) => hits > 0)
        .sort((a, b) => b.hits - a.hits)
        .slice(0, DEPTH)
        .map(({ id }) => id);
    },
  };
}

interface OkapiIndex {
  readonly ids: readonly string[];
  readonly lengths: readonly number[];
  readonly average: number;
  readonly postings: ReadonlyMap<string, readonly (readonly [at: number, count: number])[]>;
}

/** Robertson & Zaragoza 2009, a word that the query repeats counted again. */
export function okapi({ name, documents }: EvalSet): System {
  const technical = TECHNICAL.test(name);
  const { k1, b } = LONG.test(name) ? { k1: 1.2, b: 0.75 } : { k1: 0.9, b: 0.4 };
  const tokens = (text: string): string[] => wordsOf(text, technical).map(stem);
  const indexes = new Map([...byGroup(documents)].map(([group, members]) => [group, indexOf(members, tokens)]));
  return {
    name: "BM25 of the kit",
    rank: async ({ text, group, exclude }) => {
      const index = indexes.get(group);
      if (index === undefined) return [];
      const scores = new Float64Array(index.ids.length);
      for (const token of tokens(text)) {
        const posting = index.postings.get(token) ?? [];
        const idf = Math.log(1 + (index.ids.length - posting.length + 0.5) / (posting.length + 0.5));
        for (const [at, count] of posting) {
          const length = (index.lengths[at] ?? 0) / index.average;
          scores[at] = (scores[at] ?? 0) + (idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
        }
      }
      return [...scores.keys()]
        .filter((at) => (scores[at] ?? 0) > 0 && index.ids[at] !== exclude)
        .sort((x, y) => (scores[y] ?? 0) - (scores[x] ?? 0) || x - y)
        .slice(0, DEPTH)
        .map((at) => index.ids[at] ?? "");
    },
  };
}

function indexOf(documents: readonly EvalDocument[], tokens: (text: string) => string[]): OkapiIndex {
  const postings = new Map<string, [number, number][]>();
  const lengths = documents.map(({ text }, at) => {
    const found = tokens(text);
    const counts = new Map<string, number>();
    for (const token of found) counts.set(token, (counts.get(token) ?? 0) + 1);
    for (const [token, count] of counts) {
      const posting = postings.get(token);
      if (posting === undefined) postings.set(token, [[at, count]]);
      else posting.push([at, count]);
    }
    return found.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return { ids: documents.map(({ id }) => id), lengths, average, postings };
}
