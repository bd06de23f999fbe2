/** How an answer came about: what scores had to reach, and what was found and is not shown, with the step that cut it. */
import type { UnitKind } from "../core/query.ts";
import type { RankedHit } from "./rank/rank-units.ts";
import type { RetrievalSettings } from "./settings.ts";

/** More would be the store's tail. */
const MOST_CUT = 20;

/** What each step of a search left. */
export interface Stages {
  readonly settings: RetrievalSettings;
  /** Share of the best one's score, by kind. */
  readonly leastShares: Readonly<Partial<Record<UnitKind, number>>>;
  /** Everything that was ranked, best first. */
  readonly uncut: readonly RankedHit[];
  /** What is left without the tail. */
  readonly hits: readonly RankedHit[];
  /** What is worth showing, in order, without a limit. */
  readonly ordered: readonly RankedHit[];
  readonly shown: readonly RankedHit[];
  /** Why facts do not answer. */
  readonly unanswered: string | undefined;
}

export interface Explained {
  readonly thresholds: Readonly<Record<string, number>>;
  readonly cut: readonly { readonly hit: RankedHit; readonly reason: string }[];
}

export function explainAnswer(stages: Stages): Explained {
  const { settings, leastShares, uncut, shown } = stages;
  const { answerTest = {}, thresholds } = settings;
  const shares = Object.entries(leastShares).map(([unit, share]) => [`${unit} share of the best`, share]);
  const visible = namesOf(shown);
  const reasonOf = reasons(stages);
  const cut = uncut.filter((hit) => !visible.has(nameOf(hit))).slice(0, MOST_CUT);
  return {
    thresholds: { ...thresholds, ...answerTest, ...Object.fromEntries(shares) },
    cut: cut.map((hit) => ({ hit, reason: reasonOf(hit) })),
  };
}

/** One reason a hit: the first that holds. */
function reasons({ hits, ordered, unanswered }: Stages): (hit: RankedHit) => string {
  const [keptNames, orderedNames] = [namesOf(hits), namesOf(ordered)];
  return (hit) => {
    if (unanswered !== undefined && hit.unit === "fact" && !hit.reserved) return "no answer for certain";
    if (orderedNames.has(nameOf(hit))) return "beyond the limit";
    if (!hit.follows || ordered.length === 0) return "not near enough";
    return keptNames.has(nameOf(hit)) ? "says the same as a better one" : "far behind the best";
  };
}

function namesOf(hits: readonly RankedHit[]): ReadonlySet<string> {
  return new Set(hits.map(nameOf));
}

function nameOf({ unit, key }: RankedHit): string {
  return `${unit} ${key}`;
}
