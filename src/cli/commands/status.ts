/** `arcticmem status`: what is kept, what waits, what it costs, and whether anything is not being stored. */
import { Command } from "commander";
import type { StatusReport } from "../../core/report.ts";
import type { CliContext } from "../context.ts";
import { ageOf, bytesText, columns, type JsonOption, type Paint, paintFor, writeJson, writeLines } from "../output.ts";

export function statusCommand(context: CliContext): Command {
  return new Command("status")
    .summary("what is kept, what waits, what it cost")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const report = await memory.status();
      if (options.json === true) writeJson(context, report);
      else writeLines(context, statusLines(report, paintFor(context, context.stdout), context.now()));
      if (report.store.problem !== null || report.extractor.problem !== undefined) context.setExitCode(1);
    });
}

function statusLines(report: StatusReport, paint: Paint, now: Date): string[] {
  const rows: (readonly [string, string])[] = [
    ["arcticmem", report.version],
    ["store", storeText(report, paint)],
    ["project", report.project === null ? "none" : `${report.project.name} (${report.project.id})`],
    ["memories", countsText(report.memories)],
    ["files", `${report.files.files} indexed, ${report.files.chunks} passages`],
    ["queue", queueText(report, paint)],
    ["extractor", extractorText(report, paint)],
    ["embedder", embedderText(report, paint)],
    ["today", usageText(report)],
    ["last run", lastRunText(report, now)],
  ];
  return [
    ...columns(rows.map(([name, text]) => [paint.dim(name), text])),
    ...report.deadLetters.map(({ run, session, error }) =>
      paint.red(`given up: session ${session}: ${error} (\`arcticmem runs retry ${run}\`)`),
    ),
    ...(report.disabled
      ? [paint.yellow("switched off by ARCTICMEM_DISABLE: no session is learned from or shown anything")]
      : []),
    ...(report.paused ? [paint.yellow("paused: nothing is learned from sessions until `arcticmem resume`")] : []),
    ...report.warnings.map((warning) => paint.yellow(`warning: ${warning}`)),
  ];
}

function storeText({ store }: StatusReport, paint: Paint): string {
  const place = `${store.path} (${bytesText(store.bytes)})`;
  if (store.problem !== null) return `${place} ${paint.red(`NOT STORING: ${store.problem}`)}`;
  return store.writable ? place : `${place} ${paint.red("NOT STORING: read-only")}`;
}

function countsText(memories: StatusReport["memories"]): string {
  const counts = Object.entries(memories).filter(([, count]) => count > 0);
  return counts.length === 0 ? "none" : counts.map(([status, count]) => `${count} ${status}`).join(", ");
}

function queueText({ queue }: StatusReport, paint: Paint): string {
  const text = `${queue.spooled} to ingest, ${queue.waiting} to retry, ${queue.running} running`;
  return queue.dead === 0 ? text : `${text}, ${paint.red(`${queue.dead} given up`)}`;
}

function extractorText({ extractor }: StatusReport, paint: Paint): string {
  const problem = extractor.problem === undefined ? "" : ` ${paint.red(`CAN'T LEARN: ${extractor.problem}`)}`;
  return `${extractorName(extractor)}${problem}`;
}

function extractorName(extractor: StatusReport["extractor"]): string {
  if (extractor.mode === "rules") return `${extractor.name}: rules, no model (what they find stays provisional)`;
  return `${extractor.name}${extractor.endpoint === null ? "" : ` at ${extractor.endpoint}`}`;
}

/** Which model, and what is missing. */
export function embedderText({ embedder }: Pick<StatusReport, "embedder">, paint: Paint): string {
  if (embedder.swap !== undefined) {
    const { from, done, total } = embedder.swap;
    return `${embedder.name}, ${paint.yellow(`${done} of ${total} texts embedded; ${from} serves until then`)}`;
  }
  if (embedder.missingVectors === 0) return embedder.name;
  return `${embedder.name}, ${paint.yellow(`${embedder.missingVectors} texts not embedded yet`)}`;
}

function usageText({ usage }: StatusReport): string {
  const dated = usage.pricesAsOf === null ? "" : ` by the prices of ${usage.pricesAsOf}`;
  const cost = usage.costToday === null ? "cost unknown" : `${usage.costToday.toFixed(4)} ${usage.currency}${dated}`;
  return `${usage.callsToday} model calls, ${usage.tokensToday} tokens, ${usage.callsToday === 0 ? "no cost" : cost}`;
}

function lastRunText({ lastRun }: StatusReport, now: Date): string {
  if (lastRun === null) return "none";
  const age = ageOf(lastRun.at, now);
  return `${age === "now" ? "just now" : `${age} ago`}: ${lastRun.result}${lastRun.error === null ? "" : ` (${lastRun.error})`}`;
}
