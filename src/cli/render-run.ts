/** Runs of ingestion as people read them: what came out, what was left out and by which rule, what it cost. */
import { HANDLE_CHARACTERS } from "../core/ids.ts";
import { handleOf } from "../core/memory-record.ts";
import type { DecisionTrail, IngestReport, RunRecord, RunResult, SkipReason } from "../core/report.ts";
import { ageOf, columns, counted, type Paint } from "./output.ts";

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  active: "it is still being written, or a worker is at it",
  budget: "the budget is used up; it is tried again when the day is over",
  empty: "nobody said anything in it",
  external: "it holds text from outside",
  outcome: "it did not succeed, and nothing may be learned from it",
  sentinel: "it is one of our own extraction sessions",
};

const UNDONE = "undone: what follows was taken back; `arcticmem restore <handle>` brings one back";

/** One of the four ends in a few words. */
export function resultText(result: RunResult): string {
  switch (result.kind) {
    case "facts":
      return "facts";
    case "no_facts":
      return "nothing worth keeping";
    case "skipped":
      return `skipped: ${SKIPPED[result.reason]}`;
    case "failed":
      return `failed (${result.failure}${result.retryable ? ", will be retried" : ""}): ${result.message}`;
    default:
      return result satisfies never;
  }
}

/** What an ingestion did, stage by stage. */
export function ingestLines(report: IngestReport, paint: Paint): string[] {
  return [
    `${paint.bold(report.run)}  ${report.host} session ${report.session}`,
    `${resultText(report.result)}${report.dryRun ? " (dry run: nothing was written)" : ""}${report.alreadyIngested ? " (ingested before)" : ""}`,
    ...placeLines(report),
    ...(report.undone === true ? [paint.bold(UNDONE)] : []),
    `extractor: ${report.extractor}${report.mode === "rules" ? " (rules, no model: everything stays provisional)" : ""}`,
    ...withoutModelLines(report, paint),
    ...outcomeLines(report, paint),
    ...decisionLines(report, paint),
    ...rejectionLines(report, paint),
    ...stageLines(report, paint),
    ...(report.coverage >= 1 ? [] : [`coverage: ${Math.round(report.coverage * 100)}% of the session was read`]),
    ...report.leftOut.map((part) => `left out: ${part}`),
  ];
}

function placeLines({ place, project }: IngestReport): string[] {
  if (place === undefined) return [];
  const why = place.goneFolder === null ? "where the session ran" : `${place.goneFolder}, its own folder, is not here`;
  return [`project: ${place.name} (${project}): ${why}`];
}

/** One line a run. */
export function runLines(runs: readonly RunRecord[], now: Date): string[] {
  return columns(
    runs.map((run) => [
      run.id,
      run.status,
      ageOf(run.updatedAt, now),
      run.report === null
        ? (run.error ?? "")
        : `${run.report.undone === true ? "undone: " : ""}${summaryOf(run.report)}`,
      `${run.host} ${run.session}`,
    ]),
  );
}

/** `2 added, 1 known`: decisions by what became of them. */
export function summaryOf(report: IngestReport): string {
  if (report.result.kind !== "facts") return resultText(report.result);
  const names = { ADD: "added", UPDATE: "updated", DELETE: "superseding", NONE: "known" } as const;
  const parts = Object.entries(names).flatMap(([applied, name]) => {
    const count = report.decisions.filter((decision) => decision.applied === applied).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.length === 0 ? "facts" : parts.join(", ");
}

/** A session that rules read because the model could not be asked looks like any other: it is told apart here. */
function withoutModelLines({ withoutModel, dryRun }: IngestReport, paint: Paint): string[] {
  if (withoutModel === undefined) return [];
  const { run, message, retryable } = withoutModel;
  const later = retryable
    ? "the session is tried again later"
    : `set that right, then \`arcticmem runs retry ${run}\` asks it`;
  const lines = [`the model could not be asked: ${message}`, ...(dryRun ? [] : [`rules stood in; ${later}`])];
  return lines.map(paint.yellow);
}

function outcomeLines(report: IngestReport, paint: Paint): string[] {
  const outcome = report.outcome;
  if (outcome === null) return [];
  const signals = outcome.signals.map(
    (signal) =>
      `  ${signal.weight > 0 ? "+" : ""}${signal.weight} ${signal.id}${signal.turn === null ? "" : ` (turn ${signal.turn})`}${signal.resolved ? " answered later" : ""}`,
  );
  return [`outcome: ${outcome.label} (${outcome.evidence}, score ${outcome.score})`, ...signals.map(paint.dim)];
}

function decisionLines(report: IngestReport, paint: Paint): string[] {
  if (report.decisions.length === 0) return [];
  const rows = report.decisions.map((decision) => [
    decision.memory === null
      ? decision.applied
      : `${decision.applied} ${handleOf({ id: decision.memory, type: decision.type })}`,
    decision.type,
    decision.title + paint.dim(asideOf(decision)),
  ]);
  return ["", paint.bold(counted(report.decisions.length, "fact")), ...columns(rows).map((line) => `  ${line}`)];
}

/** What else it touches, which guards spoke, and why. */
function asideOf({ applied, memory, target, guards, reason }: DecisionTrail): string {
  const other = target === null || target === memory ? undefined : target.slice(0, HANDLE_CHARACTERS);
  return [
    ...(other === undefined ? [] : [`  ${applied === "DELETE" ? "replaces" : "beside"} ${other}`]),
    ...(guards.length === 0 ? [] : [`  [${guards.join("; ")}]`]),
    ...(reason === null ? [] : [`  ${reason}`]),
  ].join("");
}

function rejectionLines(report: IngestReport, paint: Paint): string[] {
  if (report.rejections.length === 0) return [];
  const rows = report.rejections.map(({ rule, title, detail }) => [rule, title, paint.dim(detail)]);
  return ["", paint.bold(`${report.rejections.length} left out`), ...columns(rows).map((line) => `  ${line}`)];
}

function stageLines(report: IngestReport, paint: Paint): string[] {
  if (report.stages.length === 0) return [];
  const rows = report.stages.map((stage) => [
    stage.stage,
    `${Math.round(stage.durationMs)} ms`,
    stage.calls === 0 ? "" : `${counted(stage.calls, "call")}, ${stage.inputTokens} + ${stage.outputTokens} tokens`,
    stage.notes.join("; "),
  ]);
  return ["", ...columns(rows).map((line) => paint.dim(`  ${line}`))];
}
