/**
 * What is worth keeping of what is true: twelve rules, each with an id, in a fixed order, each switched off by the
 * profile's word. A rejected fact is listed with its rule, never lost in silence.
 */
import type { Fact } from "../../core/memory-record.ts";
import type { Rejection, StageReport } from "../../core/report.ts";
import type { Session } from "../../core/session.ts";
import { dot } from "../../core/vectors/dot.ts";
import { wordShingles } from "../../text/shingles.ts";
import type { EmbedPort, StageDeps } from "../stage-deps.ts";
import { openAccount, type StageAccount } from "../stage-report.ts";
import { CAP_RULE, capFacts, DUPLICATE_RULE, dropDuplicates } from "./filters/batch-rules.ts";
import { claimOf, type FactRule, type FilterContext } from "./filters/fact-rule.ts";
import { GENERIC_STATEMENTS } from "./filters/generic-statements.ts";
import { hostsIn, knownDocumentRule, outsideRule, secretRule } from "./filters/origin-rules.ts";
import { lengthRule, outputRule, pathOnlyRule } from "./filters/shape-rules.ts";
import { checkTriggers, TRIGGER_RULE } from "./filters/trigger-rule.ts";
import { genericRule, guessRule, isSpecific, passingRule } from "./filters/worth-rules.ts";

export interface FilterInput {
  readonly session: Session;
  readonly facts: readonly Fact[];
  /** Texts of the instruction files and the README of the project (R9). */
  readonly knownDocuments: readonly string[];
  /** Most facts to keep. */
  readonly most: number;
}

export interface FilteredFacts {
  /** Best first. */
  readonly facts: readonly Fact[];
  /** Those whose only trigger was made by rule. */
  readonly triggerMade: ReadonlySet<Fact>;
  readonly rejections: readonly Rejection[];
  readonly report: StageReport;
}

/** In order. R8, R11 and R12 need more than one fact or vectors and follow after these. */
const RULES: readonly FactRule[] = [
  lengthRule,
  pathOnlyRule,
  outputRule,
  secretRule,
  genericRule,
  passingRule,
  guessRule,
  knownDocumentRule,
  outsideRule,
];

type FilterDeps = Pick<StageDeps, "now" | "profile" | "embed">;

export async function filterFacts(deps: FilterDeps, input: FilterInput): Promise<FilteredFacts> {
  const account = openAccount("filter", deps.now);
  const off = new Set(deps.profile.filters.off);
  const rejections: Rejection[] = [];
  const vectors = await embedFacts(deps, account, input.facts);
  const context = contextOf(deps, input, { account, vectors });
  const worthy = applyRules(input.facts, context, { off, rejections });
  const triggered = off.has(TRIGGER_RULE) ? worthy : withTriggers(worthy, vectors, account);
  const passed = triggered.map(({ fact }) => fact);
  const distinct = off.has(DUPLICATE_RULE)
    ? passed
    : collect(dropDuplicates(passed, bodyCosine(vectors, triggered), vectors.duplicate), rejections);
  const kept = off.has(CAP_RULE) ? distinct : collect(capFacts(distinct, input.most), rejections);
  const made = triggered.filter(({ triggerMade, fact }) => triggerMade && kept.includes(fact));
  return { facts: kept, triggerMade: new Set(made.map(({ fact }) => fact)), rejections, report: account.finish() };
}

function collect(
  verdict: { kept: readonly Fact[]; rejections: readonly Rejection[] },
  all: Rejection[],
): readonly Fact[] {
  all.push(...verdict.rejections);
  return verdict.kept;
}

/** A fact that passed, beside the one that came in: vectors belong to the latter. */
interface Passed {
  readonly original: Fact;
  readonly fact: Fact;
  readonly triggerMade: boolean;
}

function applyRules(
  facts: readonly Fact[],
  context: FilterContext,
  { off, rejections }: { readonly off: ReadonlySet<string>; readonly rejections: Rejection[] },
): Passed[] {
  const rules = RULES.filter(({ id }) => !off.has(id));
  return facts.flatMap((original) => {
    let fact = original;
    for (const rule of rules) {
      const verdict = rule.apply(fact, context);
      if (typeof verdict === "string") {
        rejections.push({ rule: rule.id, title: original.title, detail: verdict });
        return [];
      }
      fact = verdict;
    }
    return [{ original, fact, triggerMade: false }];
  });
}

function contextOf(
  { profile }: FilterDeps,
  { session, knownDocuments }: FilterInput,
  { account, vectors }: { readonly account: StageAccount; readonly vectors: FactVectors },
): FilterContext {
  const humans = session.turns.filter(({ kind }) => kind === "human");
  return {
    profile,
    sessionEnd: session.endedAt,
    knownShingles: new Set(knownDocuments.flatMap((text) => [...wordShingles(text)])),
    humanHosts: new Set(humans.flatMap(({ text }) => hostsIn(text))),
    genericCosine: (fact) => vectors.generic.get(fact),
    genericThreshold: vectors.genericThreshold,
    warn: account.note,
  };
}

interface FactVectors {
  readonly bodies: ReadonlyMap<Fact, Float32Array>;
  readonly triggers: ReadonlyMap<Fact, readonly number[]>;
  /** Likeness to the nearest generic statement, for facts that name nothing. */
  readonly generic: ReadonlyMap<Fact, number>;
  readonly genericThreshold: number;
  readonly duplicate: number;
  readonly trigger: number;
}

const NO_VECTORS: FactVectors = {
  bodies: new Map(),
  triggers: new Map(),
  generic: new Map(),
  genericThreshold: Number.POSITIVE_INFINITY,
  duplicate: Number.POSITIVE_INFINITY,
  trigger: Number.NEGATIVE_INFINITY,
};

/** One call for all facts; another one only where some fact may be generic. */
async function embedFacts({ embed }: FilterDeps, account: StageAccount, facts: readonly Fact[]): Promise<FactVectors> {
  if (embed === undefined || facts.length === 0) return NO_VECTORS;
  try {
    return await vectorsOf(embed, facts);
  } catch (thrown) {
    account.note(`rules that need vectors were left out: ${String(thrown)}`);
    return NO_VECTORS;
  }
}

async function vectorsOf(embed: EmbedPort, facts: readonly Fact[]): Promise<FactVectors> {
  const whens = facts.flatMap((fact) => fact.whenToUse.map((when) => ({ fact, when })));
  const all = await embed.embed([...facts.map(claimOf), ...whens.map(({ when }) => when)]);
  const bodies = new Map(facts.map((fact, at) => [fact, all[at] ?? new Float32Array()]));
  const triggers = new Map<Fact, number[]>(facts.map((fact) => [fact, []]));
  for (const [at, { fact }] of whens.entries()) {
    triggers.get(fact)?.push(dot(all[facts.length + at], bodies.get(fact)));
  }
  const { generic, duplicate, trigger } = embed.thresholds;
  return {
    bodies,
    triggers,
    generic: await genericOf(embed, facts, bodies),
    genericThreshold: generic,
    duplicate,
    trigger,
  };
}

async function genericOf(
  embed: EmbedPort,
  facts: readonly Fact[],
  bodies: ReadonlyMap<Fact, Float32Array>,
): Promise<Map<Fact, number>> {
  const vague = facts.filter((fact) => !isSpecific(fact));
  if (vague.length === 0) return new Map();
  const statements = await embed.embed(GENERIC_STATEMENTS);
  return new Map(
    vague.map((fact) => [fact, Math.max(...statements.map((statement) => dot(statement, bodies.get(fact))))]),
  );
}

function withTriggers(passed: readonly Passed[], vectors: FactVectors, account: StageAccount): Passed[] {
  return passed.map(({ original, fact }) => {
    const verdict = checkTriggers(fact, vectors.triggers.get(original) ?? [], vectors.trigger);
    for (const when of verdict.dropped) account.note(`${TRIGGER_RULE} dropped "${when}"`);
    return { original, fact: verdict.fact, triggerMade: verdict.made };
  });
}

function bodyCosine(vectors: FactVectors, passed: readonly Passed[]): (a: Fact, b: Fact) => number | undefined {
  const original = new Map(passed.map((one) => [one.fact, one.original]));
  const body = (fact: Fact) => vectors.bodies.get(original.get(fact) ?? fact);
  return (a, b) => (body(a) === undefined || body(b) === undefined ? undefined : dot(body(a), body(b)));
}
