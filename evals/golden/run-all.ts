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
import { type CaseRun, runCase } from "./run/run-case.ts";
import { nameOfOrder, runSequence, type SequenceRun } from "./run/run-sequence.ts";
import { ordersOf, SEQUENCES, type Sequence } from "./run/sequences.ts";
import { SCRIPT } from "./scripted-answers.ts";

export interface GoldenRun {
  readonly runs: readonly CaseRun[];
  /** Empty where the eval has none. */
  readonly sequences: readonly SequenceRun[];
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
  /** Runs the sequences as well, in every order. */
  readonly sequences?: boolean;
}

export async function runGolden(options: EvalOptions, { wants, stages, sequences = false }: Scope): Promise<GoldenRun> {
  const all = readGolden();
  const cases = new Map(all.map((golden) => [golden.name, golden]));
  refuseUnknown(options.cases ?? [], [...cases.keys()]);
  const chosen = all.filter((golden) => wants(golden) && (options.cases?.includes(golden.name) ?? true));
  const embedder = new MiniLmEmbedder();
  await using scripted = options.scripted ? await startScriptedModel(SCRIPT) : undefined;
  try {
    const source = options.rulesOnly ? undefined : sourceOf(options, scripted?.baseUrl);
    const systems = new Set<string>();
    const plan = { chosen, cases, embedder, source, stages, systems };
    const runs = await runEach(plan, options);
    const orders = sequences ? await runOrders(plan, options) : [];
    const promptHash = sha256([...systems].sort().join("\n")).slice(0, 16);
    return {
      runs,
      sequences: orders,
      model: source === undefined ? null : { ...source.about, staleReplies: source.stale(), promptHash },
    };
  } finally {
    await embedder.close();
  }
}

/** A name with a slip would otherwise give a report about nothing. */
function refuseUnknown(asked: readonly string[], cases: readonly string[]): void {
  const orders = SEQUENCES.flatMap((sequence) => [sequence.name, ...ordersOfSequence(sequence)]);
  const unknown = asked.filter((name) => ![...cases, ...orders].includes(name));
  if (unknown.length > 0) throw new Error(`There is no case ${unknown.join(", ")}. There are: ${cases.join(", ")}.`);
}

function ordersOfSequence(sequence: Sequence): string[] {
  return ordersOf(sequence.values.length).map((order) => nameOfOrder(sequence, order));
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

/** Every order of every sequence; once each, since orders repeat one another enough. */
async function runOrders({ embedder, source, ...watch }: Plan, { json, cases }: EvalOptions): Promise<SequenceRun[]> {
  const orders = SEQUENCES.flatMap((sequence) =>
    ordersOf(sequence.values.length).map((order) => ({ sequence, order })),
  );
  const chosen = orders.filter(({ sequence, order }) => {
    const names = [sequence.name, nameOfOrder(sequence, order)];
    return cases?.some((name) => names.includes(name)) ?? true;
  });
  const runs: SequenceRun[] = [];
  for (const { sequence, order } of chosen) {
    const name = nameOfOrder(sequence, order);
    if (!json) process.stderr.write(`${name}\n`);
    const request = { sequence, order, repeat: 1, embedder };
    runs.push(await runSequence(request));
    if (source === undefined) continue;
    runs.push(await runSequence({ ...request, model: watched(watch, source.open({ name, repeat: 1 })) }));
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
