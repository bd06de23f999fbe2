/**
 * What becomes of memories that were there before a session, on the golden set, rules and model side by side.
 *
 *   npm run eval:lifecycle -- [--base-url URL --model NAME] [--n 3] [--record DIR] [--replay [DIR]] [--json]
 */
import {
  becameNames,
  hasLifecycle,
  judgeSeeds,
  type LifecycleScore,
  type SeedFinding,
  scoreLifecycle,
} from "./golden/lifecycle-score.ts";
import type { EvalDefinition } from "./golden/report.ts";
import { runEval } from "./golden/run-eval.ts";
import { showRate } from "./score/wilson.ts";

const LIFECYCLE: EvalDefinition<LifecycleScore, SeedFinding> = {
  name: "lifecycle",
  meaning: {
    harmful: "memories that had to stay and were changed or lost",
    omission: "memories that had to change and still stand as they were",
  },
  score: scoreLifecycle,
  find: judgeSeeds,
  rows: [
    ["omissions that are marked as a conflict", ({ flagged }) => showRate(flagged)],
    ["untrue memories still served as true", ({ staleServed }) => showRate(staleServed)],
    ["restated memories seen again", ({ seenAgain }) => showRate(seenAgain)],
  ],
  details: ({ confusion }) => [
    `| expected | ${becameNames().join(" | ")} |`,
    `|---|${becameNames()
      .map(() => "---|")
      .join("")}`,
    ...Object.entries(confusion).map(
      ([expected, row]) =>
        `| ${expected} | ${becameNames()
          .map((became) => row[became])
          .join(" | ")} |`,
    ),
  ],
  describe: ({ name, seed, expected, became }) =>
    expected === became ? "" : `${name}: ${seed} is ${became}, not ${expected}`,
};

await runEval(LIFECYCLE, { wants: hasLifecycle });
