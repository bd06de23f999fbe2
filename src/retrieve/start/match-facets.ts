/** Asks each facet of the work at hand on its own and fuses the answers by rank: averaged they would blur each other. */
import { messageOf } from "../../core/errors.ts";
import type { ProjectId } from "../../core/ids.ts";
import type { SearchHit } from "../../core/query.ts";
import { type SearchDeps, search } from "../search.ts";
import type { FacetQuery } from "./facet-queries.ts";
import { fallsInto, type Period } from "./read-periods.ts";

export interface FacetMatch {
  readonly hit: SearchHit;
  /** 0 … 1; 1 for what every facet puts first; somewhat more where its date is spoken of. */
  readonly score: number;
  /** `matches branch "refund-retry"`: of the facet that speaks loudest for it. */
  readonly reason: string;
}

export interface FacetMatches {
  /** Best first. */
  readonly matches: readonly FacetMatch[];
  readonly degraded: readonly string[];
}

export interface MatchRequest {
  readonly queries: readonly FacetQuery[];
  readonly projects: readonly ProjectId[];
  /** Whether there is time for one more facet. */
  readonly hasTime: () => boolean;
  /** What must not be shown, however well it fits. */
  readonly accepts: (hit: SearchHit) => boolean;
}

const HITS_A_FACET = 10;
const RRF_K = 10;
/** For what was learned in a period that the facet speaks of: some places up, never in or out. */
const IN_PERIOD = 1.3;

export async function matchFacets(deps: SearchDeps, request: MatchRequest): Promise<FacetMatches> {
  const { queries, projects, hasTime, accepts } = request;
  const total = queries.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Map<string, FacetMatch & { readonly loudest: number }>();
  const degraded: string[] = [];
  for (const { name, text, weight, label, periods = [] } of queries) {
    if (!hasTime()) {
      degraded.push(`${name}: no time left`);
      continue;
    }
    const answer = await search(deps, { text, projects, limit: HITS_A_FACET }).catch((thrown) => messageOf(thrown));
    if (typeof answer === "string") {
      degraded.push(`${name}: ${answer}`);
      continue;
    }
    degraded.push(...answer.degraded.map((reason) => `${name}, ${reason}`));
    for (const [at, hit] of answer.hits.filter(accepts).entries()) {
      const gain = (((weight / total) * (RRF_K + 1)) / (RRF_K + 1 + at)) * dateFactor(hit, periods);
      const earlier = found.get(nameOf(hit));
      const loudest = Math.max(gain, earlier?.loudest ?? 0);
      const reason = earlier !== undefined && earlier.loudest >= gain ? earlier.reason : `matches ${label}`;
      found.set(nameOf(hit), { hit, score: (earlier?.score ?? 0) + gain, reason, loudest });
    }
  }
  const matches = [...found.values()].map(({ hit, score, reason }) => ({ hit, score, reason }));
  return { matches: matches.sort((a, b) => b.score - a.score), degraded };
}

function dateFactor(hit: SearchHit, periods: readonly Period[]): number {
  return hit.unit === "fact" && fallsInto(hit.memory.eventAt, periods) ? IN_PERIOD : 1;
}

function nameOf(hit: SearchHit): string {
  return hit.unit === "fact" ? `fact ${hit.memory.id}` : `chunk ${hit.chunk.id}`;
}
