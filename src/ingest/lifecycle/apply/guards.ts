/**
 * The guards of the lifecycle: each looks at one proposal and names itself when it does not hold. A model proposes, these
 * decide; none of them can be talked to. All are pure.
 */
import {
  type FactBody,
  type MemoryRecord,
  rankOfSource,
  type SourceRank,
  sameScope,
} from "../../../core/memory-record.ts";
import { type ClaimSets, claimSets } from "../../../text/claims.ts";
import { modalityViolations } from "../../../text/modality.ts";
import { claimOf, wholeText } from "../../extract/filters/fact-rule.ts";
import type { DecisionInput, IncomingFact, MergedText, Operation, ProposedDecision } from "../decision.ts";
import type { Likeness } from "../likeness.ts";
import { DELETE_CONFIDENCE, KEPT_LENGTH, REASON_CHARACTERS } from "../thresholds.ts";

/** Id of a guard, as it stands in events and trails. */
export type Guard = `guard:${string}`;

/** Memories that no pipeline may change. */
export function isImmutable(memory: MemoryRecord): boolean {
  return memory.pinned || memory.humanEdited;
}

export function weakerSource(a: SourceRank, b: SourceRank): SourceRank {
  return rankOfSource(a) >= rankOfSource(b) ? a : b;
}

/** Whether a fact may lower the standing of a memory at all: content from outside may not, nor a weaker source. */
export function mayDispute({ fact }: IncomingFact, memory: MemoryRecord): boolean {
  return !isImmutable(memory) && fact.trust >= 2 && rankOfSource(fact.source) <= rankOfSource(memory.source);
}

/**
 * Makes operation and relation agree.
 *
 * @returns The operation that the relation allows, and the guard that changed it.
 */
export function operationFor({ op, relation }: ProposedDecision): { readonly op: Operation; readonly guard?: Guard } {
  const disagrees: Guard = "guard:relation";
  if (op === "ADD" || relation === null) return { op };
  if (relation === "separate") return { op: "ADD", guard: disagrees };
  const replaces = relation === "contradicts" || relation === "outdates";
  if (op === "UPDATE" && replaces) return { op: "DELETE", guard: disagrees };
  if (op === "NONE" && replaces) return { op: "ADD", guard: disagrees };
  if (op === "DELETE" && relation === "same") return { op: "NONE", guard: disagrees };
  if (op === "DELETE" && !replaces) return { op: "ADD", guard: disagrees };
  return { op };
}

/** "The target already says it" must be plausible, or the fact would be lost. */
export function refuseNone(incoming: IncomingFact, target: MemoryRecord, likeness: Likeness): Guard | undefined {
  if (!likeness.covers(incoming.fact, target)) return "guard:none-implausible";
  if (likeness.differs(incoming.fact, target)) return "guard:none-differs";
  if (target.trust < Math.min(incoming.fact.trust, 2)) return "guard:trust";
  return undefined;
}

/** Whether this fact may put its text into that memory, whatever the text. */
export function refuseUpdate(incoming: IncomingFact, target: MemoryRecord): Guard | undefined {
  const { fact, scope, status } = incoming;
  if (target.pinned) return "guard:pinned";
  if (target.humanEdited) return "guard:human-edited";
  if (fact.type !== target.type || !sameScope(scope, target.scope)) return "guard:type-scope";
  if (fact.polarity !== target.polarity) return "guard:polarity";
  if (fact.trust <= 1) return "guard:trust";
  if (rankOfSource(fact.source) > rankOfSource(target.source)) return "guard:rank";
  if (status === "provisional" && target.status === "active") return "guard:standing";
  return undefined;
}

/** Whether a merged text loses, invents or strengthens something. */
export function refuseMerge(
  { fact }: IncomingFact,
  decision: ProposedDecision,
  { target, merged, input }: { target: MemoryRecord; merged: FactBody; input: DecisionInput },
): Guard | undefined {
  if (!isWellFormed(merged, input.policy.titleMax)) return "guard:schema";
  if (input.refuseText(wholeText(merged)) !== undefined) return "guard:text";
  const sources = [wholeText(target), wholeText(fact)];
  if (!isGrounded(merged, sources)) return "guard:ungrounded";
  if (losesClaims(target, merged, decision.reason)) return "guard:loss";
  const violations = modalityViolations({ target: target.content, others: [fact.content], merged: merged.content });
  return violations.length === 0 ? undefined : "guard:modality";
}

/** The merged body: what the model wrote, else what the target has; triggers and names of both. */
export function mergedBody(target: MemoryRecord, incoming: FactBody, merged: MergedText): FactBody {
  return {
    type: target.type,
    polarity: target.polarity,
    title: merged.title ?? target.title,
    content: merged.content ?? target.content,
    why: merged.why ?? target.why,
    howToApply: merged.howToApply ?? target.howToApply,
    whenToUse: unique([...target.whenToUse, ...(merged.whenToUse ?? incoming.whenToUse)]).slice(0, 3),
    whenNot: merged.whenNot ?? target.whenNot,
    appliesIf: merged.appliesIf ?? target.appliesIf,
    symbols: unique([...target.symbols, ...incoming.symbols]),
  };
}

/** Whether a proposal to remove is one at all: it says why, shows it, and speaks of the same matter. */
export function refuseDeleteClaim(
  { fact }: IncomingFact,
  target: MemoryRecord,
  { decision, input, likeness }: { decision: ProposedDecision | undefined; input: DecisionInput; likeness: Likeness },
): Guard | undefined {
  if (decision === undefined || decision.reason.trim().length < REASON_CHARACTERS) return "guard:reason";
  if (decision.quote.trim() === "" || !input.quoteStands(decision.quote)) return "guard:quote";
  if (!likeness.sameMatter(fact, target)) return "guard:topic";
  return undefined;
}

/** Whether this fact has the standing to remove that memory. */
export function refuseDeleteStanding(
  incoming: IncomingFact,
  target: MemoryRecord,
  allowDelete: boolean,
): Guard | undefined {
  const { fact, scope, status } = incoming;
  if (target.pinned) return "guard:pinned";
  if (target.humanEdited) return "guard:human-edited";
  if (fact.trust <= 1) return "guard:trust";
  if (rankOfSource(fact.source) > rankOfSource(target.source)) return "guard:rank";
  if (fact.confidence < DELETE_CONFIDENCE) return "guard:confidence";
  if (scope.kind === "project" && target.scope.kind === "user") return "guard:type-scope";
  if (status === "provisional" && target.status === "active" && fact.source !== "user_stated") return "guard:standing";
  return allowDelete ? undefined : "guard:delete-off";
}

function isWellFormed(body: FactBody, titleMax: number): boolean {
  const { title, content, why, howToApply, whenToUse } = body;
  return (
    title.length >= 8 &&
    title.length <= titleMax &&
    !/[\n\r]/.test(title) &&
    content.length >= 25 &&
    content.length <= 700 &&
    [why, howToApply].every((text) => text.trim() !== "" && text.length <= 700) &&
    whenToUse.length > 0 &&
    whenToUse.every((text) => text.trim() !== "" && text.length <= 300)
  );
}

/** Every number, version and name of the merge stands in one of its sources. */
function isGrounded(merged: FactBody, sources: readonly string[]): boolean {
  const known = new Set(sources.flatMap((source) => exactClaims(claimSets(source))));
  return exactClaims(claimSets(wholeText(merged))).every((item) => known.has(item));
}

/** Numbers and names of the target that are gone, other than those which the reason speaks of; or too much text. */
function losesClaims(target: FactBody, merged: FactBody, reason: string): boolean {
  const kept = new Set(exactClaims(claimSets(`${claimOf(merged)}\n${reason}`)));
  const lost = exactClaims(claimSets(claimOf(target))).filter((item) => !kept.has(item));
  return lost.length > 0 || merged.content.length < target.content.length * KEPT_LENGTH;
}

function exactClaims(sets: ClaimSets): string[] {
  return [...sets.numbers, ...sets.versions, ...sets.identifiers];
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
