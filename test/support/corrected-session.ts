/** The session that most tests of ingestion run on, and what a model says of it. */
import type { Session } from "../../src/core/session.ts";
import type { ModelRequest } from "../../src/models/language-model.ts";
import { buildSession, human, runs } from "./build-session.ts";
import { type CannedModel, type CannedReply, cannedModel } from "./stage-deps.ts";

export const CORRECTION = "No, use pnpm here, not npm: the lockfile is pnpm's.";

/** A success: corrected, verified, accepted. */
export function corrected(extra: Parameters<typeof buildSession>[0] = [], changes: Partial<Session> = {}): Session {
  return buildSession(
    [
      human("Add left-pad to the web package."),
      runs("npm install left-pad", "added 1 package"),
      human(CORRECTION),
      runs("pnpm add left-pad", "done"),
      runs("pnpm test", "12 passed"),
      human("Perfect, thanks."),
      ...extra,
    ],
    changes,
  );
}

export const PNPM = {
  type: "preference",
  polarity: "do",
  title: "Use pnpm in this repository, not npm",
  content: "Dependencies are added with pnpm here, not npm, because the lockfile is pnpm's.",
  why: "The lockfile is pnpm's.",
  how_to_apply: "Run pnpm add instead of npm install.",
  when_to_use: ["adding a dependency with pnpm"],
  when_not: null,
  applies_if: null,
  symbols: ["pnpm"],
  scope: "project",
  source: "user_stated",
  confidence: 0.9,
  resolved_at: 4,
  evidence: [{ turn: 3, quote: "use pnpm here, not npm" }],
  expires: null,
};

export const facts = (...items: object[]) => JSON.stringify({ facts: items });

/** Answers by stage. */
export function modelOf(replies: Partial<Record<ModelRequest["stage"], CannedReply>>): CannedModel {
  return cannedModel(({ stage }) => replies[stage] ?? new Error(`unexpected ${stage}`));
}
