/** Runs the golden set in rules mode and, where there is a model, in model mode. */
import {
  createOpenAiCompatibleModel,
  type Embedder,
  type LanguageModel,
  MiniLmEmbedder,
  type ModelReply,
  type ModelRequest,
  sha256,
} from "../../src/internals.ts";
import { startScriptedModel } from "../../test/support/scripted-model/server.ts";
import { type GoldenCase, readGolden } from "../datasets/golden.ts";
import { liveSource, type ModelAbout, type ModelSource, recordedSource, withoutTags } from "./model-source.ts";
import type { EvalOptions } from "./options.ts";
import { type CaseRun, runCase } from "./run-case.ts";
import { SCRIPT } from "./scripted-answers.ts";

export interface GoldenRun {
  readonly runs: readonly CaseRun[];
  /** `null` in rules mode alone. */
  readonly model: (ModelAbout & { readonly staleReplies: number; readonly promptHash: string }) | null;
}

const SCRIPTED_NAME = "scripted";
const NOTHING_TO_SAY: ModelReply = {
  text: JSON.stringify({ facts: [], summaries: [], decisions: [], verdicts: [] }),
  truncated: false,
  usage: { inputTokens: 0, outputTokens: 0 },
  calls: 0,
};

/** What of the golden set, and of the model, an eval is about. */
export interface Scope {
  readonly wants: (golden: GoldenCase) => boolean;
  /** Stages that the model is asked in; to all others it is given nothing to say, which saves their cost. */
  readonly stages?: readonly ModelRequest["stage"][];
}

export async function runGolden(options: EvalOptions, { wants, stages }: Scope): Promise<GoldenRun> {
  const all = readGolden();
  const cases = new Map(all.map((golden) => [golden.name, golden]));
  const chosen = all.filter((golden) => wants(golden) && (options.cases?.includes(golden.name) ?? true));
  const embedder = new MiniLmEmbedder();
  await using scripted = options.scripted ? await startScriptedModel(SCRIPT) : undefined;
  try {
    const source = options.rulesOnly ? undefined : sourceOf(options, scripted?.baseUrl);
    const systems = new Set<string>();
    const runs = await runEach({ chosen, cases, embedder, source, stages, systems }, options);
    const promptHash = sha256([...systems].sort().join("\n")).slice(0, 16);
    return { runs, model: source === undefined ? null : { ...source.about, staleReplies: source.stale(), promptHash } };
  } finally {
    await embedder.close();
  }
}

interface Plan {
  readonly chosen: readonly GoldenCase[];
  readonly cases: ReadonlyMap<string, GoldenCase>;
  readonly embedder: Embedder;
  readonly source: ModelSource | undefined;
  readonly stages: Scope["stages"];
  /** Filled with the hash of every system prompt: wording and profile are in it. */
  readonly systems: Set<string>;
}

async function runEach(
  { chosen, cases, embedder, source, stages, systems }: Plan,
  { json }: EvalOptions,
): Promise<CaseRun[]> {
  const runs: CaseRun[] = [];
  for (const [at, golden] of chosen.entries()) {
    if (!json) process.stderr.write(`${at + 1}/${chosen.length} ${golden.name}\n`);
    runs.push(await runCase({ embedder, cases }, { golden, repeat: 1 }));
    for (let repeat = 1; source !== undefined && repeat <= source.about.repeats; repeat += 1) {
      const model = watched({ stages, systems }, source.open({ name: golden.name, repeat }));
      runs.push(await runCase({ embedder, cases }, { golden, repeat, model }));
    }
  }
  return runs;
}

function watched({ stages, systems }: Pick<Plan, "stages" | "systems">, model: LanguageModel): LanguageModel {
  return {
    ...model,
    generate: async (request) => {
      if (stages !== undefined && !stages.includes(request.stage)) return NOTHING_TO_SAY;
      systems.add(sha256(withoutTags(request.system)));
      return model.generate(request);
    },
  };
}

function sourceOf(options: EvalOptions, scriptedUrl: string | undefined): ModelSource {
  const { endpoint, contextTokens, repeats, record } = options;
  const asked =
    scriptedUrl === undefined ? endpoint : { baseUrl: scriptedUrl, model: SCRIPTED_NAME, keyVariable: undefined };
  if (asked === undefined) return recordedSource(options.replay);
  const { baseUrl, keyVariable } = asked;
  const key =
    keyVariable === undefined ? ({ kind: "none" } as const) : ({ kind: "environment", variable: keyVariable } as const);
  const model = createOpenAiCompatibleModel({
    baseUrl,
    model: asked.model,
    contextTokens,
    key,
    environment: process.env,
  });
  const about = { name: model.name, contextTokens, scripted: scriptedUrl !== undefined, repeats };
  return liveSource(model, about, record);
}
