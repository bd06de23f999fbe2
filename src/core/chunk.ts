/** The nouns of tier 1: a file that people wrote, and the pieces of it that search can return. */
import type { ChunkId, ProjectId } from "./ids.ts";

export interface SourceFile {
  readonly project: ProjectId;
  /** Relative to the project's root with forward slashes; `~/…` for files of the user. */
  readonly path: string;
  readonly contentHash: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** Hosts that put this file into the prompt themselves (`claude-code`, `codex`, …): not injected there again. */
  readonly loadedBy: readonly string[];
}

export interface Chunk {
  readonly id: ChunkId;
  readonly project: ProjectId;
  readonly path: string;
  /** Titles from the file's first heading down to this piece's own. */
  readonly headings: readonly string[];
  readonly text: string;
  /** First and last line in the file, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly contentHash: string;
  readonly symbols: readonly string[];
}
