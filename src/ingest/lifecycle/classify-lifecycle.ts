/**
 * The decision call: new facts beside the memories that they may repeat, refine or disprove. Whatever comes back is a
 * proposal; a call that fails for good is told apart from one that proposes nothing.
 */
import { ModelError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { IdSource } from "../../core/ids.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import type { LanguageModel } from "../../models/language-model.ts";
import { createBoundary } from "../prompts/boundary.ts";
import { CLASSIFY_LIFECYCLE_VERSION, classifyLifecyclePrompt } from "../prompts/classify-lifecycle.ts";
import { repairPrompt } from "../prompts/repair-facts.ts";
import { ask } from "../stage-deps.ts";
import type { StageAccount } from "../stage-report.ts";
import type { IncomingFact, Proposal } from "./decision.ts";
import { decisionProblems, parseDecisions } from "./parse-decisions.ts";

export interface ClassifyLifecycleDeps {
  readonly model: LanguageModel;
  readonly ids: IdSource;
  readonly account: StageAccount;
  readonly timeoutMs: number;
}

export interface LifecycleQuestion {
  readonly facts: readonly IncomingFact[];
  readonly candidates: ReadonlyMap<number, MemoryRecord>;
  readonly now: Date;
  readonly signal?: AbortSignal;
}

/** `failed`: the model did not answer, or not in any form that could be read, twice. */
export type LifecycleAnswer =
  | { readonly kind: "proposal"; readonly proposal: Proposal }
  | { readonly kind: "failed"; readonly failure: "model" | "parse"; readonly message: string };

/** At most two calls. Without candidates none: there is nothing to compare with. */
export async function classifyLifecycle(
  { model, ids, account, timeoutMs }: ClassifyLifecycleDeps,
  { facts, candidates, now, signal }: LifecycleQuestion,
): Promise<LifecycleAnswer> {
  if (facts.length === 0 || candidates.size === 0) return { kind: "proposal", proposal: EMPTY };
  account.note(
    `prompt classify-lifecycle@${CLASSIFY_LIFECYCLE_VERSION}, ${facts.length} facts, ${candidates.size} candidates`,
  );
  const boundary = createBoundary(ids);
  const asking = { model, ...given({ signal }) };
  const prompt = classifyLifecyclePrompt({ boundary, facts, candidates, now });
  try {
    const first = await ask(asking, account, { stage: "lifecycle", ...prompt, timeoutMs });
    const proposal = parseDecisions(first);
    if (proposal !== undefined && !isAllDropped(proposal)) return { kind: "proposal", proposal };
    account.note("the reply held no decisions: asked once more");
    const problems = decisionProblems(first);
    const repair = repairPrompt({ boundary, schema: prompt.schema, reply: first.text, problems });
    const second = parseDecisions(await ask(asking, account, { stage: "repair", ...repair, timeoutMs }));
    if (second !== undefined) return { kind: "proposal", proposal: second };
    return { kind: "failed", failure: "parse", message: "no decisions in the reply, nor in its repair" };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { kind: "failed", failure: "model", message: messageOf(error) };
  }
}

const EMPTY: Proposal = { decisions: [], verdicts: [], dropped: 0 };

function isAllDropped({ decisions, dropped }: Proposal): boolean {
  return decisions.length === 0 && dropped > 0;
}
