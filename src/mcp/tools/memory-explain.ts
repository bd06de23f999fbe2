/** `memory_explain`: where a note came from, and everything that was done to it. */
import { runTrail } from "../../core/findings/run-trail.ts";
import type { WhyReport } from "../../core/memory.ts";
import { dayOf } from "../../core/time/days.ts";
import { HANDLE_PROPERTY, type Tool } from "../tool.ts";

const MOST_EVENTS = 20;

export const memoryExplain: Tool<{ readonly id: string }> = {
  name: "memory_explain",
  description:
    "Tell where a note came from: session, quotes, extractor, and each change with its reason. Call it when the user " +
    "asks why you believe something, or when two notes disagree.",
  inputSchema: { type: "object", properties: { id: HANDLE_PROPERTY }, required: ["id"] },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ memory, input }) {
    const report = await memory.keep.why(input.id);
    const view = await memory.render.view(await memory.get(report.memory.id));
    return [view, "", ...historyLines(report).map(asData)].join("\n");
  },
};

function historyLines({ memory, events, runs }: WhyReport): string[] {
  const older = events.length - MOST_EVENTS;
  return [
    "History:",
    ...(older > 0 ? [`- ${older} older changes`] : []),
    ...events.slice(-MOST_EVENTS).map(({ at, kind, actor, rules, reason }) => {
      const by = rules.length === 0 ? actor : `${actor} (${rules.join(", ")})`;
      return `- ${dayOf(at)} ${kind} by ${by}${reason === null ? "" : `: ${reason}`}`;
    }),
    ...runs.flatMap((run) => [
      `- run ${run.id}: ${run.host} session ${run.session}, ${run.extractor}, profile ${run.profile}`,
      ...runTrail(run, memory.id).map((line) => `  - ${line}`),
    ]),
  ];
}

/** Reasons may quote a session: one line each, and nothing in them that reads as markup. */
function asData(line: string): string {
  return line
    .replace(/(?<=\S)\s+/g, " ")
    .replaceAll("<", "‹")
    .replaceAll(">", "›");
}
