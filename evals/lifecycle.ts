/**
 * What becomes of memories that were there before a session, on the golden set and on sequences of sessions in every
 * order, rules and model side by side.
 *
 *   npm run eval:lifecycle -- [--base-url URL --model NAME] [--n 3] [--record DIR] [--replay [DIR]] [--json]
 */
import {
  becameNames,
  hasLifecycle,
  judgeOrder,
  judgeSeeds,
  type LifecycleScore,
  type OrderFinding,
  type SeedFinding,
  scoreLifecycle,
} from "./golden/lifecycle-score.ts";
import type { EvalDefinition } from "./golden/report.ts";
import { runEval } from "./golden/run-eval.ts";
import { showRate } from "./score/wilson.ts";

const LIFECYCLE: EvalDefinition<LifecycleScore, SeedFinding | OrderFinding> = {
  name: "lifecycle",
  meaning: {
    harmful: "memories that had to stay and were changed or lost",
    omission: "memories that had to change and still stand as they were",
  },
  score: scoreLifecycle,
  find: judgeSeeds,
  findInSequence: judgeOrder,
  staleServed: ({ staleServed }) => staleServed,
  rows: [
    ["**stale-served** (F16)", ({ staleServed }) => showRate(staleServed)],
    ["– after golden sessions", ({ staleInCases }) => showRate(staleInCases)],
    ["– after sequences, in every order", ({ staleInOrders }) => showRate(staleInOrders)],
    ["– with a mark of the conflict", ({ staleMarked }) => showRate(staleMarked)],
    ["the value that holds is served", ({ currentServed }) => showRate(currentServed)],
    ["F15: changes whose fact was extracted", ({ extractedChanges }) => showRate(extractedChanges)],
    ["F15: changes made, of those extracted", ({ updatesGivenFact }) => showRate(updatesGivenFact)],
    ["F15: changes lost at", ({ lostAt }) => showCounts(lostAt)],
    ["omissions that are marked as a conflict", ({ flagged }) => showRate(flagged)],
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
  describe: (finding) => ("seed" in finding ? describeSeed(finding) : describeOrder(finding)),
};

function describeSeed({ name, seed, expected, became, lostAt }: SeedFinding): string {
  const where = lostAt === undefined ? "" : ` (lost at ${lostAt})`;
  return expected === became ? "" : `${name}: ${seed} is ${became}, not ${expected}${where}`;
}

function describeOrder({ name, stale, isCurrentServed }: OrderFinding): string {
  const parts = [
    ...(stale.length === 0 ? [] : [`still serves ${stale.join(" and ")}`]),
    ...(isCurrentServed ? [] : ["does not serve what holds"]),
  ];
  return `${name}: ${parts.join(", ")}`;
}

function showCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

await runEval(LIFECYCLE, { wants: hasLifecycle, sequences: true });
