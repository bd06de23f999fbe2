/**
 * Search in a process that lives, without the query's embedding: all five arms, fusion, adjustment, and the final rows.
 * Vectors and texts are synthetic. Beside it, one stock full-text query over the same notes.
 */
import { search } from "../src/internals.ts";
import { type Figure, toFigure } from "./figure.ts";
import { percentile } from "./measure.ts";
import { fillStore, makeSampleHome, openSampleStore, syntheticEmbedder } from "./sample-store.ts";

const QUERIES = 400;
const WARM_UP = 40;

export async function searchFigures(counts: readonly number[]): Promise<Figure[]> {
  using home = await makeSampleHome();
  const embedder = syntheticEmbedder();
  const store = await openSampleStore(home);
  const figures: Figure[] = [];
  let filled = 0;
  for (const count of counts) {
    await fillStore(store, { project: home.projectId, from: filled, count: count - filled, embedder });
    filled = count;
    const vector = embedder.embedQuery?.("a query") ?? new Float32Array(embedder.dimensions);
    const given = { ...embedder, embedQuery: () => vector };
    const deps = { index: store.index, embedder: given, now: () => new Date() };
    const times: number[] = [];
    for (let number = 0; number < QUERIES + WARM_UP; number += 1) {
      const text = QUESTIONS[number % QUESTIONS.length] ?? "";
      const started = performance.now();
      await search(deps, { text: `${text} ${number % 50}`, projects: [home.projectId], limit: 10 });
      if (number >= WARM_UP) times.push(performance.now() - started);
    }
    figures.push(toFigure({ name: `search-p50-${count}`, unit: "ms", values: times }), {
      ...toFigure({ name: `search-p95-${count}`, unit: "ms", values: [percentile(times, 0.95)] }),
      runs: times.length,
    });
  }
  await store.close();
  return figures;
}

const QUESTIONS = [
  "why does the valve drop the schedule overnight",
  "debugging the parser of case",
  "pump_ledger",
  "the invoice looks wrong after a restart",
  "where is the migration of the replica",
  "the worker rounds the token under load, what to check first",
];
