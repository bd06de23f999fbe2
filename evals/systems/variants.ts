/** Settings to compare: single searchers, other fusions, and the ablations of the shipped ones. */
import type { Arm, FusionKind, RetrievalSettings, UnitKind, UnitSettings } from "../../src/internals.ts";

const UNITS: readonly UnitKind[] = ["fact", "chunk"];
const NO_WEIGHTS: UnitSettings["weights"] = { trigger: 0, body: 0, fulltext: 0, symbol: 0, trigram: 0 };

export interface Variant {
  readonly name: string;
  readonly settings: RetrievalSettings;
}

type UnitChange = (settings: UnitSettings, unit: UnitKind) => Partial<UnitSettings>;

function change(settings: RetrievalSettings, changeUnit: UnitChange): RetrievalSettings {
  const units = UNITS.map((unit) => [unit, { ...settings.units[unit], ...changeUnit(settings.units[unit], unit) }]);
  return { ...settings, units: Object.fromEntries(units) };
}

/** Shows everything: for ranking alone, where saying nothing is not what is measured. */
function neverSilent(settings: RetrievalSettings): RetrievalSettings {
  return {
    ...change(settings, () => ({ leastShare: 0 })),
    thresholds: { trigger: -1, body: -1, piece: -1, coverage: 0, coverageAlone: 0 },
  };
}

/** One searcher, or a few with equal weight, as plain as they come. */
export function only(settings: RetrievalSettings, ...arms: readonly Arm[]): RetrievalSettings {
  const weights = { ...NO_WEIGHTS, ...Object.fromEntries(arms.map((arm) => [arm, 1])) };
  return neverSilent({ ...change(settings, () => ({ weights })), leads: {}, centring: 0 });
}

export function fusedBy(settings: RetrievalSettings, fusion: FusionKind, rrfK?: number): RetrievalSettings {
  return change(settings, () => (rrfK === undefined ? { fusion } : { fusion, rrfK }));
}

/** What stands beside the shipped settings in every table. */
export function baselines(settings: RetrievalSettings): Variant[] {
  return [
    { name: "words alone", settings: only(settings, "fulltext") },
    { name: "vectors alone", settings: only(settings, "body") },
    { name: "RRF, k = 60", settings: fusedBy(only(settings, "fulltext", "body"), "rrf", 60) },
  ];
}

/** The shipped settings with one thing changed at a time. */
export function ablations(settings: RetrievalSettings): Variant[] {
  const without = (arm: Arm): Variant => ({
    name: `without ${arm}`,
    settings: change(settings, ({ weights }) => ({ weights: { ...weights, [arm]: 0 } })),
  });
  const scaled = (arm: Arm, factor: number): Variant => ({
    name: `${arm} × ${factor}`,
    settings: change(settings, ({ weights }) => ({ weights: { ...weights, [arm]: weights[arm] * factor } })),
  });
  const arms: readonly Arm[] = ["trigger", "body", "fulltext", "symbol", "trigram"];
  return [
    ...arms.map(without),
    ...arms.flatMap((arm) => [scaled(arm, 0.5), scaled(arm, 1.5)]),
    ...[1, 10, 20, 60].map((k) => ({ name: `RRF, k = ${k}, same weights`, settings: fusedBy(settings, "rrf", k) })),
    { name: "searchers always count fully", settings: { ...settings, leads: {} } },
    { name: "without centring", settings: { ...settings, centring: 0 } },
    { name: "never silent", settings: neverSilent(settings) },
  ];
}
