/** `arcticmem runs`: what each ingestion did, rule by rule. */
import { Command } from "commander";
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, paintFor, tell, writeJson, writeLines } from "../output.ts";
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
    .addCommand(showCommand(context))
    .addCommand(settleCommand(context, "retry"))
    .addCommand(settleCommand(context, "dismiss"));
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

const SETTLING = {
  retry: {
    summary: "try runs again that were given up, or wait",
    done: "`arcticmem work` tries it now, else a later worker.",
  },
  dismiss: { summary: "leave runs as they failed, and hear no more of them", done: "It is not tried again." },
} as const;

interface SettleOptions extends JsonOption {
  readonly dead?: boolean;
}

function settleCommand(context: CliContext, how: keyof typeof SETTLING): Command {
  const { summary, done } = SETTLING[how];
  return new Command(how)
    .summary(summary)
    .argument("[runs...]", "their ids, as listed")
    .option("--dead", "all that were given up, of all projects")
    .option("--json", "print one JSON object per run")
    .action(async (ids: string[], { dead, json }: SettleOptions) => {
      if ((ids.length === 0) === (dead !== true)) throw new ArcticMemError("USAGE", "Give ids of runs, or --dead.");
      await using memory = await context.openMemory();
      const runs = await memory.ingest.settle(dead === true ? "dead" : ids, how);
      if (json === true) for (const run of runs) writeJson(context, run);
      else writeLines(context, runLines(runs, context.now()));
      tell(context, runs.length === 0 ? "No run was given up." : done);
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
