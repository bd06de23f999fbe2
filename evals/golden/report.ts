/** What all three evals report: by mode and part of the set, with what it cost, and the two rates that come first. */
import { type Rate, showRate } from "../score/wilson.ts";
import type { EvalOptions } from "./options.ts";
import type { CaseRun, Mode } from "./run/run-case.ts";
import type { SequenceRun } from "./run/run-sequence.ts";
import type { GoldenRun } from "./run-all.ts";

export interface FirstRates {
  readonly harmful: Rate;
  readonly omission: Rate;
}

export interface Cost {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** `null` where no price was given. */
  readonly money: number | null;
  /** Runs in which the model failed and rules stood in. */
  readonly modelFailures: number;
}

export interface ModeReport<Score> {
  readonly dev: Score;
  /** Nothing is tuned on these. */
  readonly held: Score;
  readonly cost: Cost;
}

export interface EvalReport<Score extends FirstRates, Finding> {
  readonly eval: string;
  readonly at: string;
  readonly label: string;
  readonly model: GoldenRun["model"];
  /** Profile and version under which the sessions were read. */
  readonly extractors: readonly string[];
  /** Of model mode where there is one, else of rules mode; over both parts of the set. */
  readonly harmfulRate: number | null;
  readonly omissionRate: number | null;
  readonly harmful: Rate;
  readonly omission: Rate;
  /** Of the lifecycle alone. */
  readonly staleServedRate?: number | null;
  readonly staleServed?: Rate;
  readonly modes: Readonly<Partial<Record<Mode, ModeReport<Score>>>>;
  readonly findings: readonly (Finding & { readonly mode: Mode; readonly split: "dev" | "held" })[];
}

export interface EvalDefinition<Score extends FirstRates, Finding> {
  readonly name: string;
  /** What the two first rates count, for people. */
  readonly meaning: { readonly harmful: string; readonly omission: string };
  score(runs: readonly CaseRun[], sequences: readonly SequenceRun[]): Score;
  find(run: CaseRun): readonly Finding[];
  findInSequence?(run: SequenceRun): readonly Finding[];
  /** A third rate of the report's head, where there is one. */
  staleServed?(score: Score): Rate;
  /** Lines of a table's further rows: name, then the value of a score. */
  readonly rows: readonly (readonly [string, (score: Score) => string])[];
  /** Tables for one score, as lines. */
  details?(score: Score): readonly string[];
  /** What is worth a line for a single case; empty where all went well. */
  describe(finding: Finding): string;
}

export function buildReport<Score extends FirstRates, Finding>(
  definition: EvalDefinition<Score, Finding>,
  { runs, sequences, model }: GoldenRun,
  { price }: EvalOptions,
): EvalReport<Score, Finding> {
  const modes = [...new Set([...runs, ...sequences].map(({ mode }) => mode))];
  const main = model === null ? "rules" : "model";
  const first = definition.score(of(runs, main), of(sequences, main));
  const stale = definition.staleServed?.(first);
  return {
    eval: definition.name,
    at: new Date().toISOString(),
    label: labelOf(model),
    model,
    extractors: [...new Set(runs.flatMap(({ reports }) => reports.map(({ extractor }) => extractor)))].sort(),
    harmfulRate: first.harmful.rate,
    omissionRate: first.omission.rate,
    ...(stale === undefined ? {} : { staleServedRate: stale.rate }),
    harmful: first.harmful,
    omission: first.omission,
    ...(stale === undefined ? {} : { staleServed: stale }),
    modes: Object.fromEntries(
      modes.map((mode) => [
        mode,
        modeReport(definition, { runs: of(runs, mode), sequences: of(sequences, mode) }, price),
      ]),
    ),
    findings: [
      ...runs.flatMap((run) =>
        definition.find(run).map((finding) => ({ ...finding, mode: run.mode, split: run.golden.expected.split })),
      ),
      ...sequences.flatMap((run) =>
        (definition.findInSequence?.(run) ?? []).map((finding) => ({
          ...finding,
          mode: run.mode,
          split: run.sequence.split,
        })),
      ),
    ],
  };
}

function labelOf(model: GoldenRun["model"]): string {
  if (model === null) return "rules only";
  if (model.scripted) return "scripted replies: they measure the pipeline, not the quality of any model";
  return model.recordedAt === null ? `model ${model.name}` : `model ${model.name}, recorded ${model.recordedAt}`;
}

function of<Run extends { readonly mode: Mode }>(runs: readonly Run[], mode: Mode): Run[] {
  return runs.filter((run) => run.mode === mode);
}

function modeReport<Score extends FirstRates, Finding>(
  { score }: EvalDefinition<Score, Finding>,
  { runs, sequences }: Pick<GoldenRun, "runs" | "sequences">,
  price: EvalOptions["price"],
): ModeReport<Score> {
  const part = (split: string): Score =>
    score(
      runs.filter(({ golden }) => golden.expected.split === split),
      sequences.filter(({ sequence }) => sequence.split === split),
    );
  return { dev: part("dev"), held: part("held"), cost: costOf([...runs, ...sequences], price) };
}

function costOf(runs: readonly Pick<CaseRun, "mode" | "reports">[], price: EvalOptions["price"]): Cost {
  const stages = runs.flatMap(({ reports }) => reports.flatMap((report) => report.stages));
  const sum = (key: "calls" | "inputTokens" | "outputTokens"): number =>
    stages.reduce((total, stage) => total + stage[key], 0);
  const [inputTokens, outputTokens] = [sum("inputTokens"), sum("outputTokens")];
  const stoodIn = runs.filter(
    ({ mode, reports }) => mode === "model" && reports.some((report) => report.mode === "rules"),
  );
  return {
    calls: sum("calls"),
    inputTokens,
    outputTokens,
    money: price === undefined ? null : (inputTokens * price.input + outputTokens * price.output) / 1_000_000,
    modelFailures: stoodIn.length,
  };
}

export function printReport<Score extends FirstRates, Finding>(
  definition: EvalDefinition<Score, Finding>,
  report: EvalReport<Score, Finding>,
): string {
  const columns = columnsOf(report);
  const row = (name: string, value: (score: Score) => string): string =>
    `| ${name} | ${columns.map(({ score }) => value(score)).join(" | ")} |`;
  return [
    `# ${definition.name}: ${report.label}`,
    "",
    `harmful: ${definition.meaning.harmful}; omission: ${definition.meaning.omission}. Intervals are Wilson's, 95%.`,
    "",
    `| | ${columns.map(({ title }) => title).join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    row("**harmful**", ({ harmful }) => showRate(harmful)),
    row("**omission**", ({ omission }) => showRate(omission)),
    ...definition.rows.map(([name, value]) => row(name, value)),
    ...columns.flatMap(({ title, score }) => {
      const details = definition.details?.(score) ?? [];
      return details.length === 0 ? [] : ["", `## ${title}`, ...details];
    }),
    "",
    ...costLines(report),
    "",
    ...caseLines(definition, report),
    "",
  ].join("\n");
}

function columnsOf<Score extends FirstRates, Finding>({ modes, model }: EvalReport<Score, Finding>) {
  const named = { rules: "rules", model: model?.scripted === true ? "model (scripted)" : "model" };
  return (["rules", "model"] as const).flatMap((mode) => {
    const found = modes[mode];
    if (found === undefined) return [];
    return [
      { title: `${named[mode]}, dev`, score: found.dev },
      { title: `${named[mode]}, held`, score: found.held },
    ];
  });
}

function costLines<Score extends FirstRates, Finding>({ modes, model }: EvalReport<Score, Finding>): string[] {
  const cost = modes.model?.cost;
  if (cost === undefined || model === null) return [];
  const money = cost.money === null ? "no price given" : cost.money.toFixed(4);
  return [
    `Model mode: ${cost.calls} calls, ${cost.inputTokens} tokens in, ${cost.outputTokens} out, cost ${money}; ${model.repeats} run(s) of each case; prompts ${model.promptHash}.`,
    ...(cost.modelFailures > 0 ? [`In ${cost.modelFailures} run(s) the model failed and rules stood in.`] : []),
    ...(model.staleReplies > 0
      ? [`${model.staleReplies} replies were recorded for another wording of the prompt: record again.`]
      : []),
  ];
}

/** Of the held part only the sums are shown: whoever sees its cases begins to tune on them. */
function caseLines<Score extends FirstRates, Finding>(
  { describe }: EvalDefinition<Score, Finding>,
  { findings }: EvalReport<Score, Finding>,
): string[] {
  return findings.flatMap((finding) => {
    const text = finding.split === "held" ? "" : describe(finding);
    return text === "" ? [] : [`- ${finding.mode}: ${text}`];
  });
}
