/** Search with a second opinion, where the user switched it on: one call of the language model a search, within the day's budget. */
import type { SearchAnswer, SearchQuery } from "../../core/query.ts";
import type { Workbench } from "../workbench.ts";

const CANDIDATES = 40;
const MOST_WAIT_MS = 10_000;

/** @param ask - Answers a query in the fused order. */
export async function searchReranked(
  bench: Workbench,
  query: SearchQuery,
  ask: (query: SearchQuery) => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const { search, model: modelConfig, ingest } = await bench.config();
  const model = search.rerank === "model" ? await bench.languageModel() : undefined;
  if (model === undefined) return ask(query);
  const [{ createModelSelector }, { rerankHits }, { conflictNotes }, { meterModel }, store] = await Promise.all([
    import("../../models/adapters/model-selector.ts"),
    import("../../retrieve/rerank.ts"),
    import("../../retrieve/rank/conflict-notes.ts"),
    import("../../ingest/session/metered-model.ts"),
    bench.store(),
  ]);
  const timeoutMs = Math.min(MOST_WAIT_MS, modelConfig.timeoutMs);
  const { models: prices } = ingest.prices;
  const price = prices[model.name.slice(model.name.indexOf(":") + 1)] ?? prices[model.name];
  const usage = store.sessions;
  const metered = meterModel({
    model,
    budgets: ingest.budgets,
    price,
    usage,
    now: bench.now,
    run: null,
    session: null,
  });
  const answer = await ask({ ...query, limit: Math.max(query.limit, CANDIDATES) });
  const reranker = createModelSelector(metered, { timeoutMs });
  const reranked = await rerankHits(
    { reranker, timeoutMs },
    { query: query.text, hits: answer.hits, signal: query.signal },
  );
  const hits = reranked.hits.slice(0, query.limit);
  return { ...answer, hits, notes: conflictNotes(hits), degraded: [...answer.degraded, ...reranked.degraded] };
}
