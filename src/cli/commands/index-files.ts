/** `arcticmem index`: brings the index of the project's instruction and memory files in step with the workspace. */
import { Command } from "commander";
import type { IndexReport } from "../../core/report.ts";
import type { CliContext } from "../context.ts";
import { counted, type JsonOption, type Paint, paintFor, writeJson, writeLines } from "../output.ts";
import { progressBar } from "../progress.ts";

interface IndexOptions extends JsonOption {
  readonly embed: boolean;
}

export function indexCommand(context: CliContext): Command {
  return new Command("index")
    .summary("index the project's rules and memory files")
    .option("--no-embed", "text only; vectors follow with the next worker run")
    .option("--json", "print one JSON object")
    .action(async (options: IndexOptions) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const how = { onProgress: bar.update, embed: options.embed, signal: context.signal };
      const report = await memory.files.index(how).finally(bar.end);
      if (options.json === true) writeJson(context, report);
      else writeLines(context, indexLines(report, paintFor(context, context.stdout)));
    });
}

function indexLines(report: IndexReport, paint: Paint): string[] {
  const changes = [
    ...report.added.map((path) => `${paint.green("+")} ${path}`),
    ...report.changed.map((path) => `${paint.yellow("~")} ${path}`),
    ...report.removed.map((path) => `${paint.red("-")} ${path}`),
    ...report.skipped.map(({ path, reason }) => paint.dim(`! ${path}: ${reason}`)),
  ];
  const embedded = report.embedded === 0 ? "nothing new to embed" : `${report.embedded} embedded`;
  return [...changes, `${counted(report.files, "file")}, ${counted(report.chunks, "passage")}, ${embedded}`];
}
