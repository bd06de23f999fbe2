/** `arcticmem work`: one worker run: spooled sessions, retries that are due, missing vectors. */
import { Command } from "commander";
import type { WorkReport } from "../../core/memory.ts";
import type { CliContext } from "../context.ts";
import { counted, type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { progressBar } from "../progress.ts";
import { summaryOf } from "../render-run.ts";

export function workCommand(context: CliContext): Command {
  return new Command("work")
    .summary("ingest what waits, once, and end")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const report = await memory.ingest.work({ onStage: bar.stage, signal: context.signal }).finally(bar.end);
      if (options.json === true) writeJson(context, report);
      else {
        writeLines(context, workLines(report));
        if (report.busy) tell(context, "Another worker is at it: nothing was done.");
      }
      if (report.failed.length > 0) context.setExitCode(1);
    });
}

function workLines(report: WorkReport): string[] {
  const remaining = report.remaining === 0 ? "nothing waits" : `${report.remaining} wait`;
  const { processed, failed, embedded } = report;
  return [
    ...processed.map((run) => `${run.host} ${run.session}: ${summaryOf(run)}`),
    ...failed.map(
      ({ session, message, retryable }) => `${session}: failed${retryable ? ", will be retried" : ""}: ${message}`,
    ),
    `${counted(processed.length, "session")} ingested, ${counted(embedded, "text")} embedded, ${remaining}`,
  ];
}
