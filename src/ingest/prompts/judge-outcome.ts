/** The prompt that asks whether a session reached its goal, where the signals leave it open. */
import type { OutcomeSignal } from "../../core/session.ts";
import { type Boundary, SENTINEL_LINE } from "./boundary.ts";
import type { Prompt } from "./extract-facts.ts";
import { strictObject } from "./fact-schema.ts";

export const JUDGE_OUTCOME_VERSION = 1;

export interface JudgePromptInput {
  readonly boundary: Boundary;
  /** Rendered human turns that state or change the goal. */
  readonly goal: string;
  /** Rendered last turns. */
  readonly ending: string;
  readonly signals: readonly OutcomeSignal[];
}

export function judgeOutcomePrompt({ boundary, goal, ending, signals }: JudgePromptInput): Prompt {
  const system = [
    SENTINEL_LINE,
    "You judge whether a recorded session of a coding agent reached its user's goal.",
    boundary.rule,
    [
      "- success: the user accepted the result, or a check after the last change passed.",
      "- partial: part of the goal was reached, or it was reached with open complaints.",
      "- failure: the user rejected the result, or the last check failed and was not fixed.",
      "- unknown: anything else. Prefer it: a wrong success teaches mistakes.",
      "The assistant's own claim of success counts for nothing.",
      "Cite the turns that show it (12 for t12). Give your confidence from 0 to 1 and the reason in one sentence.",
    ].join("\n"),
  ].join("\n\n");
  const prompt = [
    `Goal:\n${boundary.wrap(goal)}`,
    `End of the session:\n${boundary.wrap(ending)}`,
    `Signals found by rule:\n${signals.map(signalLine).join("\n") || "- none"}`,
  ].join("\n\n");
  const json = strictObject({
    evidence: { type: "array", items: { type: "integer" } },
    reason: { type: "string" },
    label: { type: "string", enum: ["success", "partial", "failure", "unknown"] },
    confidence: { type: "number" },
  });
  return { system, prompt, schema: { name: "outcome", json } };
}

function signalLine({ id, weight, turn, resolved }: OutcomeSignal): string {
  const where = turn === null ? "" : ` in t${turn}`;
  return `- ${id} (${weight > 0 ? "+" : ""}${weight})${where}${resolved ? ", answered later" : ""}`;
}
