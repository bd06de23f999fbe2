/**
 * The prompt for sessions that did not succeed: warnings only, verified by a local tool, with no diagnosis beyond the
 * evidence and nothing to imitate.
 */
import { SENTINEL_LINE } from "./boundary.ts";
import type { ExtractPromptInput, Prompt } from "./extract-facts.ts";
import { factSchema } from "./fact-schema.ts";

export const FAILURE_LESSONS_VERSION = 1;

export function failureLessonsPrompt(input: ExtractPromptInput): Prompt {
  const { profile, boundary, sessionDate, transcript, part } = input;
  const system = [
    SENTINEL_LINE,
    "The session below did not reach its goal. You write warnings for a future agent that meets the same situation. An empty list is a normal answer.",
    boundary.rule,
    [
      "A warning holds, and nothing else:",
      "- title and content: the situation, what was tried, and the error as the tool printed it, spelled exactly.",
      '- why: "resolved in this session by …" with the turn in resolved_at, or "unresolved".',
      "- how_to_apply: what to check before trying the same. No procedure, no example to follow.",
      '- no diagnosis beyond the evidence: "failed with E", not "X is broken".',
      "- evidence: at least one quote of at most 160 characters, copied exactly from a result of a local tool that failed.",
      "- type lesson, polarity avoid, source tool_verified, scope project, when_to_use one to three situations.",
    ].join("\n"),
    `At most ${profile.limits.maxFailureLessons} warnings, those first that cost the most.`,
  ].join("\n\n");
  const prompt = [
    `The session took place on ${sessionDate}.`,
    ...(part.of > 1 ? [`This is part ${part.number} of ${part.of} of the session.`] : []),
    boundary.wrap(transcript),
    "List the warnings, or none.",
  ].join("\n\n");
  const json = factSchema(profile, { types: ["lesson"], polarities: ["avoid"] });
  return { system, prompt, schema: { name: "facts", json } };
}
