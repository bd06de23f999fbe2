/**
 * Facts into the store: what the session taught before is looked at again, the new facts are given ids, provenance and
 * citations, decided about and written; then slots with two values are marked, and vectors follow.
 */
import { given } from "../../core/given.ts";
import { memoryId, type ProjectId, type RunId } from "../../core/ids.ts";
import type { Evidence } from "../../core/memory-record.ts";
import { profileKey } from "../../core/profile.ts";
import type { DecisionTrail, Rejection, StageReport } from "../../core/report.ts";
import type { Outcome, Session } from "../../core/session.ts";
import { redactPatterns } from "../../text/redact.ts";
import { canonicalText } from "../../text/shingles.ts";
import { RULES_EXTRACTOR } from "../extract/extract-by-rules.ts";
import { instructionShape } from "../extract/filters/instruction-shape.ts";
import type { IngestDeps, IngestRequest } from "../ingest-deps.ts";
import { type DecidedFacts, decideFacts, handleAt, scopeFor } from "../lifecycle/decide-facts.ts";
import type { IncomingFact } from "../lifecycle/decision.ts";
import { sweepSlots } from "../lifecycle/sweep-slots.ts";
import type { SessionReading } from "../outcome/session-reading.ts";
import { openAccount, type StageAccount } from "../stage-report.ts";
import type { CollectedFact } from "./collect-facts.ts";
import { resolveFailures } from "./resolve-failures.ts";
import { isNoteOf, type ReviewPlan, reviewEarlier } from "./review-earlier.ts";
import { citationsOf, eventTime, provenanceOf } from "./session-evidence.ts";

export interface StoreFactsInput {
  readonly run: RunId;
  readonly opened: { readonly project: ProjectId; readonly root: string | null; readonly transcript: string };
  readonly request: IngestRequest;
  readonly session: Session;
  readonly outcome: Outcome;
  readonly reading: SessionReading;
  /** What the outcome makes of facts that a model extracted. */
  readonly status: "active" | "provisional";
  readonly facts: readonly CollectedFact[];
  readonly onStage: (stage: string) => void;
}

export interface StoredFacts {
  readonly trail: readonly DecisionTrail[];
  readonly rejections: readonly Rejection[];
  readonly stages: readonly StageReport[];
}

/** More lost races mean that something else is wrong. */
const MAX_ROUNDS = 4;
const DECISION_TIMEOUT_MS = 120_000;

/** @throws {ArcticMemError} what the store throws. Embedding that fails is told and made up for later. */
export async function storeFacts(deps: IngestDeps, input: StoreFactsInput): Promise<StoredFacts> {
  const dryRun = input.request.dryRun === true;
  const review = openAccount("review", deps.now);
  await lookAgain(deps, review, input);
  const reviewed = review.finish();
  input.onStage("lifecycle");
  const account = openAccount("lifecycle", deps.now);
  const decided = await decide(deps, account, input);
  if (dryRun) return { ...decided, stages: [reviewed, account.finish()] };
  await markRivals(deps, account, input);
  input.onStage("embed");
  const embedding = openAccount("embed", deps.now);
  try {
    embedding.note(`${await deps.embedMissing(input.request.signal)} texts`);
  } catch (error) {
    embedding.note(`vectors follow later: ${String(error)}`);
  }
  return { ...decided, stages: [reviewed, account.finish(), embedding.finish()] };
}

async function decide(deps: IngestDeps, account: StageAccount, input: StoreFactsInput): Promise<DecidedFacts> {
  const { session, request, run, opened } = input;
  const incoming: IncomingFact[] = [];
  for (const [at, collected] of input.facts.entries()) incoming.push(await incomingOf(deps, input, { at, collected }));
  const { lifecycle, limits } = deps.profile;
  return decideFacts(deps, account, {
    project: opened.project,
    facts: incoming,
    byRule: new Set(incoming.filter((_, at) => isByRule(input.facts[at])).map(({ handle }) => handle)),
    policy: { allowDelete: lifecycle.allowDelete, deleteCap: lifecycle.deleteCap, titleMax: limits.titleMax },
    quoteStands: (quote) => stands(session, quote),
    refuseText,
    run,
    profile: profileKey(deps.profile),
    dryRun: request.dryRun === true,
    timeoutMs: DECISION_TIMEOUT_MS,
    ...given({ signal: request.signal }),
  });
}

function isByRule(collected: CollectedFact | undefined): boolean {
  return collected?.extractor === RULES_EXTRACTOR;
}

/** Whether somebody or something in the session said so; looked up only for proposals to remove. */
function stands({ turns }: Session, quote: string): boolean {
  const wanted = canonicalText(quote);
  return (
    wanted !== "" && turns.some(({ text, tool }) => canonicalText(`${text}\n${tool?.args ?? ""}`).includes(wanted))
  );
}

/** R4 and R10 for texts that a model merged. */
function refuseText(text: string): string | undefined {
  if (redactPatterns(text) !== text) return "R4";
  return instructionShape(text) === undefined ? undefined : "R10";
}

async function incomingOf(
  deps: IngestDeps,
  { run, opened, session, status, request }: StoreFactsInput,
  { at, collected }: { readonly at: number; readonly collected: CollectedFact },
): Promise<IncomingFact> {
  const { fact, extractor, flags } = collected;
  const context = { session, run, transcript: opened.transcript, extractor, root: opened.root };
  return {
    handle: handleAt(at),
    fact,
    id: request.dryRun === true ? memoryId(deps.ids.next()) : await deps.store.memories.newId(),
    scope: scopeFor(fact, opened.project),
    eventAt: eventTime(fact, session),
    status: isByRule(collected) || fact.trust <= 1 ? "provisional" : status,
    flags,
    provenance: provenanceOf(fact, context),
    citations: citationsOf(fact, context),
  };
}

/**
 * Earlier facts of a session that went on, notes that an agent took in it, warnings that its success answers: before the
 * new facts meet them. A plan that loses a race is made again.
 */
async function lookAgain(deps: IngestDeps, account: StageAccount, input: StoreFactsInput): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { changes, events } = await planReview(deps, input);
    const isDone = changes.length === 0 || input.request.dryRun === true;
    if (!isDone && !(await deps.store.memories.apply(changes, events)).applied) continue;
    for (const { kind, memory, reason } of events) account.note(`${kind} ${memory}: ${reason}`);
    return;
  }
  account.note("others kept changing these memories: left to the next run");
}

async function planReview(
  { store, now, model }: IngestDeps,
  { session, reading, outcome, run, opened }: StoreFactsInput,
): Promise<ReviewPlan> {
  const mine = await store.memories.list({ session: session.id });
  const unproven = await store.memories.list({ projects: [opened.project], user: true, statuses: ["provisional"] });
  const notes = unproven.filter(({ id, provenance }) => {
    return !mine.some((memory) => memory.id === id) && provenance.some((source) => isNoteOf(source, session));
  });
  const review = reviewEarlier({ session, memories: [...mine, ...notes], outcome: outcome.label, run, now: now() });
  if (model === undefined || outcome.label !== "success") return review;
  const context = { session, run, ...opened, extractor: `model:${model.name}` };
  const provenance = (evidence: readonly Evidence[]) => provenanceOf({ evidence }, context);
  const answered = resolveFailures({ reading, memories: unproven, run, now: now(), provenance, refuseText });
  return { changes: [...review.changes, ...answered.changes], events: [...review.events, ...answered.events] };
}

/** Slots that two active memories fill with different values. */
async function markRivals(
  { store, now }: IngestDeps,
  account: StageAccount,
  { run, opened }: StoreFactsInput,
): Promise<void> {
  const active = await store.memories.list({ projects: [opened.project], user: true, statuses: ["active"] });
  const sweep = sweepSlots(active, { run, now: now() });
  for (const { relation, subject, values } of sweep.conflicts) {
    account.note(`two values for ${[subject, relation].join(" ").trim()}: ${values.join(", ")}`);
  }
  if (sweep.changes.length === 0) return;
  const result = await store.memories.apply(sweep.changes, sweep.events);
  if (!result.applied) account.note("another run was faster: left to the next one");
}
