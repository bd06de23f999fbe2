/**
 * How near a fact is to a memory, from what can be computed: cosine where there are vectors, shared rare names, shared
 * words, one slot. Models are believed about likeness only as far as these agree.
 */
import type { Fact, FactBody, MemoryRecord } from "../../core/memory-record.ts";
import { claimSets } from "../../text/claims.ts";
import { contradicts } from "../../text/conflicts/contradicts.ts";
import { shareSlot, slotClash } from "../../text/conflicts/slots.ts";
import { canonicalWords, jaccard, wordShingles } from "../../text/shingles.ts";
import { isStopWord } from "../../text/stop-words.ts";
import { extractSymbols, normaliseSymbol } from "../../text/symbols.ts";
import type { DecisionInput } from "./decision.ts";
import { COVERED_SHINGLES, LIFECYCLE_COSINES } from "./thresholds.ts";

/** A name that more than a fifth of the candidates carry names the project, not the matter. */
const COMMON_SHARE = 0.2;
const RARE_COUNT = 2;
/** Share of the shorter text's own words that two texts on one matter have in common. */
const TOPIC_WORDS = 0.4;

export interface Likeness {
  /** Whether the memory may already say what the fact says. */
  covers(fact: Fact, memory: MemoryRecord): boolean;
  /** Whether the two speak of one matter, so that one can disprove the other. */
  sameMatter(fact: Fact, memory: MemoryRecord): boolean;
  /** Whether they state different values for one thing. */
  differs(fact: Fact, memory: MemoryRecord): boolean;
}

/** Looks at all candidates first: what is a rare name depends on them. */
export function likenessAmong({
  candidates,
  similarity,
  cosines = LIFECYCLE_COSINES,
}: Pick<DecisionInput, "candidates" | "similarity" | "cosines">): Likeness {
  const rare = rareNames([...candidates.values()]);
  const sharesRareName = (fact: Fact, memory: MemoryRecord) => {
    const names = new Set(namesOf(fact));
    return namesOf(memory).some((name) => names.has(name) && rare(name));
  };
  return {
    covers: (fact, memory) =>
      atLeast(similarity(fact, memory), cosines.covered) ||
      jaccard(wordShingles(fact.content), wordShingles(memory.content)) >= COVERED_SHINGLES ||
      sharesRareName(fact, memory),
    sameMatter: (fact, memory) =>
      sharesRareName(fact, memory) ||
      shareSlot(fact, memory) ||
      atLeast(similarity(fact, memory), cosines.contradicted) ||
      sharedWords(fact, memory) >= TOPIC_WORDS,
    differs: (fact, memory) =>
      slotClash(fact, memory) !== undefined ||
      otherNumbers(fact, memory) ||
      contradicts(`${fact.title}.\n\n${fact.content}`, memory) !== undefined,
  };
}

function atLeast(cosine: number | null, least: number): boolean {
  return cosine !== null && cosine >= least;
}

/** Normalised names that a note carries, in its list and in its text. */
export function namesOf(body: FactBody): string[] {
  const named = [...body.symbols, ...extractSymbols(`${body.title}\n${body.content}`)].map(normaliseSymbol);
  return [...new Set(named)].filter((name) => name.length > 1);
}

function rareNames(memories: readonly MemoryRecord[]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const name of memories.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(RARE_COUNT, Math.floor(memories.length * COMMON_SHARE));
  return (name) => (counts.get(name) ?? 0) <= most;
}

function sharedWords(fact: FactBody, memory: FactBody): number {
  const ours = contentWords(fact);
  const theirs = contentWords(memory);
  const least = Math.min(ours.size, theirs.size);
  if (least === 0) return 0;
  return [...ours].filter((word) => theirs.has(word)).length / least;
}

function contentWords(body: FactBody): Set<string> {
  return new Set(
    canonicalWords(`${body.title} ${body.content}`).filter((word) => word.length > 2 && !isStopWord(word)),
  );
}

/** Both name numbers or versions, and none in common. */
function otherNumbers(fact: FactBody, memory: FactBody): boolean {
  const ours = claimSets(fact.content);
  const theirs = claimSets(memory.content);
  return apart(ours.numbers, theirs.numbers) || apart(ours.versions, theirs.versions);
}

function apart(a: readonly string[], b: readonly string[]): boolean {
  return a.length > 0 && b.length > 0 && !a.some((item) => b.includes(item));
}
