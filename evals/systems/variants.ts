/** Settings to compare: single searchers, other fusions, and the shipped ones with one thing left out or changed. */
import {
  type Arm,
  type FusionKind,
  type RankStep,
  type RetrievalSettings,
  settingsFor,
  type UnitKind,
  type UnitSettings,
} from "../../src/internals.ts";
import { VECTOR_RULES, type VectorRule } from "./vector-rules.ts";

const UNITS: readonly UnitKind[] = ["fact", "chunk"];
const ARMS: readonly Arm[] = ["trigger", "body", "fulltext", "symbol", "trigram"];
const NO_WEIGHTS: UnitSettings["weights"] = { trigger: 0, body: 0, fulltext: 0, symbol: 0, trigram: 0 };
const NO_THRESHOLDS: RetrievalSettings["thresholds"] = {
  trigger: -1,
  body: -1,
  piece: -1,
  coverage: 0,
  coverageAlone: 0,
};

export const WORDS_ALONE = "words alone";
export const VECTORS_ALONE = "vectors alone";
export const TEXT_ARMS_ONLY = "text arms only";

export interface Variant {
  readonly name: string;
  /** Default: those in force. */
  readonly settings?: RetrievalSettings;
  /** No embedding model at all: words, symbols and trigrams answer. */
  readonly isBlind?: boolean;
  /** Vectors made in another way. */
  readonly vectors?: VectorRule;
  /** The only kind of unit that it can change; default both. */
  readonly unit?: UnitKind;
}

type UnitChange = (settings: UnitSettings, unit: UnitKind) => Partial<UnitSettings>;

function change(settings: RetrievalSettings, changeUnit: UnitChange): RetrievalSettings {
  const units = UNITS.map((unit) => [unit, { ...settings.units[unit], ...changeUnit(settings.units[unit], unit) }]);
  return { ...settings, units: Object.fromEntries(units) };
}

/** Shows everything: for ranking alone, where saying nothing is not what is measured. */
function neverSilent(settings: RetrievalSettings): RetrievalSettings {
  return { ...change(settings, () => ({ leastShare: 0 })), thresholds: NO_THRESHOLDS, answerTest: undefined };
}

/** One searcher, or a few with equal weight, as plain as they come. */
export function only(settings: RetrievalSettings, ...arms: readonly Arm[]): RetrievalSettings {
  const weights = { ...NO_WEIGHTS, ...Object.fromEntries(arms.map((arm) => [arm, 1])) };
  return neverSilent({ ...change(settings, () => ({ weights })), leads: {}, centring: 0, leaveOut: ["change"] });
}

export function fusedBy(settings: RetrievalSettings, fusion: FusionKind, rrfK?: number): RetrievalSettings {
  return change(settings, () => (rrfK === undefined ? { fusion } : { fusion, rrfK }));
}

/** What stands beside the shipped settings in every table. */
export function baselines(settings: RetrievalSettings): Variant[] {
  return [
    { name: WORDS_ALONE, settings: only(settings, "fulltext") },
    { name: VECTORS_ALONE, settings: only(settings, "body") },
    { name: "RRF, k = 60", settings: fusedBy(only(settings, "fulltext", "body"), "rrf", 60) },
    { name: TEXT_ARMS_ONLY, isBlind: true },
    { name: "text arms only, never silent", isBlind: true, settings: neverSilent(settingsFor(undefined)) },
  ];
}

/** The shipped settings with one thing changed at a time. */
export function ablations(settings: RetrievalSettings): Variant[] {
  return [...armAblations(settings), ...fusionAblations(settings), ...stepAblations(settings), ...vectorAblations()];
}

function armAblations(settings: RetrievalSettings): Variant[] {
  const scaled = (arm: Arm, factor: number, name: string): Variant => ({
    name,
    settings: change(settings, ({ weights }) => ({ weights: { ...weights, [arm]: weights[arm] * factor } })),
    ...(arm === "trigger" ? { unit: "fact" } : {}),
  });
  const blind = settingsFor(undefined);
  const blindWithout = (arm: Arm): Variant => ({
    name: `text arms only, without ${arm}`,
    isBlind: true,
    settings: change(blind, ({ weights }) => ({ weights: { ...weights, [arm]: 0 } })),
  });
  return [
    ...ARMS.map((arm) => scaled(arm, 0, `without ${arm}`)),
    ...(["symbol", "trigram"] as const).map(blindWithout),
    ...ARMS.flatMap((arm) => [0.5, 1.5].map((factor) => scaled(arm, factor, `${arm} × ${factor}`))),
  ];
}

function fusionAblations(settings: RetrievalSettings): Variant[] {
  return [
    { name: "min–max, same weights", settings: fusedBy(settings, "min-max") },
    ...[1, 10, 20, 60].map((k) => ({ name: `RRF, k = ${k}, same weights`, settings: fusedBy(settings, "rrf", k) })),
    { name: "searchers always count fully", settings: { ...settings, leads: {} } },
    { name: "without centring", settings: { ...settings, centring: 0 } },
  ];
}

const FACT_STEPS: readonly RankStep[] = [
  "scope",
  "age",
  "evidence",
  "utility",
  "status",
  "pinned",
  "change",
  "successors",
];
const STEPS: readonly RankStep[] = ["reserved symbols", "duplicates"];

function stepAblations(settings: RetrievalSettings): Variant[] {
  const without = (...leaveOut: readonly RankStep[]): RetrievalSettings => ({ ...settings, leaveOut });
  return [
    ...FACT_STEPS.map((step): Variant => ({ name: `without ${step}`, settings: without(step), unit: "fact" })),
    { name: "without all of these", settings: without(...FACT_STEPS), unit: "fact" },
    ...STEPS.map((step) => ({ name: `without ${step}`, settings: without(step) })),
    { name: "without the tail's cut", settings: change(settings, () => ({ leastShare: 0 })) },
    { name: "without the test of answers", settings: { ...settings, answerTest: undefined }, unit: "fact" },
    { name: "without abstention", settings: { ...settings, thresholds: NO_THRESHOLDS, answerTest: undefined } },
    { name: "never silent", settings: neverSilent(settings) },
  ];
}

function vectorAblations(): Variant[] {
  return VECTOR_RULES.map((vectors) => ({ name: vectors.name, vectors, unit: vectors.unit }));
}
