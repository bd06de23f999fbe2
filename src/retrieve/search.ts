/**
 * QUERY → HITS. Vectors, words, symbols and pieces of words are asked in parallel, facts and chunks apart, and fused
 * into one list. No model is called but the one that embeds the query, and a reranker where there is one; without them
 * words and symbols answer.
 */
import { given } from "../core/given.ts";
import { LIVE_STATUSES, type MemoryStatus } from "../core/memory-record.ts";
import type { AnswerExplanation, SearchAnswer, SearchHit, SearchQuery, UnitKind } from "../core/query.ts";
import { inTime } from "../core/time/in-time.ts";
import type { Embedder } from "../models/embedder.ts";
import type { SearchIndex } from "../store/store.ts";
import { explainAnswer, type Stages } from "./explain-answer.ts";
import { asksForPast } from "./query/asks-for-past.ts";
import { type QueryTerms, queryTerms } from "./query/query-terms.ts";
import type { HalfLifeDays } from "./rank/adjust-scores.ts";
import { collapseDuplicates } from "./rank/collapse-duplicates.ts";
import { conflictNotes } from "./rank/conflict-notes.ts";
import { cutTail } from "./rank/cut-tail.ts";
import { orderSuccessors } from "./rank/order-successors.ts";
import { type RankedHit, rankUnits } from "./rank/rank-units.ts";
import { reserveSymbols } from "./rank/reserve-symbols.ts";
import { type RerankDeps, type Reranked, rerankHits } from "./rerank.ts";
import { runArms } from "./run-arms.ts";
import { type RankStep, type RetrievalSettings, settingsFor } from "./settings.ts";
import { type AnswerDeps, type Asked, clearShare, whyNoAnswer } from "./silence/answers-question.ts";
import { embedQuery } from "./vector-search.ts";

export interface SearchDeps {
  readonly index: SearchIndex;
  /** Absent: words and symbols answer, and the answer says so. */
  readonly embedder?: Embedder | undefined;
  readonly now: () => Date;
  /** Default: what is known of the embedder's model. */
  readonly settings?: RetrievalSettings;
  /** After which a searcher is left out; default 3,000. */
  readonly armTimeoutMs?: number;
  /** Of the domain's profile; default the ones of most domains. */
  readonly halfLifeDays?: HalfLifeDays | undefined;
  /** A second opinion about what was found; default none. */
  readonly rerank?: RerankDeps | undefined;
}

const ARM_TIMEOUT_MS = 3_000;
const UNIT_KINDS: readonly UnitKind[] = ["fact", "chunk"];
const MAX_LIMIT = 50;
/** Titles beside an answer of nothing; with `explain` a few also where none of them is near. */
const NEAREST = 5;
const FARTHER = 3;

/**
 * Finds what fits the query, best first. Never throws for a query's text, nor for a searcher that fails: those that did
 * not answer stand in `degraded`.
 *
 * @throws The signal's reason, when it is aborted; what the store throws, when what was found cannot be read.
 */
export async function search(deps: SearchDeps, query: SearchQuery): Promise<SearchAnswer> {
  const started = performance.now();
  query.signal?.throwIfAborted();
  const terms = queryTerms(query.text);
  const limit = Math.min(MAX_LIMIT, Math.max(1, Math.floor(query.limit)));
  if (terms.wordCount === 0) {
    return { hits: [], abstained: false, degraded: [], notes: [], searchedMs: performance.now() - started };
  }
  const read = deps.rerank === undefined ? limit : Math.max(limit, deps.rerank.reranker.maxCandidates);
  const found = await findUnits(deps, { ...query, limit: read }, terms);
  query.signal?.throwIfAborted();
  const fused = worthShowing(found.hits, found.leaveOut);
  const near = found.near === found.hits ? fused : worthShowing(found.near, found.leaveOut);
  const ordered = await secondOpinion(deps, { query, fused, near, uncut: found.uncut });
  const hits = ordered.hits.slice(0, limit);
  const abstained = hits.length === 0 && found.hits.length > 0;
  return {
    hits: hits.map((hit) => publicHit(withReason(hit), query.explain === true)),
    abstained,
    degraded: [...found.degraded, ...ordered.degraded],
    ...(abstained ? silence(found, near, query) : heldBack(found, near, { hits, explain: query.explain === true })),
    ...(query.explain === true
      ? { explanation: publicExplanation({ ...found, ordered: ordered.hits, shown: hits }) }
      : {}),
    notes: conflictNotes(hits),
    searchedMs: performance.now() - started,
  };
}

function publicExplanation(stages: Stages): AnswerExplanation {
  const { thresholds, cut } = explainAnswer(stages);
  return { thresholds, cut: cut.map(({ hit, reason }) => ({ hit: publicHit(hit, true), reason })) };
}

/** Nothing, where nothing is near enough by itself. */
function worthShowing(hits: readonly RankedHit[], leaveOut: readonly RankStep[]): RankedHit[] {
  const isNear = hits.some(({ explanation }) => explanation.survivedBy.length > 0);
  return isNear
    ? arrange(
        hits.filter(({ follows }) => follows),
        leaveOut,
      )
    : [];
}

/** What is told beside nothing: titles that the caller may know better how to judge, and why they are no answer. */
function silence(
  found: Found,
  near: readonly RankedHit[],
  query: SearchQuery,
): Pick<SearchAnswer, "nearest" | "unanswered"> {
  const explain = query.explain === true;
  const nearest = near.length === 0 && explain ? found.hits.slice(0, FARTHER) : near.slice(0, NEAREST).map(withReason);
  return {
    ...(nearest.length === 0 ? {} : { nearest: nearest.map((hit) => publicHit(hit, explain)) }),
    ...(near.length === 0 ? {} : given({ unanswered: found.unanswered })),
  };
}

/** Files answer, notes do not for certain: these are named beside them all the same. */
function heldBack(
  { unanswered }: Found,
  near: readonly RankedHit[],
  { hits, explain }: { readonly hits: readonly RankedHit[]; readonly explain: boolean },
): Pick<SearchAnswer, "nearest" | "unanswered"> {
  const shown = new Set(hits.flatMap((hit) => (hit.unit === "fact" ? [hit.key] : [])));
  const notes = near.filter(({ unit, key }) => unit === "fact" && !shown.has(key)).slice(0, NEAREST);
  if (unanswered === undefined || notes.length === 0) return {};
  return { nearest: notes.map((hit) => publicHit(withReason(hit), explain)), unanswered };
}

interface Opinion {
  readonly query: SearchQuery;
  readonly fused: readonly RankedHit[];
  /** The same, whether it answers or not. */
  readonly near: readonly RankedHit[];
  readonly uncut: readonly RankedHit[];
}

/**
 * A reranker chooses from all that was found, also from what the tail's cut would drop; where nothing answers for certain, from
 * what is near. It is not asked where nothing is.
 */
async function secondOpinion(
  { rerank }: SearchDeps,
  { query, fused, near, uncut }: Opinion,
): Promise<Reranked<RankedHit>> {
  if (rerank === undefined || near.length === 0) return { hits: fused, chosen: [], degraded: [] };
  const shown = fused.length > 0 ? arrange(uncut) : near;
  const input = { query: query.text, shown, hits: fused, signal: query.signal };
  const { hits, chosen, degraded } = await rerankHits(rerank, input);
  const reason = `chosen by ${rerank.reranker.name}`;
  return { hits: arrange(hits.map((hit) => (chosen.includes(hit) ? saying(hit, reason) : hit))), chosen, degraded };
}

interface Found {
  /** Without the tail. Of facts that do not answer the question only those with a rare name are worth showing. */
  readonly hits: readonly RankedHit[];
  /** The same, whether they answer or not. */
  readonly near: readonly RankedHit[];
  /** Why facts do not answer. */
  readonly unanswered: string | undefined;
  readonly uncut: readonly RankedHit[];
  readonly settings: RetrievalSettings;
  readonly leastShares: Stages["leastShares"];
  readonly degraded: readonly string[];
  readonly leaveOut: readonly RankStep[];
}

async function findUnits(deps: SearchDeps, query: SearchQuery, terms: QueryTerms): Promise<Found> {
  const { index, embedder } = deps;
  const vector = embedQuery({ index, embedder }, terms.text, query.signal);
  const settled = vector.catch(() => undefined);
  const settings = deps.settings ?? settingsFor(embedder?.fingerprint);
  const timeoutMs = deps.armTimeoutMs ?? ARM_TIMEOUT_MS;
  const now = query.asOf ?? deps.now();
  const lists = await Promise.all(
    unitsOf(query).map(async (unit) => {
      const filter = {
        unit,
        projects: query.projects,
        user: true,
        statuses: query.statuses ?? statusesFor(terms.text),
        ...(query.types === undefined ? {} : { types: query.types }),
        ...(query.asOf === undefined ? {} : { asOf: query.asOf }),
      };
      const arms = await runArms(index, { terms, vector, filter, timeoutMs, centring: settings.centring });
      const dense = arms.rankings.some(({ arm }) => arm === "trigger" || arm === "body");
      const hits = await rankUnits(index, arms, {
        terms,
        vector: dense ? await settled : undefined,
        filter,
        settings,
        context: { projects: query.projects, now, ...given({ halfLifeDays: deps.halfLifeDays }) },
        limit: query.limit,
      });
      const test = unit === "fact" && dense ? settings.answerTest : undefined;
      const asked = test && { terms, test, deps: answerDeps(deps, query.signal) };
      return {
        unit,
        hits,
        unanswered: asked && (await secondLook(hits, asked, { timeoutMs, signal: query.signal })),
        leastShare: Math.max(settings.units[unit].leastShare, asked === undefined ? 0 : clearShare(hits, asked)),
        degraded: arms.degraded,
      };
    }),
  );
  const scaledLists = scaleLists(lists.map(({ hits }) => hits));
  const shares = lists.map(({ leastShare }) => leastShare);
  const answering = scaledLists.map((hits, at) => (lists[at]?.unanswered === undefined ? hits : hits.map(unlessRare)));
  const unanswered = lists.find((list) => list.unanswered !== undefined)?.unanswered;
  const hits = mergeLists(cutTails(answering, shares));
  return {
    hits,
    near: unanswered === undefined ? hits : mergeLists(cutTails(scaledLists, shares)),
    unanswered,
    uncut: mergeLists(answering),
    settings,
    leastShares: Object.fromEntries(lists.map(({ unit, leastShare }) => [unit, leastShare])),
    degraded: [...new Set(lists.flatMap(({ degraded }) => degraded))],
    leaveOut: settings.leaveOut ?? [],
  };
}

/** One that fails or is late has seen nothing. */
function secondLook(
  hits: readonly RankedHit[],
  asked: Asked,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const look = whyNoAnswer(hits, asked).catch(() => {
    signal?.throwIfAborted();
    return undefined;
  });
  return inTime(look, timeoutMs, () => undefined);
}

function cutTails(lists: readonly (readonly RankedHit[])[], leastShares: readonly number[]): RankedHit[][] {
  return lists.map((hits, at) => cutTail(hits, leastShares[at] ?? 0));
}

function answerDeps({ index, embedder }: SearchDeps, signal: AbortSignal | undefined): AnswerDeps {
  return {
    embed: (text) => embedQuery({ index, embedder }, text, signal),
    vectorsOf: async (key, slot) => (await index.vectorsOf([key], slot, "fact")).get(key) ?? [],
  };
}

/** Where nothing answers, only a name that few memories carry speaks for one. */
function unlessRare(hit: RankedHit): RankedHit {
  return hit.reserved ? hit : { ...hit, follows: false, explanation: { ...hit.explanation, survivedBy: [] } };
}

/** What was superseded answers only a question about the past, and stands below its successor there. */
function statusesFor(text: string): readonly MemoryStatus[] {
  return asksForPast(text) ? [...LIVE_STATUSES, "superseded"] : LIVE_STATUSES;
}

/** A filter by type asks for facts. */
function unitsOf({ units, types }: SearchQuery): readonly UnitKind[] {
  const wanted = units ?? UNIT_KINDS;
  return types === undefined ? wanted : wanted.filter((unit) => unit === "fact");
}

/**
 * A fused score says how a unit stands among its own kind; so each list is scaled by how near its best unit comes to the
 * query, and a kind that has nothing fitting does not share the top.
 */
function scaleLists(lists: readonly (readonly RankedHit[])[]): RankedHit[][] {
  const nearest = lists.map((hits) => Math.max(0, ...hits.map(({ likeness }) => likeness)));
  const best = Math.max(...nearest);
  return lists.map((hits, at) => hits.map((hit) => scaled(hit, best > 0 ? (nearest[at] ?? best) / best : 1)));
}

/** One list of both kinds. */
function mergeLists(lists: readonly (readonly RankedHit[])[]): RankedHit[] {
  return lists.flat().sort((a, b) => b.score - a.score);
}

function scaled(hit: RankedHit, factor: number): RankedHit {
  if (factor === 1) return hit;
  const { explanation } = hit;
  return {
    ...hit,
    score: hit.score * factor,
    explanation: { ...explanation, adjustments: { ...explanation.adjustments, [`best ${hit.unit}`]: factor } },
  };
}

function arrange(hits: readonly RankedHit[], leaveOut: readonly RankStep[] = []): RankedHit[] {
  const has = (step: RankStep): boolean => !leaveOut.includes(step);
  const distinct = has("duplicates") ? collapseDuplicates(hits) : [...hits];
  const reserving = has("reserved symbols") ? reserveSymbols(distinct, ({ reserved }) => reserved) : distinct;
  return has("successors") ? orderSuccessors(reserving) : reserving;
}

function withReason(hit: RankedHit): RankedHit {
  return hit.explanation.survivedBy.length > 0 ? hit : saying(hit, "beside a better hit");
}

function saying(hit: RankedHit, reason: string): RankedHit {
  const { explanation } = hit;
  return { ...hit, explanation: { ...explanation, survivedBy: [...explanation.survivedBy, reason] } };
}

function publicHit(hit: RankedHit, explain: boolean): SearchHit {
  const { score } = hit;
  const told = explain ? { explanation: hit.explanation } : {};
  return hit.unit === "fact"
    ? { score, unit: "fact", memory: hit.memory, ...told }
    : { score, unit: "chunk", chunk: hit.chunk, ...told };
}
