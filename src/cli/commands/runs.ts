/** `arcticmem runs`: what each ingestion did, rule by rule. */
import { Command } from "commander";
import { given } from "../../core/given.ts";
import { type CliContext, tell } from "../context.ts";
import { type JsonOption, paintFor, writeJson, writeLines } from "../output.ts";
import { positiveInteger } from "../parse-options.ts";
import { ingestLines, runLines } from "../render-run.ts";

interface RunListOptions extends JsonOption {
  readonly limit: number;
  readonly everywhere?: boolean;
}

export function runsCommand(context: CliContext): Command {
  return new Command("runs")
    .summary("what each ingestion did")
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(showCommand(context));
}

function listCommand(context: CliContext): Command {
  return new Command("list")
    .summary("the latest runs of this project")
    .option("-n, --limit <count>", "most to show", positiveInteger, 20)
    .option("--everywhere", "of all projects")
    .option("--json", "print one JSON object per line")
    .action(async ({ limit, everywhere, json }: RunListOptions) => {
      await using memory = await context.openMemory();
      const runs = await memory.ingest.runs({ limit, ...given({ everywhere }) });
      if (json === true) for (const run of runs) writeJson(context, run);
      else writeLines(context, runLines(runs, context.now()));
      if (runs.length === 0) tell(context, "No session was ingested yet.");
    });
}

function showCommand(context: CliContext): Command {
  return new Command("show")
    .summary("one run: outcome, decisions, what each rule left out, cost")
    .argument("<run>", "its id, as listed")
    .option("--json", "print one JSON object")
    .action(async (id: string, options: JsonOption) => {
      await using memory = await context.openMemory();
      const run = await memory.ingest.run(id);
      if (options.json === true) {
        writeJson(context, run);
        return;
      }
      const paint = paintFor(context, context.stdout);
      const head = [`${run.id}  ${run.status}, attempt ${run.attempts}, ${run.transcript}`];
      if (run.error !== null) head.push(paint.red(run.error));
      writeLines(context, run.report === null ? head : [...head, ...ingestLines(run.report, paint)]);
    });
}
