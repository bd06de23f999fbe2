/**
 * Weights and thresholds as data: one setting for facts, one for chunks, and thresholds for each embedding model, since
 * a cosine means something else for each. `evals/RESULTS.md` shows the sweeps that these numbers come from.
 */
import type { Arm, UnitKind } from "../core/query.ts";
import type { FusionKind, TypicalLeads } from "./fuse-rankings.ts";

export type ArmWeights = Readonly<Record<Arm, number>>;

/** How one kind of unit is ranked. */
export interface UnitSettings {
  readonly fusion: FusionKind;
  /** For `rrf`; default 10. */
  readonly rrfK?: number;
  readonly weights: ArmWeights;
  /** A hit whose score is below this share of the best one's is cut. */
  readonly leastShare: number;
}

/** What raw scores must reach for a hit to be worth showing. */
export interface Thresholds {
  /** Cosine of the query and the nearest trigger or title. */
  readonly trigger: number;
  /** Cosine of the query and the body. */
  readonly body: number;
  /** Cosine of the query and a piece of a file: longer texts are less near to any question. */
  readonly piece: number;
  /** Share of the query's idf mass that full text covers, 0 … 1. */
  readonly coverage: number;
  /** The same where no vectors answer: words are then the only witness, and paraphrases share few. */
  readonly coverageAlone: number;
}

/** When the best fact answers a question that asks for one thing. Cosines without centring, but for `standing` and `sure`. */
export interface AnswerTest {
  /** How far it must stand out; see `standing`. */
  readonly standing: number;
  /** Below this it may be about the subject only: what the question asks beyond the shared words must be near it too. */
  readonly doubtful: number;
  /** How near that must be. */
  readonly remainder: number;
  /** Likeness from which there is no doubt. */
  readonly sure: number;
  /** Cosine of two words from which they may name things of one kind. */
  readonly kin: number;
  /** Standing from which the best one is the answer, and the others are its rivals: the tail is cut at `clearShare`. */
  readonly clear: number;
  readonly clearShare: number;
}

export interface RetrievalSettings {
  readonly units: Readonly<Record<UnitKind, UnitSettings>>;
  /** Searchers that are weighted by how sure they are of a query; the others always count fully. */
  readonly leads: TypicalLeads;
  /** Share of what all vectors of the store have in common that is taken off a query, 0 … 1. */
  readonly centring: number;
  readonly thresholds: Thresholds;
  /** Absent for a model whose scale nobody knows: then thresholds alone decide. */
  readonly answerTest?: AnswerTest | undefined;
  /** For measuring what each step is worth. */
  readonly leaveOut?: readonly RankStep[];
}

/** Steps after fusion: adjustments by their name in explanations, and what moves hits. */
export type RankStep =
  | "scope"
  | "age"
  | "evidence"
  | "utility"
  | "status"
  | "pinned"
  | "change"
  | "successors"
  | "reserved symbols"
  | "duplicates";

const UNITS: RetrievalSettings["units"] = {
  fact: {
    fusion: "min-max",
    weights: { trigger: 2, body: 0.45, fulltext: 0.9, symbol: 1.3, trigram: 0.4 },
    leastShare: 0.5,
  },
  chunk: {
    fusion: "min-max",
    weights: { trigger: 0, body: 1, fulltext: 0.9, symbol: 1.3, trigram: 0.4 },
    leastShare: 0,
  },
};

/** What differs from model to model. */
interface Calibration {
  readonly thresholds: Thresholds;
  /** Lead of the first hit over the tenth where vectors are sure. */
  readonly vectorLead: number;
  readonly answerTest?: AnswerTest;
}

/** For a model that nobody has calibrated: few false hits rather than few missed ones. */
const CAUTIOUS: Calibration = {
  thresholds: { trigger: 0.6, body: 0.6, piece: 0.6, coverage: 0.6, coverageAlone: 0.2 },
  vectorLead: 0.2,
};

/** By a part of the model's fingerprint. */
const CALIBRATED: Readonly<Record<string, Calibration>> = {
  "all-MiniLM-L6-v2": {
    thresholds: { trigger: 0.25, body: 0.25, piece: 0.2, coverage: 0.5, coverageAlone: 0.2 },
    vectorLead: 0.2,
    answerTest: {
      standing: 0.22,
      doubtful: 0.39,
      remainder: 0.2,
      sure: 0.55,
      kin: 0.345,
      clear: 0.6,
      clearShare: 0.65,
    },
  },
};

const WORD_LEAD = 0.4;
/** Names are seldom shared by ten units; those that are tell little. */
const SYMBOL_LEAD = 2;
const CENTRING = 0.4;

/**
 * The settings in force for a model.
 *
 * @param fingerprint - Of the model whose vectors serve; absent where there is none.
 */
export function settingsFor(fingerprint: string | undefined): RetrievalSettings {
  const known = Object.keys(CALIBRATED).find((name) => fingerprint?.includes(name));
  const { thresholds, vectorLead, answerTest } = (known === undefined ? undefined : CALIBRATED[known]) ?? CAUTIOUS;
  return {
    units: UNITS,
    leads: { trigger: vectorLead, body: vectorLead, fulltext: WORD_LEAD, symbol: SYMBOL_LEAD },
    centring: CENTRING,
    thresholds,
    answerTest,
  };
}
