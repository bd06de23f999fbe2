/** A second opinion for searches, where the user switched it on: one call of the language model a search, within the day's budget. */
import type { RerankDeps } from "../../retrieve/rerank.ts";
import type { Workbench } from "../workbench.ts";

const MOST_WAIT_MS = 10_000;

/** @returns Undefined where it is off, as it is by default, or where there is no language model. */
export async function rerankerOf(bench: Workbench): Promise<RerankDeps | undefined> {
  const { search, model: modelConfig, ingest } = await bench.config();
  const model = search.rerank === "model" ? await bench.languageModel() : undefined;
  if (model === undefined) return undefined;
  const [{ createModelSelector }, { meterModel }, store] = await Promise.all([
    import("../../models/adapters/model-selector.ts"),
    import("../../ingest/session/metered-model.ts"),
    bench.store(),
  ]);
  const timeoutMs = Math.min(MOST_WAIT_MS, modelConfig.timeoutMs);
  const { models: prices } = ingest.prices;
  const metered = meterModel({
    model,
    budgets: ingest.budgets,
    price: prices[model.name.slice(model.name.indexOf(":") + 1)] ?? prices[model.name],
    usage: store.sessions,
    now: bench.now,
    run: null,
    session: null,
  });
  return { reranker: createModelSelector(metered, { timeoutMs }), timeoutMs };
}
