/**
 * From the searchers' rankings of one kind of unit to hits: fused, judged on their raw scores, read from the store once,
 * adjusted by their standing.
 */
import type { Arm, HitExplanation, Ranking, SearchHit } from "../../core/query.ts";
import { dot } from "../../core/vectors/dot.ts";
import type { SearchIndex, UnitFilter } from "../../store/store.ts";
import { fuseRankings, sureness, type WeightedRanking } from "../fuse-rankings.ts";
import { asksForNow, tellsOfChange } from "../query/asks-for-now.ts";
import type { QueryTerms } from "../query/query-terms.ts";
import type { ArmResults } from "../run-arms.ts";
import type { ArmWeights, RetrievalSettings } from "../settings.ts";
import { forForeignWords, lowered, survivalReasons, survives } from "../silence/abstain.ts";
import { centredQuery } from "../vector-search.ts";
import { type AdjustContext, type Adjustment, adjustChunk, adjustMemory } from "./adjust-scores.ts";

/** A query that consists of names leaves little for its meaning to add. */
const SYMBOL_QUERY_SHARE = 0.6;
const SYMBOL_QUERY_DENSE = 0.5;
/** A question is about the few names in it; a report that drops many is about none of them. */
const FEW_NAMES = 3;
/** Adjustments can move a hit up by 1.35 / 0.6: this many times the limit are read. */
const READ_FACTOR = 2;
const READ_LEAST = 20;

/** For a note that tells of a change, where a question asks how things are now. */
const LATER_WORD = 1.2;

export interface RankRequest {
  readonly terms: QueryTerms;
  readonly vector: Float32Array | undefined;
  readonly filter: UnitFilter;
  readonly settings: RetrievalSettings;
  readonly context: AdjustContext;
  readonly limit: number;
}

/** A hit with what ranking still needs to know of it. */
export type RankedHit = SearchHit & {
  /** The store's own number of the unit. */
  readonly key: number;
  readonly explanation: HitExplanation;
  /** Near enough to be shown beside one that is near enough by itself. */
  readonly follows: boolean;
  /** Carries a rare symbol of the query. */
  readonly reserved: boolean;
  /** Best cosine, or covered share of the query's words where no vectors answered: comparable between units. */
  readonly likeness: number;
  /** Share of the query's idf mass that its text covers, 0 … 1. */
  readonly coverage: number;
};

/** @returns Best first by adjusted score. Those without a reason in `survivedBy` are not worth showing. */
export async function rankUnits(index: SearchIndex, arms: ArmResults, request: RankRequest): Promise<RankedHit[]> {
  const { filter, settings, terms } = request;
  const { fusion, weights, rrfK } = settings.units[filter.unit];
  const inForce = queryWeights(weights, terms);
  const weighted = arms.rankings.flatMap((ranking): WeightedRanking[] => {
    const lead = settings.leads[ranking.arm];
    const weight = inForce[ranking.arm] * (lead === undefined ? 1 : sureness(ranking, lead));
    return inForce[ranking.arm] > 0 ? [{ ranking, weight }] : [];
  });
  const fused = fuseRankings(fusion, weighted, rrfK).slice(0, Math.max(READ_LEAST, request.limit * READ_FACTOR));
  const keys = fused.map(({ key }) => key);
  const [cosines, coverage, units] = await Promise.all([
    cosinesOf(index, arms.rankings, { keys, request }),
    index.coverage(terms.words[filter.unit], keys, filter.unit),
    readUnits(index, keys, request),
  ]);
  const told = toldBy(weighted, new Set(keys));
  const thresholds = terms.isForeign ? forForeignWords(settings.thresholds) : settings.thresholds;
  const following = lowered(thresholds);
  const hits = fused.flatMap((unit): RankedHit[] => {
    const read = units.get(unit.key);
    if (read === undefined) return [];
    const adjustment = leftOut(read.adjustment, settings.leaveOut);
    const evidence = {
      trigger: cosines.trigger.get(unit.key),
      body: cosines.body.get(unit.key),
      isPiece: filter.unit === "chunk",
      coverage: coverage.get(unit.key) ?? 0,
      rareSymbol: arms.rare.has(unit.key),
    };
    return [
      {
        key: unit.key,
        score: unit.score * adjustment.factor,
        explanation: {
          arms: told.get(unit.key) ?? [],
          fused: unit.score,
          adjustments: adjustment.parts,
          survivedBy: survivalReasons(evidence, thresholds),
        },
        follows: survives(evidence, following),
        reserved: evidence.rareSymbol && terms.nameCount <= FEW_NAMES,
        likeness: Math.max(evidence.trigger ?? 0, evidence.body ?? 0) || evidence.coverage,
        coverage: evidence.coverage,
        // Last: keys that follow a spread cost a search more than its arithmetic.
        ...read.unit,
      },
    ];
  });
  return hits.sort((a, b) => b.score - a.score);
}

function leftOut(adjustment: Adjustment, names: readonly string[] = []): Adjustment {
  if (names.length === 0) return adjustment;
  const parts = Object.entries(adjustment.parts);
  const out = parts.filter(([name]) => names.includes(name));
  if (out.length === 0) return adjustment;
  return {
    factor: out.reduce((factor, [, part]) => factor / part, adjustment.factor),
    parts: Object.fromEntries(parts.filter(([name]) => !names.includes(name))),
  };
}

function queryWeights(weights: ArmWeights, { symbolShare, nameCount }: QueryTerms): ArmWeights {
  const dense = symbolShare < SYMBOL_QUERY_SHARE ? 1 : SYMBOL_QUERY_DENSE;
  return {
    ...weights,
    trigger: weights.trigger * dense,
    body: weights.body * dense,
    symbol: weights.symbol * Math.min(1, FEW_NAMES / Math.max(1, nameCount)),
  };
}

/** What each arm said of each of the units, by key. */
function toldBy(
  rankings: readonly WeightedRanking[],
  keys: ReadonlySet<number>,
): ReadonlyMap<number, HitExplanation["arms"][number][]> {
  const told = new Map<number, HitExplanation["arms"][number][]>();
  for (const { ranking, weight } of rankings) {
    for (const [at, { key, score }] of ranking.units.entries()) {
      if (!keys.has(key)) continue;
      const entry = { arm: ranking.arm, rank: at + 1, score, weight };
      const entries = told.get(key);
      if (entries === undefined) told.set(key, [entry]);
      else entries.push(entry);
    }
  }
  return told;
}

type ReadUnit =
  | { readonly unit: "fact"; readonly memory: Extract<SearchHit, { unit: "fact" }>["memory"] }
  | { readonly unit: "chunk"; readonly chunk: Extract<SearchHit, { unit: "chunk" }>["chunk"] };

async function readUnits(
  index: SearchIndex,
  keys: readonly number[],
  { filter, context, terms }: RankRequest,
): Promise<Map<number, { readonly unit: ReadUnit; readonly adjustment: Adjustment }>> {
  const read = new Map<number, { readonly unit: ReadUnit; readonly adjustment: Adjustment }>();
  if (filter.unit === "fact") {
    const forNow = asksForNow(terms.text);
    for (const [key, memory] of await index.memoriesByKey(keys)) {
      const adjustment = adjustMemory(memory, context);
      const isLater = forNow && tellsOfChange(memory.content);
      read.set(key, { unit: { unit: "fact", memory }, adjustment: isLater ? laterWord(adjustment) : adjustment });
    }
  } else {
    for (const [key, chunk] of await index.chunksByKey(keys)) {
      read.set(key, { unit: { unit: "chunk", chunk }, adjustment: adjustChunk(chunk, context) });
    }
  }
  return read;
}

function laterWord({ factor, parts }: Adjustment): Adjustment {
  return { factor: factor * LATER_WORD, parts: { ...parts, change: LATER_WORD } };
}

type Cosines = Readonly<Record<"trigger" | "body", ReadonlyMap<number, number>>>;

/** Cosines from the rankings; of units that only the words found, from their stored vectors. */
async function cosinesOf(
  index: SearchIndex,
  rankings: readonly Ranking[],
  { keys, request }: { readonly keys: readonly number[]; readonly request: RankRequest },
): Promise<Cosines> {
  const known = (arm: Arm): Map<number, number> =>
    new Map(rankings.find((ranking) => ranking.arm === arm)?.units.map(({ key, score }) => [key, score]));
  const cosines = { trigger: known("trigger"), body: known("body") };
  const unknown = keys.filter((key) => !cosines.trigger.has(key) && !cosines.body.has(key));
  if (request.vector === undefined || unknown.length === 0) return cosines;
  const place = { slot: "body", unit: request.filter.unit } as const;
  const query = await centredQuery(index, { vector: request.vector, share: request.settings.centring }, place);
  for (const [key, vectors] of await index.vectorsOf(unknown, place.slot, place.unit)) {
    cosines.body.set(key, Math.max(...vectors.map((candidate) => dot(query, candidate))));
  }
  return cosines;
}
