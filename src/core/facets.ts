/** What can be known of the work at hand before anybody has typed a prompt. */

/** A line and when it was written. */
export interface DatedLine {
  readonly text: string;
  readonly at: Date;
}

export interface OtherFacet {
  readonly name: string;
  /** Searched with, not shown: it may hold a stranger's words. */
  readonly text: string;
  /** 0 … 1. */
  readonly weight: number;
  /** Name of the file that it was read from; empty for none. */
  readonly file: string;
}

export interface WorkFacets {
  /** `null` outside git and on a detached head. */
  readonly branch: string | null;
  /** Dirty and staged files, relative to the root, with forward slashes. */
  readonly changedFiles: readonly string[];
  /** Subjects of the last commits, own ones first. */
  readonly commits: readonly DatedLine[];
  /** Goal and unresolved errors of the last ingested session of this project. */
  readonly openItems: readonly DatedLine[];
  /** Remote's name, README's title, top dependencies, languages. */
  readonly identity: readonly string[];
  /** What a profile adds: open notebook, ticket subject, research question. */
  readonly others: readonly OtherFacet[];
  /** Where a line speaks of the last release and its date is known. */
  readonly lastRelease?: Date;
}
