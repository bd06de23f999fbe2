/** What a filter is: one small function with an id, which keeps a fact, changes it, or says why it goes. */
import type { Fact, FactBody } from "../../../core/memory-record.ts";
import type { Profile } from "../../../core/profile.ts";

export interface FilterContext {
  readonly profile: Profile;
  /** When the session ended: "future" is counted from here. */
  readonly sessionEnd: Date;
  /** Word shingles of the instruction files and the README. */
  readonly knownShingles: ReadonlySet<string>;
  /** Hosts of the addresses that people wrote in the session. */
  readonly humanHosts: ReadonlySet<string>;
  /** Likeness to the nearest generic statement; absent without an embedder. */
  readonly genericCosine?: (fact: Fact) => number | undefined;
  readonly genericThreshold: number;
  /** Something to tell that rejects nothing. */
  readonly warn: (text: string) => void;
}

/** Looks at one fact alone, so that a fact can neither save nor sink another. */
export interface FactRule {
  readonly id: string;
  /** @returns The fact, changed or not, or the reason why it is rejected. */
  apply(fact: Fact, context: FilterContext): Fact | string;
}

/** What the fact claims, without its reasons. */
export function claimOf(fact: Pick<Fact, "title" | "content">): string {
  return `${fact.title}\n${fact.content}`;
}

/** Everything that a fact says to its reader. */
export function wholeText(body: FactBody): string {
  const { why, howToApply, whenToUse, whenNot, appliesIf } = body;
  return [claimOf(body), why, howToApply, ...whenToUse, whenNot ?? "", appliesIf ?? ""].join("\n");
}
