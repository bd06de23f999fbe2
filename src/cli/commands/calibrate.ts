/** `arcticmem calibrate`: measures what the cosines of the embedding model mean, and keeps it for search and ingestion. */
import { Command } from "commander";
import type { CalibrationReport } from "../../core/findings/calibration.ts";
import type { CliContext } from "../context.ts";
import { columns, type JsonOption, writeJson, writeLines } from "../output.ts";
import { progressBar } from "../progress.ts";

interface CalibrateOptions extends JsonOption {
  readonly force?: boolean;
}

export function calibrateCommand(context: CliContext): Command {
  return new Command("calibrate")
    .summary("measure the thresholds of the embedding model on labelled pairs")
    .option("--force", "keep the result for the built-in model too, in place of what comes with it")
    .option("--json", "print one JSON object")
    .action(async (options: CalibrateOptions) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const force = options.force === true;
      const report = await memory.models.calibrate({ force, onProgress: bar.update }).finally(bar.end);
      if (options.json === true) writeJson(context, report);
      else writeLines(context, reportLines(report));
    });
}

function reportLines(report: CalibrationReport): string[] {
  const { calibration, duplicateRecall, unguardedNearMisses, shownAnswers, hiddenUnrelated, saved } = report;
  return [
    calibration.fingerprint,
    ...columns(Object.entries(calibration.cosines).map(([name, cosine]) => [`  ${name}`, cosine.toFixed(3)])),
    `paraphrases known as duplicates without a model: ${percent(duplicateRecall)}`,
    `near-misses that only the threshold parts: ${unguardedNearMisses}`,
    `questions that show their answer: ${percent(shownAnswers)}`,
    `unrelated questions that show nothing: ${percent(hiddenUnrelated)}`,
    saved ? "kept for this model" : "not kept: the built-in model comes calibrated (--force keeps it)",
  ];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
