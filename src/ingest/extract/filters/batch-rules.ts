/** Rules that look at the facts of a run together: duplicates among them (R8) and the cap (R12). */
import { type Fact, type FactType, rankOfSource } from "../../../core/memory-record.ts";
import type { Rejection } from "../../../core/report.ts";
import { claimSets, sameClaimSets } from "../../../text/claims.ts";
import { swapsWords } from "../../../text/conflicts/word-swaps.ts";
import { contentHash } from "../../../text/content-hash.ts";
import { jaccard, wordShingles } from "../../../text/shingles.ts";
import { claimOf } from "./fact-rule.ts";

export const DUPLICATE_RULE = "R8";
export const CAP_RULE = "R12";

const SAME_SHINGLES = 0.8;
/** How much a fact's voucher weighs, strongest source first. */
const SOURCE_WEIGHTS = [1, 0.9, 0.8, 0.5] as const;

export interface BatchVerdict {
  readonly kept: readonly Fact[];
  readonly rejections: readonly Rejection[];
}

/**
 * Of facts that say the same the best vouched for stays; among equals the one with the longer evidence, then the first.
 *
 * @param cosine - Of two facts' bodies; undefined without vectors.
 */
export function dropDuplicates(
  facts: readonly Fact[],
  cosine: (a: Fact, b: Fact) => number | undefined,
  threshold: number,
): BatchVerdict {
  const order = [...facts].sort(
    (a, b) => rankOfSource(a.source) - rankOfSource(b.source) || evidenceLength(b) - evidenceLength(a),
  );
  const kept: Fact[] = [];
  const rejections: Rejection[] = [];
  for (const fact of order) {
    const twin = kept.find((other) => isSame(fact, other, { cosine: cosine(fact, other), threshold }));
    if (twin === undefined) kept.push(fact);
    else rejections.push({ rule: DUPLICATE_RULE, title: fact.title, detail: `says the same as "${twin.title}"` });
  }
  return { kept: facts.filter((fact) => kept.includes(fact)), rejections };
}

function evidenceLength({ evidence }: Fact): number {
  return evidence.reduce((sum, { quote }) => sum + quote.length, 0);
}

function isSame(a: Fact, b: Fact, near: { readonly cosine: number | undefined; readonly threshold: number }): boolean {
  if (contentHash(a) === contentHash(b)) return true;
  if (!sameClaimSets(a.content, b.content)) return false;
  if (jaccard(wordShingles(a.content), wordShingles(b.content)) >= SAME_SHINGLES) return true;
  return a.type === b.type && (near.cosine ?? 0) >= near.threshold && !swapsWords(a.content, b.content);
}

/** Best first, at most `most`, at least one of each type that is there. */
export function capFacts(facts: readonly Fact[], most: number): BatchVerdict {
  const rarity = rarityAmong(facts);
  const ranked = [...facts].sort((a, b) => worthOf(b, rarity) - worthOf(a, rarity));
  if (ranked.length <= most) return { kept: ranked, rejections: [] };
  const firstOfType = new Map<FactType, Fact>();
  for (const fact of ranked) if (!firstOfType.has(fact.type)) firstOfType.set(fact.type, fact);
  const seats = new Set([...firstOfType.values()].slice(0, most));
  for (const fact of ranked) if (seats.size < most) seats.add(fact);
  const out = ranked.filter((fact) => !seats.has(fact));
  return {
    kept: ranked.filter((fact) => seats.has(fact)),
    rejections: out.map(({ title }) => ({ rule: CAP_RULE, title, detail: `more than ${most} facts` })),
  };
}

type Rarity = (name: string) => number;

/** From 1 for a name that one fact of the run carries, down to what all carry (inverse document frequency). */
function rarityAmong(facts: readonly Fact[]): Rarity {
  const counts = new Map<string, number>();
  for (const name of facts.flatMap(namesIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => Math.log2(1 + facts.length / (counts.get(name) ?? 1)) / Math.log2(1 + facts.length);
}

function namesIn(fact: Fact): string[] {
  const { numbers, identifiers } = claimSets(claimOf(fact));
  return [...new Set([...identifiers, ...numbers])];
}

/** Source × confidence × how much it names that the others do not. */
function worthOf(fact: Fact, rarity: Rarity): number {
  const named = namesIn(fact).reduce((sum, name) => sum + rarity(name), 0);
  return (SOURCE_WEIGHTS[rankOfSource(fact.source)] ?? 0.5) * fact.confidence * (1 + Math.log2(1 + named));
}
