/** `arcticmem why`: where a memory came from, and everything that was done to it. */
import { Command } from "commander";
import { runTrail } from "../../core/findings/run-trail.ts";
import type { WhyReport } from "../../core/memory.ts";
import { handleOf } from "../../core/memory-record.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, type Paint, writeJson, writeLines } from "../output.ts";
import { memoryJson, renderOptions, viewLines } from "../render-memory.ts";
import { resultText } from "../render-run.ts";

export function whyCommand(context: CliContext): Command {
  return new Command("why")
    .summary("where a memory came from and what was done to it")
    .argument("<handle>", "which memory")
    .option("--json", "print one JSON object")
    .action(async (handle: string, options: JsonOption) => {
      await using memory = await context.openMemory();
      const report = await memory.keep.why(handle);
      if (options.json === true) {
        const { events, versions, runs } = report;
        writeJson(context, { memory: memoryJson(report.memory), events, versions: versions.map(memoryJson), runs });
        return;
      }
      const view = await memory.get(report.memory.id);
      const rendering = renderOptions(context);
      writeLines(context, [...viewLines(view, rendering), ...historyLines(report, rendering.paint)]);
    });
}

function historyLines({ memory, events, versions, runs }: WhyReport, paint: Paint): string[] {
  return [
    "",
    paint.dim("history"),
    ...events.map((event) => {
      const rules = event.rules.length === 0 ? "" : ` [${event.rules.join(", ")}]`;
      const run = event.run === null ? "" : ` run ${event.run}`;
      return `  ${stamp(event.at)}  ${event.kind} by ${event.actor}${run}${rules}${event.reason === null ? "" : `: ${event.reason}`}`;
    }),
    ...versions
      .filter((version) => version.version !== memory.version)
      .flatMap((version) => [
        `  ${handleOf(version)} version ${version.version}: ${version.title}`,
        ...(version.content === version.title
          ? []
          : version.content.split("\n").map((line) => paint.dim(`    ${line}`))),
      ]),
    ...(runs.length === 0 ? [] : ["", paint.dim("runs")]),
    ...runs.flatMap((run) => {
      const result = run.report === null ? (run.error ?? run.status) : resultText(run.report.result);
      const trail = runTrail(run, memory.id).map((line) => paint.dim(`    ${line}`));
      return [`  ${run.id}  ${run.extractor}, profile ${run.profile}: ${result}`, ...trail];
    }),
  ];
}

function stamp(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}
