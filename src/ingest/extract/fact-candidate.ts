/** A fact as the model wrote it, valid in form, before its evidence has been checked. */
import type { Evidence, FactBody, SourceRank } from "../../core/memory-record.ts";

export interface FactCandidate extends FactBody {
  readonly scope: "project" | "user";
  /** What the model claims; recomputed when the evidence is checked. */
  readonly source: SourceRank;
  readonly confidence: number;
  readonly resolvedAt: number | null;
  readonly expires: Date | null;
  /** At least one; turns and quotes not yet checked. */
  readonly evidence: readonly Evidence[];
}
