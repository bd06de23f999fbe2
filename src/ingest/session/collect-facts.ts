/**
 * The facts of one session, grounded and filtered: by the model as far as the outcome allows, by rule what people said
 * where it does not, and by rule alone where there is no model.
 */
import type { ProjectId } from "../../core/ids.ts";
import type { Fact, MemoryFlag } from "../../core/memory-record.ts";
import type { FailureKind, Rejection, StageReport } from "../../core/report.ts";
import type { Outcome, Session } from "../../core/session.ts";
import { extractByRules, RULES_EXTRACTOR, type RuleExtractionInput, rulesFor } from "../extract/extract-by-rules.ts";
import { type Extraction, type ExtractionMode, extractFacts } from "../extract/extract-facts.ts";
import { type FilteredFacts, filterFacts } from "../extract/filter-facts.ts";
import { groundFacts } from "../extract/ground-facts.ts";
import { summarizeTurns } from "../extract/summarize-turns.ts";
import type { IngestDeps } from "../ingest-deps.ts";
import { readCues } from "../outcome/read-cues.ts";
import { cluesOf, type SessionReading } from "../outcome/session-reading.ts";
import type { StageDeps } from "../stage-deps.ts";
import { openAccount } from "../stage-report.ts";
import type { OutcomePolicyChoice } from "./outcome-policy.ts";

export interface CollectedFact {
  readonly fact: Fact;
  /** `model:<name>` or `rules/<version>`. */
  readonly extractor: string;
  readonly flags: readonly MemoryFlag[];
}

export interface CollectInput {
  /** Redacted, failed spans marked. */
  readonly session: Session;
  readonly reading: SessionReading;
  readonly outcome: Outcome;
  readonly policy: OutcomePolicyChoice;
  readonly project: ProjectId;
  /** Turns before this one were extracted by an earlier run. */
  readonly fromTurn: number;
  readonly onStage: (stage: string) => void;
}

export type Collection = { readonly stages: readonly StageReport[] } & (
  | {
      readonly kind: "collected";
      readonly facts: readonly CollectedFact[];
      readonly rejections: readonly Rejection[];
      readonly coverage: number;
      readonly leftOut: readonly string[];
    }
  | {
      readonly kind: "failed";
      readonly failure: FailureKind;
      readonly retryable: boolean;
      readonly message: string;
    }
);

/** Without a model: what rules find. */
export async function collectByRules(
  deps: IngestDeps,
  stageDeps: Pick<StageDeps, "now" | "profile" | "embed">,
  input: CollectInput,
): Promise<Collection> {
  input.onStage("extract");
  const found = await factsByRule(deps, stageDeps, { input, which: whichRules(input) });
  return { kind: "collected", coverage: 1, leftOut: [], ...found };
}

function whichRules({ outcome, policy }: CollectInput): RuleExtractionInput["which"] {
  return policy.facts ? rulesFor(outcome.label) : "user_stated";
}

/** With a model: one extraction call a window, a second question about failures where there were some. */
export async function collectByModel(deps: IngestDeps, stageDeps: StageDeps, input: CollectInput): Promise<Collection> {
  const stages: StageReport[] = [];
  const facts: CollectedFact[] = [];
  const rejections: Rejection[] = [];
  const leftOut: string[] = [];
  let coverage = 1;
  const modes = modesOf(input.policy);
  if (modes.length > 0) {
    input.onStage("summarize");
    const summary = await summarizeTurns(stageDeps, { session: input.session, clues: cluesOf(input.reading) });
    stages.push(summary.report);
    coverage = summary.coverage;
    leftOut.push(...summary.leftOut);
    const knownTitles = await deps.knownTitles(input.project);
    for (const mode of modes) {
      input.onStage("extract");
      const { session, fromTurn } = input;
      const extraction = await extractFacts(stageDeps, {
        session,
        windows: summary.windows,
        mode,
        knownTitles,
        fromTurn,
      });
      stages.push(extraction.report);
      if (extraction.kind === "failed") return { ...extraction, stages };
      if (extraction.kind === "no_facts") continue;
      const checked = await checkCandidates(deps, stageDeps, { input, extraction, mode });
      stages.push(...checked.stages);
      rejections.push(...checked.rejections);
      facts.push(...checked.facts);
      leftOut.push(...extraction.leftOut);
    }
  }
  if (input.policy.userStated) {
    const said = await factsByRule(deps, stageDeps, { input, which: "user_stated" });
    stages.push(...said.stages);
    rejections.push(...said.rejections);
    facts.push(...said.facts.filter(({ fact }) => !facts.some((other) => shareEvidence(other.fact, fact))));
  }
  return { kind: "collected", facts, rejections, coverage, leftOut, stages };
}

function modesOf(policy: OutcomePolicyChoice): ExtractionMode[] {
  return [
    ...(policy.facts ? (["facts"] as const) : []),
    ...(policy.failureLessons ? (["failure_lessons"] as const) : []),
  ];
}

interface Checked {
  readonly facts: readonly CollectedFact[];
  readonly rejections: readonly Rejection[];
  readonly stages: readonly StageReport[];
}

type Candidates = Extract<Extraction, { readonly kind: "candidates" }>;

/** Grounding and filters. */
async function checkCandidates(
  deps: IngestDeps,
  stageDeps: StageDeps,
  {
    input,
    extraction,
    mode,
  }: { readonly input: CollectInput; readonly extraction: Candidates; readonly mode: ExtractionMode },
): Promise<Checked> {
  const { session, fromTurn, project } = input;
  input.onStage("ground");
  const grounded = groundFacts(stageDeps, {
    session,
    candidates: extraction.candidates,
    mode,
    reading: { accepts: (text) => readCues(text).accepts, meansEverywhere: (text) => readCues(text).everywhere },
    fromTurn,
  });
  input.onStage("filter");
  const { limits } = deps.profile;
  const filtered = await filterFacts(stageDeps, {
    session,
    facts: grounded.facts,
    knownDocuments: await deps.knownDocuments(project),
    most: mode === "facts" ? limits.maxFacts : limits.maxFailureLessons,
  });
  return {
    facts: collected(filtered, `model:${stageDeps.model.name}`),
    rejections: [...extraction.rejections, ...grounded.rejections, ...filtered.rejections],
    stages: [grounded.report, filtered.report],
  };
}

async function factsByRule(
  deps: IngestDeps,
  stageDeps: Pick<StageDeps, "now" | "profile" | "embed">,
  { input, which }: { readonly input: CollectInput; readonly which: RuleExtractionInput["which"] },
): Promise<Checked> {
  const { session, fromTurn, project } = input;
  const account = openAccount("rules", deps.now);
  const found = extractByRules({ session, profile: deps.profile, fromTurn, which });
  for (const { rule, fact } of found) account.note(`${rule} ${fact.title}`);
  const report = account.finish();
  const filtered = await filterFacts(stageDeps, {
    session,
    facts: found.map(({ fact }) => fact),
    knownDocuments: await deps.knownDocuments(project),
    most: found.length,
  });
  return {
    facts: collected(filtered, RULES_EXTRACTOR),
    rejections: filtered.rejections,
    stages: [report, filtered.report],
  };
}

function collected({ facts, triggerMade }: FilteredFacts, extractor: string): CollectedFact[] {
  return facts.map((fact) => ({ fact, extractor, flags: triggerMade.has(fact) ? ["trigger_made"] : [] }));
}

/** The model has heard the same words. */
function shareEvidence(a: Fact, b: Fact): boolean {
  return a.evidence.some(({ turn }) => b.evidence.some((other) => other.turn === turn));
}
