/** `arcticmem ingest`: turns one session's transcript into memories, now. */
import { resolve } from "node:path";
import { Command } from "commander";
import { given } from "../../core/given.ts";
import type { IngestOptions } from "../../core/memory.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, paintFor, writeJson, writeLines } from "../output.ts";
import { oneOf } from "../parse-options.ts";
import { progressBar } from "../progress.ts";
import { ingestLines } from "../render-run.ts";

const OUTCOMES = ["success", "partial", "failure"] as const;

interface IngestCommandOptions extends JsonOption {
  readonly dryRun?: boolean;
  readonly outcome?: (typeof OUTCOMES)[number];
  readonly host?: string;
}

export function ingestCommand(context: CliContext): Command {
  return new Command("ingest")
    .summary("turn a session's transcript into memories")
    .argument("<transcript>", "file that an agent host wrote")
    .option("--dry-run", "show what would be kept, and write nothing; calls of a model still count as spent")
    .option("--outcome <outcome>", "state how the session ended: success, partial, failure", (text) =>
      oneOf(OUTCOMES, text),
    )
    .option("--host <name>", "which host wrote it (default: recognised)")
    .option("--json", "print the report as one JSON object")
    .action(async (transcript: string, { host, dryRun, outcome, json }: IngestCommandOptions) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const request: IngestOptions = {
        onStage: bar.stage,
        signal: context.signal,
        ...given({ host, dryRun, outcome }),
      };
      const report = await memory.ingest.session(resolve(context.cwd, transcript), request).finally(bar.end);
      if (json === true) writeJson(context, report);
      else writeLines(context, ingestLines(report, paintFor(context, context.stdout)));
      if (report.result.kind === "failed" || report.withoutModel?.retryable === false) context.setExitCode(1);
    });
}
