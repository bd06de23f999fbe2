/**
 * Extraction on the golden set, rules and model side by side (F15: apart from what becomes of memories, which
 * `eval:lifecycle` measures), and whether what did not prove itself is kept out of sight (F17).
 *
 *   npm run eval:extract -- [--base-url URL --model NAME] [--n 3] [--record DIR] [--replay [DIR]] [--json]
 */
import { type CaseFindings, type ExtractionScore, findingsOf, scoreExtraction } from "./golden/extraction-score.ts";
import type { EvalDefinition } from "./golden/report.ts";
import { runEval } from "./golden/run-eval.ts";
import { showRate } from "./score/wilson.ts";

const EXTRACT: EvalDefinition<ExtractionScore, CaseFindings> = {
  name: "extract",
  meaning: { harmful: "kept facts that must not be kept", omission: "wanted facts that are missing" },
  score: scoreExtraction,
  find: (run) => [findingsOf(run)],
  rows: [
    ["precision", ({ precision }) => showRate(precision)],
    ["recall", ({ recall }) => showRate(recall)],
    ["F1", ({ f1 }) => (f1 === null ? "–" : f1.toFixed(2))],
    ["facts from sessions with nothing to keep", ({ nullFacts }) => String(nullFacts)],
    ["such sessions with facts", ({ nullCasesWithFacts }) => showRate(nullCasesWithFacts)],
    ["quotes found in the transcript", ({ grounded }) => showRate(grounded)],
    ["polarity right", ({ polarityRight }) => showRate(polarityRight)],
    ["duplicates per 100", ({ duplicatesPer100 }) => (duplicatesPer100 === null ? "–" : duplicatesPer100.toFixed(1))],
    ["recall, lessons", ({ recallByType }) => shown(recallByType.lesson)],
    ["recall, context", ({ recallByType }) => shown(recallByType.context)],
    ["recall, preferences", ({ recallByType }) => shown(recallByType.preference)],
    ["recall, pointers", ({ recallByType }) => shown(recallByType.pointer)],
    ["F17: trusted, of facts from unproven sessions", ({ trustedUnproven }) => showRate(trustedUnproven)],
    ["F17: unconfirmed facts shown unasked", ({ unconfirmedShown }) => showRate(unconfirmedShown)],
    ["F17: the same, once confirmed", ({ confirmedShown }) => showRate(confirmedShown)],
  ],
  details: ({ junkByRule }) => {
    const rules = Object.entries(junkByRule).map(([rule, rate]) => `- ${rule}: ${showRate(rate)}`);
    return rules.length === 0 ? [] : ["Rejected by rule, of all candidates:", ...rules];
  },
  describe: ({ name, missing, extra, forbidden, unearned, result }) => {
    const parts = [
      missing.length === 0 ? "" : `missing ${missing.join(", ")}`,
      extra.length === 0 ? "" : `extra ${extra.map((title) => `"${title}"`).join(", ")}`,
      forbidden.length === 0
        ? ""
        : `forbidden ${forbidden.map(({ title, reason }) => `"${title}" (${reason})`).join(", ")}`,
      unearned.length === 0 ? "" : `trusted or shown without proof ${unearned.map((title) => `"${title}"`).join(", ")}`,
    ].filter((part) => part !== "");
    return parts.length === 0 ? "" : `${name} (${result}): ${parts.join("; ")}`;
  },
};

function shown(rate: Parameters<typeof showRate>[0] | undefined): string {
  return rate === undefined ? "–" : showRate(rate);
}

await runEval(EXTRACT);
