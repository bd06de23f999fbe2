/** How well sessions become facts: found, invented, forbidden, repeated, and what the filters threw away. */
import { type GoldenCase, isNullCase, type Wanted } from "../datasets/golden.ts";
import { type Rate, rateOf } from "../score/wilson.ts";
import { isUnwanted, isWanted } from "./match-facts.ts";
import type { CaseRun } from "./run/run-case.ts";

export interface ExtractionScore {
  readonly cases: number;
  /** Facts that must not be kept, of all that were kept. */
  readonly harmful: Rate;
  /** Wanted facts that are missing, of all that are wanted. */
  readonly omission: Rate;
  /** Of the facts that were kept, those that the set wants or allows. */
  readonly precision: Rate;
  readonly recall: Rate;
  readonly f1: number | null;
  /** Recall by the type that the set gives a wanted fact. */
  readonly recallByType: Readonly<Record<string, Rate>>;
  /** Facts of sessions with nothing worth keeping. */
  readonly nullFacts: number;
  readonly nullCasesWithFacts: Rate;
  readonly grounded: Rate;
  readonly polarityRight: Rate;
  /** Facts that say what another fact of the same session says, for each 100 kept. */
  readonly duplicatesPer100: number | null;
  /** Rejected candidates by rule, of all candidates. */
  readonly junkByRule: Readonly<Record<string, Rate>>;
  /** F17: trusted memories, of those from sessions that by the set did not succeed. */
  readonly trustedUnproven: Rate;
  /** F17: of the memories that nobody confirmed, those that the next session is shown unasked; and once confirmed. */
  readonly unconfirmedShown: Rate;
  readonly confirmedShown: Rate;
}

export interface CaseFindings {
  readonly name: string;
  readonly repeat: number;
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** Titles that no predicate covers. */
  readonly extra: readonly string[];
  readonly forbidden: readonly { readonly title: string; readonly reason: string }[];
  readonly result: string;
  /** F17: titles of trusted memories of a session that did not succeed, and of unconfirmed ones shown unasked. */
  readonly unearned: readonly string[];
}

export function findingsOf({ golden, facts, reports, repeat, experience }: CaseRun): CaseFindings {
  const { mustHave, mayHave, mustNotHave } = golden.expected;
  const isFound = (wanted: Wanted): boolean => facts.some((fact) => isWanted(fact, wanted));
  const result = reports.at(-1)?.result;
  return {
    name: golden.name,
    repeat,
    found: mustHave.filter(isFound).map(({ id }) => id),
    missing: mustHave.filter((wanted) => !isFound(wanted)).map(({ id }) => id),
    extra: facts
      .filter((fact) => ![...mustHave, ...mayHave].some((wanted) => isWanted(fact, wanted)))
      .map(({ title }) => title),
    forbidden: facts.flatMap((fact) =>
      mustNotHave
        .filter((unwanted) => isUnwanted(fact, unwanted))
        .slice(0, 1)
        .map(({ reason }) => ({ title: fact.title, reason })),
    ),
    result: result === undefined ? "none" : "reason" in result ? `${result.kind}: ${result.reason}` : result.kind,
    unearned: [
      ...facts.filter(({ status }) => status === "active" && !mayBeTrusted(golden)).map(({ title }) => title),
      ...experience.shown,
    ],
  };
}

export function scoreExtraction(runs: readonly CaseRun[]): ExtractionScore {
  const findings = runs.map(findingsOf);
  const kept = sum(runs, ({ facts }) => facts.length);
  const found = sum(findings, (one) => one.found.length);
  const wanted = found + sum(findings, ({ missing }) => missing.length);
  const good = kept - sum(findings, ({ extra }) => extra.length);
  const nulls = runs.filter(({ golden }) => isNullCase(golden));
  const precision = rateOf(good, kept);
  const recall = rateOf(found, wanted);
  return {
    cases: new Set(runs.map(({ golden }) => golden.name)).size,
    harmful: rateOf(
      sum(findings, ({ forbidden }) => forbidden.length),
      kept,
    ),
    omission: rateOf(wanted - found, wanted),
    precision,
    recall,
    f1: f1Of(precision.rate, recall.rate),
    recallByType: recallByType(runs),
    nullFacts: sum(nulls, ({ facts }) => facts.length),
    nullCasesWithFacts: rateOf(nulls.filter(({ facts }) => facts.length > 0).length, nulls.length),
    grounded: rateOf(
      sum(runs, ({ grounded }) => grounded.filter(Boolean).length),
      kept,
    ),
    polarityRight: polarityRight(runs),
    duplicatesPer100: kept === 0 ? null : (100 * sum(runs, duplicates)) / kept,
    junkByRule: junkByRule(runs, kept),
    ...badExperience(runs),
  };
}

type BadExperience = "trustedUnproven" | "unconfirmedShown" | "confirmedShown";

function badExperience(runs: readonly CaseRun[]): Pick<ExtractionScore, BadExperience> {
  const unproven = runs.filter(({ golden }) => !mayBeTrusted(golden)).flatMap(({ facts }) => facts);
  const unconfirmed = sum(runs, ({ experience }) => experience.unconfirmed.length);
  const count = (key: "shown" | "shownConfirmed"): Rate =>
    rateOf(
      sum(runs, ({ experience }) => experience[key].length),
      unconfirmed,
    );
  return {
    trustedUnproven: rateOf(unproven.filter(({ status }) => status === "active").length, unproven.length),
    unconfirmedShown: count("shown"),
    confirmedShown: count("shownConfirmed"),
  };
}

function mayBeTrusted({ expected: { outcome, outcomeAlso = [] } }: GoldenCase): boolean {
  return outcome === "success" || outcomeAlso.includes("success");
}

function f1Of(precision: number | null, recall: number | null): number | null {
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function recallByType(runs: readonly CaseRun[]): Record<string, Rate> {
  const types = ["lesson", "context", "preference", "pointer"];
  const entries = types.map((type) => {
    const asked = runs.flatMap(({ golden, facts }) =>
      golden.expected.mustHave
        .filter((wanted) => wanted.type === type)
        .map((wanted) => facts.some((fact) => isWanted(fact, wanted))),
    );
    return [type, rateOf(asked.filter(Boolean).length, asked.length)] as const;
  });
  return Object.fromEntries(entries);
}

function polarityRight(runs: readonly CaseRun[]): Rate {
  const judged = runs.flatMap(({ golden, facts }) =>
    golden.expected.mustHave.flatMap((wanted) => {
      const fact = facts.find((one) => isWanted(one, wanted));
      return wanted.polarity === undefined || fact === undefined ? [] : [fact.polarity === wanted.polarity];
    }),
  );
  return rateOf(judged.filter(Boolean).length, judged.length);
}

/** Facts beyond the first that satisfy one predicate. */
function duplicates({ golden, facts }: CaseRun): number {
  const { mustHave, mayHave } = golden.expected;
  const claimed = new Set<string>();
  let count = 0;
  for (const fact of facts) {
    const ids = [...mustHave, ...mayHave].filter((wanted) => isWanted(fact, wanted)).map(({ id }) => id);
    if (ids.length > 0 && ids.every((id) => claimed.has(id))) count += 1;
    for (const id of ids) claimed.add(id);
  }
  return count;
}

function junkByRule(runs: readonly CaseRun[], kept: number): Record<string, Rate> {
  const rejections = runs.flatMap(({ reports }) => reports.flatMap((report) => report.rejections));
  const rules = [...new Set(rejections.map(({ rule }) => rule))].sort();
  const all = kept + rejections.length;
  return Object.fromEntries(
    rules.map((rule) => [rule, rateOf(rejections.filter((one) => one.rule === rule).length, all)]),
  );
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
