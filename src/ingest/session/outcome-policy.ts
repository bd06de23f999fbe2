/** What may be learned from a session that ended so. */
import type { Profile } from "../../core/profile.ts";
import type { Outcome } from "../../core/session.ts";
import { hasHardEvidence } from "../outcome/score-signals.ts";

export interface OutcomePolicyChoice {
  /** Everything that is worth keeping. */
  readonly facts: boolean;
  /** Warnings only, each from a failed local tool. */
  readonly failureLessons: boolean;
  /** What people said, by rule, beside or instead of the model. */
  readonly userStated: boolean;
  /** The standing of what a model extracts. */
  readonly status: "active" | "provisional";
}

export function policyFor(outcome: Outcome, { outcome: policy }: Pick<Profile, "outcome">): OutcomePolicyChoice {
  const { userStatedFromAny: userStated, failureLessons } = policy;
  if (outcome.label === "success") {
    return { facts: true, failureLessons: false, userStated: false, status: "active" };
  }
  if (outcome.label === "failure") return { facts: false, failureLessons, userStated, status: "provisional" };
  const keeps = (outcome.label === "partial" ? policy.onPartial : policy.onUnknown) === "provisional";
  const failed = failureLessons && hasHardEvidence(outcome, -1); // and was not put right: worth a second question
  return { facts: keeps, failureLessons: failed, userStated, status: "provisional" };
}
