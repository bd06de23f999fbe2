/**
 * From facts to memories: what is in the store already, what may be touched by what is new, what a model says to it, what
 * the guards make of that, and the write.
 */
import { ModelError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { IdSource, ProjectId, RunId } from "../../core/ids.ts";
import { type Fact, LIVE_STATUSES, type MemoryRecord, type Scope } from "../../core/memory-record.ts";
import type { Arm } from "../../core/query.ts";
import { type DecisionTrail, ERASED_RULE, ERASED_TITLE, type Rejection } from "../../core/report.ts";
import type { LanguageModel } from "../../models/language-model.ts";
import type { Store } from "../../store/store.ts";
import { contentHash } from "../../text/content-hash.ts";
import type { StageAccount } from "../stage-report.ts";
import { applyDecisions } from "./apply-decisions.ts";
import { type FactCandidates, interleaveArms, numberCandidates, slotRanking } from "./choose-candidates.ts";
import { classifyLifecycle } from "./classify-lifecycle.ts";
import type { DecisionInput, DecisionPlan, IncomingFact, LifecyclePolicy, Similarity } from "./decision.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { storeMemories } from "./store-memories.ts";
import type { LifecycleCosines } from "./thresholds.ts";

export interface DecideFactsDeps {
  readonly store: Pick<Store, "memories">;
  /** Absent in rules mode: then nothing is updated or superseded. */
  readonly model?: LanguageModel;
  /** Memories near a fact by each searcher, best first, live ones of the project and of the user. */
  readonly findCandidates: (
    project: ProjectId,
    fact: Fact,
  ) => Promise<Readonly<Partial<Record<Arm, readonly MemoryRecord[]>>>>;
  /** Cosines between facts and memories, looked up at once. */
  readonly similarity: (facts: readonly Fact[], memories: readonly MemoryRecord[]) => Promise<Similarity>;
  /** What those mean for the model in use. Default: cautious ones. */
  readonly cosines?: LifecycleCosines;
  /** A model that gives no decision leaves its facts to be added and marked (the default), or stops the run. */
  readonly onLifecycleFailure?: "add_pending" | "retry";
  readonly ids: IdSource;
  readonly now: () => Date;
}

export interface DecideFactsInput {
  readonly project: ProjectId;
  readonly facts: readonly IncomingFact[];
  /** Facts that rules found: never put to the model, never more than added. */
  readonly byRule: ReadonlySet<string>;
  readonly policy: Omit<LifecyclePolicy, "activeInScope">;
  readonly quoteStands: (quote: string) => boolean;
  readonly refuseText: (text: string) => string | undefined;
  readonly run: RunId;
  readonly profile: string;
  readonly dryRun: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface DecidedFacts {
  readonly trail: readonly DecisionTrail[];
  readonly rejections: readonly Rejection[];
}

/**
 * @throws {ArcticMemError} what the store throws, or with `retry` what the model did; then nothing was written.
 */
export async function decideFacts(
  deps: DecideFactsDeps,
  account: StageAccount,
  input: DecideFactsInput,
): Promise<DecidedFacts> {
  if (input.facts.length === 0) return { trail: [], rejections: [] };
  const { near, similarity } = await nearMemories(deps, input);
  const found = await findDuplicates(
    {
      similarity,
      ...(deps.cosines === undefined ? {} : { duplicateCosine: deps.cosines.duplicate }),
      findByContent: (scope, hash) => deps.store.memories.findByContent(scope, hash),
      erasedAt: async (hash) => (await deps.store.memories.findTombstone(input.project, hash))?.erasedAt,
    },
    input.facts,
    near,
  );
  const open = found.open.filter(({ handle }) => !input.byRule.has(handle));
  const answer = await askModel(deps, account, { input, open, near });
  const decision: DecisionInput = {
    facts: input.facts.filter((fact) => !found.erased.includes(fact)),
    settled: found.settled,
    ...answer,
    addOnly: new Map(deps.model === undefined ? [] : [...input.byRule].map((handle) => [handle, "guard:rules"])),
    similarity,
    ...(deps.cosines === undefined ? {} : { cosines: deps.cosines }),
    quoteStands: input.quoteStands,
    refuseText: input.refuseText,
    policy: { ...input.policy, activeInScope: await activeIn(deps, input.project) },
    run: input.run,
    now: deps.now(),
    profile: input.profile,
  };
  const plan = input.dryRun ? applyDecisions(decision) : await write(deps, account, { input, decision });
  noteGuards(account, plan);
  return { trail: plan.trail, rejections: found.erased.map(erasedRejection) };
}

interface Nearness {
  /** By the fact's handle. */
  readonly near: ReadonlyMap<string, readonly MemoryRecord[]>;
  readonly similarity: Similarity;
}

async function nearMemories(
  { store, findCandidates, similarity }: DecideFactsDeps,
  { project, facts }: DecideFactsInput,
): Promise<Nearness> {
  const live = await store.memories.list({
    projects: [project],
    user: true,
    statuses: LIVE_STATUSES,
    order: "stable",
  });
  const near = new Map<string, readonly MemoryRecord[]>();
  for (const incoming of facts) {
    const found = await findCandidates(project, incoming.fact);
    near.set(incoming.handle, interleaveArms({ slot: slotRanking(incoming, live), ...found }));
  }
  const texts = facts.map(({ fact }) => fact);
  const memories = new Map([...near.values()].flat().map((memory) => [memory.id, memory]));
  return { near, similarity: await similarity(texts, [...memories.values()]) };
}

interface Question {
  readonly input: DecideFactsInput;
  readonly open: readonly IncomingFact[];
  readonly near: ReadonlyMap<string, readonly MemoryRecord[]>;
}

type Answer = Pick<DecisionInput, "candidates" | "proposal" | "pending">;

/** A model that fails for good leaves its facts to be added, marked for the dream pass to decide; or to the next try. */
async function askModel(deps: DecideFactsDeps, account: StageAccount, question: Question): Promise<Answer> {
  const { input, open, near } = question;
  const perFact: FactCandidates[] = open.map((incoming) => ({ incoming, memories: near.get(incoming.handle) ?? [] }));
  const candidates = numberCandidates(perFact, input.run);
  if (deps.model === undefined || candidates.size === 0) return { candidates, proposal: null, pending: false };
  const answer = await classifyLifecycle(
    { model: deps.model, ids: deps.ids, account, timeoutMs: input.timeoutMs },
    { facts: open, candidates, now: deps.now(), ...given({ signal: input.signal }) },
  );
  if (answer.kind === "proposal") return { candidates, proposal: answer.proposal, pending: false };
  const message = `no decision: ${answer.message}`;
  if (deps.onLifecycleFailure === "retry") {
    throw answer.failure === "model" ? new ModelError(message, { retryable: true }) : new Error(message);
  }
  account.note(message);
  return { candidates, proposal: null, pending: true };
}

async function write(
  deps: DecideFactsDeps,
  account: StageAccount,
  { input, decision }: { readonly input: DecideFactsInput; readonly decision: DecisionInput },
): Promise<DecisionPlan> {
  const { plan, lostRaces } = await storeMemories(
    {
      memories: deps.store.memories,
      decideAgain: async (handles) => {
        const facts = input.facts.filter(({ handle }) => handles.has(handle));
        const again = { ...input, facts };
        const { near, similarity } = await nearMemories(deps, again);
        const open = facts.filter(({ handle }) => !input.byRule.has(handle));
        return { ...(await askModel(deps, account, { input: again, open, near })), similarity };
      },
    },
    decision,
  );
  if (lostRaces > 0) account.note(`lost ${lostRaces} races for a memory`);
  return plan;
}

function noteGuards(account: StageAccount, { guards }: DecisionPlan): void {
  for (const [guard, count] of Object.entries(guards).sort()) account.note(`${guard} ×${count}`);
}

/** Nothing of the text: it would be on disk again, in the run's report. */
function erasedRejection({ fact }: IncomingFact): Rejection {
  return { rule: ERASED_RULE, title: ERASED_TITLE, detail: contentHash(fact) };
}

async function activeIn({ store }: DecideFactsDeps, project: ProjectId): Promise<number> {
  return store.memories.count({ projects: [project], user: false, statuses: ["active"] });
}

/** Handles `A`, `B`, … in the order of the facts; a run has a dozen at most. */
export function handleAt(position: number): string {
  const letter = String.fromCharCode(65 + (position % 26));
  return position < 26 ? letter : `${letter}${Math.floor(position / 26)}`;
}

/** The scope in which a fact is stored. */
export function scopeFor(fact: Fact, project: ProjectId): Scope {
  return fact.scope === "user" ? { kind: "user" } : { kind: "project", project };
}
