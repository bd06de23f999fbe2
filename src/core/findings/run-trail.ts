/** What one run decided about one memory, and by which prompts: the part of a run that `why` tells. */
import type { MemoryId } from "../ids.ts";
import type { DecisionTrail, RunRecord } from "../report.ts";

/** One line for the prompts, one for each decision that made, met or replaced the memory. */
export function runTrail({ report }: Pick<RunRecord, "report">, memory: MemoryId): string[] {
  if (report === null) return [];
  const notes = report.stages.flatMap((stage) => stage.notes).filter((note) => note.startsWith("prompt "));
  const prompts = [...new Set(notes.map((note) => note.replace(/^prompt |,.*$/g, "")))];
  const decisions = report.decisions.filter((decision) => decision.memory === memory || decision.target === memory);
  return [...(prompts.length === 0 ? [] : [`prompts: ${prompts.join(", ")}`]), ...decisions.map(decisionText)];
}

function decisionText({ title, proposed, applied, guards, reason }: DecisionTrail): string {
  const by = guards.length === 0 ? "" : ` [${guards.join(", ")}]`;
  return `“${title}”: proposed ${proposed}, done ${applied}${by}${reason === null ? "" : `: ${reason}`}`;
}
