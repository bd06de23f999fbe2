/** The nouns of retrieval: what is asked, what each searcher yields, and what the caller gets. */
import type { Chunk } from "./chunk.ts";
import type { ProjectId } from "./ids.ts";
import type { FactType, MemoryRecord, MemoryStatus } from "./memory-record.ts";

/** The searchers. Each yields at most one ranking for a query. */
export const ARMS = ["trigger", "body", "fulltext", "symbol", "trigram"] as const;
export type Arm = (typeof ARMS)[number];

/** Facts (tier 2) and chunks of files (tier 1) have indexes and settings of their own. */
export type UnitKind = "fact" | "chunk";

export interface SearchQuery {
  readonly text: string;
  /** Projects whose memories and files may answer, beside the user's own memories. */
  readonly projects: readonly ProjectId[];
  /** Most hits to return, 1 … 50. */
  readonly limit: number;
  readonly types?: readonly FactType[];
  readonly statuses?: readonly MemoryStatus[];
  readonly units?: readonly UnitKind[];
  /** The state of the store at that moment: superseded memories that were current then are found. */
  readonly asOf?: Date;
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
}

/** One unit in one searcher's ranking. `key` is the store's own number of the unit. */
export interface RankedUnit {
  readonly key: number;
  /** On the arm's own scale, higher is better. */
  readonly score: number;
}

/** Best first, at most 50. */
export interface Ranking {
  readonly arm: Arm;
  readonly units: readonly RankedUnit[];
}

/** How a hit came to its place. */
export interface HitExplanation {
  readonly arms: readonly {
    readonly arm: Arm;
    readonly rank: number;
    readonly score: number;
    readonly weight: number;
  }[];
  readonly fused: number;
  readonly adjustments: Readonly<Record<string, number>>;
  readonly survivedBy: readonly string[];
}

export type SearchHit = {
  /** Fused and adjusted; comparable within one answer only. */
  readonly score: number;
  readonly explanation?: HitExplanation;
} & ({ readonly unit: "fact"; readonly memory: MemoryRecord } | { readonly unit: "chunk"; readonly chunk: Chunk });

/** How an answer came about as a whole; each hit tells of itself. */
export interface AnswerExplanation {
  /** The settings' limits for scores and shares, by name; a query in another language than English is asked for less. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** What was ranked and is not shown, best first, with the step that cut it; at most 20. */
  readonly cut: readonly { readonly hit: SearchHit; readonly reason: string }[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Something was found, but nothing that is near enough to be worth showing. */
  readonly abstained: boolean;
  /** Searchers that were missing, failed or were late, each with the reason. */
  readonly degraded: readonly string[];
  /**
   * Beside an answer of nothing, or of files alone: notes that are about the subject and do not answer for certain, best first, at
   * most 5. A caller may know better, so titles of these are shown as such. With `explain` also what is not near enough.
   */
  readonly nearest?: readonly SearchHit[];
  /** Why the nearest are no answer, as half a sentence. */
  readonly unanswered?: string;
  /** Only with `explain`. */
  readonly explanation?: AnswerExplanation;
  /** Conflicts among what was found, as sentences. */
  readonly notes: readonly string[];
  readonly searchedMs: number;
}
