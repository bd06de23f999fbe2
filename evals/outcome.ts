/**
 * Whether it is told rightly that a session succeeded, on the golden set: signals alone, and with the model as judge.
 *
 *   npm run eval:outcome -- [--base-url URL --model NAME] [--n 3] [--record DIR] [--replay [DIR]] [--json]
 */
import {
  isJudged,
  judgeOutcomes,
  type OutcomeFinding,
  type OutcomeScore,
  outcomeLabels,
  scoreOutcome,
} from "./golden/outcome-score.ts";
import type { EvalDefinition } from "./golden/report.ts";
import { runEval } from "./golden/run-eval.ts";
import { showRate } from "./score/wilson.ts";

const OUTCOME: EvalDefinition<OutcomeScore, OutcomeFinding> = {
  name: "outcome",
  meaning: { harmful: "sessions told as success that are none", omission: "successes that were not told as such" },
  score: scoreOutcome,
  find: judgeOutcomes,
  rows: [
    ["precision of success", ({ successPrecision }) => showRate(successPrecision)],
    ["coverage", ({ coverage }) => showRate(coverage)],
    ["right", ({ right }) => showRate(right)],
  ],
  details: ({ confusion }) => [
    `| expected | ${outcomeLabels().join(" | ")} |`,
    `|---|${outcomeLabels()
      .map(() => "---|")
      .join("")}`,
    ...outcomeLabels().map(
      (label) =>
        `| ${label} | ${outcomeLabels()
          .map((judged) => confusion[label][judged])
          .join(" | ")} |`,
    ),
  ],
  describe: ({ name, expected, judged, isRight, signals }) =>
    isRight ? "" : `${name}: ${judged}, not ${expected} (${signals.join(", ") || "no signals"})`,
};

await runEval(OUTCOME, { wants: isJudged, stages: ["judge"] });
