/**
 * The session-start hook as a whole process, model embedding included, beside bare `node -e 0` in turns: in a git
 * repository with changes, with a store of so many notes.
 */
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { MiniLmEmbedder } from "../src/internals.ts";
import { type Figure, toFigure } from "./figure.ts";
import { besideBareNode, processMs } from "./measure.ts";
import {
  fillStore,
  makeSampleHome,
  openSampleStore,
  pooledEmbedder,
  type SampleHome,
  sampleTexts,
} from "./sample-store.ts";

const HOOK = resolve(import.meta.dirname, "../dist/hooks/run-hook.js");
const RUNS = 25;
const COLD_FACET_RUNS = 9;

export async function sessionStartFigures(counts: readonly number[]): Promise<Figure[]> {
  using home = await makeSampleHome();
  const embedder = await pooledEmbedder(new MiniLmEmbedder(), sampleTexts(home.projectId));
  const store = await openSampleStore(home);
  const figures: Figure[] = [];
  let filled = 0;
  for (const count of counts) {
    await fillStore(store, { project: home.projectId, from: filled, count: count - filled, embedder });
    filled = count;
    figures.push(...measureStart(home, count));
  }
  await embedder.close();
  await store.close();
  return figures;
}

function measureStart(home: SampleHome, count: number): Figure[] {
  const log = join(home.environment.ARCTICMEM_HOME ?? "", "arcticmem.log");
  rmSync(log, { force: true });
  let session = 0;
  const start = () => ({
    args: [HOOK, "claude-code"],
    cwd: home.project,
    env: { ...home.environment, ARCTICMEM_NO_WORKER: "1" },
    input: JSON.stringify({
      session_id: `bench-${count}-${session++}`,
      cwd: home.project,
      hook_event_name: "SessionStart",
      source: "startup",
    }),
  });
  const run = {
    ...start(),
    get input() {
      return start().input;
    },
  };
  const { values, baseline } = besideBareNode(run, RUNS);
  const cold: number[] = [];
  for (let time = 0; time < COLD_FACET_RUNS; time += 1) {
    rmSync(join(home.environment.ARCTICMEM_HOME ?? "", "facet-vectors.json"), { force: true });
    cold.push(processMs(run));
  }
  const fallbacks = fellBack(log) / (RUNS + COLD_FACET_RUNS + 1);
  return [
    toFigure({ name: `session-start-${count}`, unit: "ms", values, baseline }),
    toFigure({ name: `session-start-${count}-new-facets`, unit: "ms", values: cold, baseline }),
    toFigure({ name: `session-start-${count}-fallback-share`, unit: "share", values: [fallbacks] }),
  ];
}

/** Starts whose log says that some of the answer came from words and symbols only. */
function fellBack(log: string): number {
  try {
    return readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes("degraded")).length;
  } catch {
    return 0; // no log: no start had anything to say
  }
}
