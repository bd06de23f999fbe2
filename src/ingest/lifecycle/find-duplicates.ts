/**
 * What needs no model: a fact whose words, or whose words but for wording, are in the store already. Whatever differs in
 * a number, a negation or a name is another claim and goes on to the decision call.
 */
import { type Fact, isLive, type MemoryRecord, type Scope, sameScope } from "../../core/memory-record.ts";
import { sameClaimSets } from "../../text/claims.ts";
import { swapsWords } from "../../text/conflicts/word-swaps.ts";
import { contentHash } from "../../text/content-hash.ts";
import { canonicalText, jaccard, wordShingles } from "../../text/shingles.ts";
import type { IncomingFact, Settlement, Similarity } from "./decision.ts";
import { DUPLICATE_SHINGLES, LIFECYCLE_COSINES } from "./thresholds.ts";

export interface FindDuplicatesDeps {
  /** Same canonical content in this scope, any status, newest first. */
  readonly findByContent: (scope: Scope, contentHash: string) => Promise<readonly MemoryRecord[]>;
  /** When a text was erased for good, if it was. */
  readonly erasedAt: (contentHash: string) => Promise<Date | undefined>;
  readonly similarity: Similarity;
  /** From which cosine on two facts are one. Default: a cautious one. */
  readonly duplicateCosine?: number;
}

export interface DuplicateFindings {
  /** By handle. */
  readonly settled: ReadonlyMap<string, Settlement>;
  /** Facts whose text the user had erased: they are not stored, and there is no memory to point at. */
  readonly erased: readonly IncomingFact[];
  /** Facts that a model, or the guards alone, must decide about. */
  readonly open: readonly IncomingFact[];
}

/** A shorter quote is not a statement. */
const NOTE_CHARACTERS = 12;

/**
 * @param near - For each handle the memories that search holds for near, live ones.
 */
export async function findDuplicates(
  deps: FindDuplicatesDeps,
  facts: readonly IncomingFact[],
  near: ReadonlyMap<string, readonly MemoryRecord[]>,
): Promise<DuplicateFindings> {
  const settled = new Map<string, Settlement>();
  const erased: IncomingFact[] = [];
  const open: IncomingFact[] = [];
  for (const incoming of facts) {
    const finding = await findSame(deps, incoming);
    if (finding === "erased") erased.push(incoming);
    else if (finding !== undefined) settled.set(incoming.handle, finding);
    else {
      const double = findNear(deps, incoming, near.get(incoming.handle) ?? []);
      if (double === undefined) open.push(incoming);
      else settled.set(incoming.handle, double);
    }
  }
  return { settled, erased, open };
}

type Nearness = Pick<FindDuplicatesDeps, "similarity" | "duplicateCosine">;

function findNear(deps: Nearness, incoming: IncomingFact, memories: readonly MemoryRecord[]): Settlement | undefined {
  for (const target of memories) {
    if (!isLive(target) || !sameScope(incoming.scope, target.scope)) continue;
    const rule = isNoted(incoming, target) ? "dup:note" : nearRule(deps, incoming, target);
    if (rule !== undefined) return { kind: "duplicate", target, rule };
  }
  return undefined;
}

async function findSame(deps: FindDuplicatesDeps, incoming: IncomingFact): Promise<Settlement | "erased" | undefined> {
  const hash = contentHash(incoming.fact);
  const same = (await deps.findByContent(incoming.scope, hash)).filter(({ type }) => type === incoming.fact.type);
  const live = same.find(isLive);
  if (live !== undefined) return { kind: "duplicate", target: live, rule: "dup:hash" };
  const tombstone = same[0];
  if (tombstone !== undefined) return tombstoneRule(incoming, tombstone);
  const erasedAt = await deps.erasedAt(hash);
  return erasedAt === undefined || saidSince(incoming, erasedAt) ? undefined : "erased";
}

/**
 * What was put away comes back by the user's word only. What was superseded or archived may also come true again: then it
 * is decided beside its successor, unless it comes from outside.
 */
function tombstoneRule(incoming: IncomingFact, tombstone: MemoryRecord): Settlement | undefined {
  const since = tombstone.tombstonedAt ?? tombstone.updatedAt;
  if (saidSince(incoming, since)) return { kind: "revival", target: tombstone, rule: "revived" };
  const mayReturn = tombstone.status !== "forgotten" && incoming.fact.trust >= 2 && incoming.eventAt > since;
  return mayReturn ? undefined : { kind: "duplicate", target: tombstone, rule: "dup:tombstone" };
}

function saidSince({ fact, eventAt }: IncomingFact, moment: Date): boolean {
  return fact.source === "user_stated" && fact.trust === 3 && eventAt > moment;
}

/** A note that an agent took of the same words of the user, found to be theirs: the fact is that note again. */
function isNoted({ fact, provenance }: IncomingFact, memory: MemoryRecord): boolean {
  if (memory.trust < 2) return false;
  const sessions = new Set(provenance.map(({ session }) => session));
  const quotes = fact.evidence.map(({ quote }) => canonicalText(quote));
  return memory.provenance.some(({ kind, session, quote }) => {
    const noted = canonicalText(quote ?? "");
    const isHere = kind === "agent" && (session === null || sessions.has(session));
    return (
      isHere && noted.length >= NOTE_CHARACTERS && quotes.some((said) => said.includes(noted) || noted.includes(said))
    );
  });
}

function nearRule(deps: Nearness, { fact }: IncomingFact, memory: MemoryRecord): string | undefined {
  if (memory.trust < Math.min(fact.trust, 2)) return undefined;
  if (fact.polarity !== memory.polarity || !sameClaimSets(fact.content, memory.content)) return undefined;
  return nearness(deps, fact, memory);
}

function nearness({ similarity, duplicateCosine }: Nearness, fact: Fact, memory: MemoryRecord): string | undefined {
  const least = duplicateCosine ?? LIFECYCLE_COSINES.duplicate;
  if (jaccard(wordShingles(fact.content), wordShingles(memory.content)) >= DUPLICATE_SHINGLES) return "dup:shingles";
  const cosine = similarity(fact, memory);
  const isNear = fact.type === memory.type && cosine !== null && cosine >= least;
  return isNear && !swapsWords(fact.content, memory.content) ? "dup:cosine" : undefined;
}
