/** The road that the three evals share: options, runs, report, exit code: 2 where it was asked wrongly. */
import { readOptions, USAGE, wantsHelp } from "./options.ts";
import { buildReport, type EvalDefinition, type FirstRates, printReport } from "./report.ts";
import { runGolden, type Scope } from "./run-all.ts";

export async function runEval<Score extends FirstRates, Finding>(
  definition: EvalDefinition<Score, Finding>,
  scope: Scope = { wants: () => true },
): Promise<void> {
  const args = process.argv.slice(2);
  if (wantsHelp(args)) {
    process.stdout.write(`npm run eval:${definition.name} -- [options]\n\n${USAGE}\n`);
    return;
  }
  try {
    const options = readOptions(args);
    const report = buildReport(definition, await runGolden(options, scope), options);
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(definition, report));
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 2;
  }
}
