/** The noun for what two tiers disagree on: a rules file says one thing, a memory another. */
import type { MemoryId } from "../ids.ts";
import { handleOf, type MemoryRecord } from "../memory-record.ts";

export interface FileConflict {
  readonly memory: MemoryId;
  /** Relative to the project's root; `~/…` for files of the user. */
  readonly path: string;
  readonly line: number;
  readonly kind: "value" | "number" | "negation" | "opposite" | "place";
  readonly fileSays: string;
  readonly memorySays: string;
  /** Files win, unless the user said otherwise after the file was last changed. */
  readonly winner: "file" | "memory";
}

/** As one sentence for whoever is about to act on the memory. */
export function conflictSentence(conflict: FileConflict, memory: Pick<MemoryRecord, "id" | "type">): string {
  const { path, line, fileSays, memorySays, winner } = conflict;
  const verdict =
    winner === "file"
      ? "files win unless the user corrected later"
      : "the user said so after the file was last changed, so the memory wins";
  return `${path}:${line} says "${fileSays}", ${handleOf(memory)} says "${memorySays}"; ${verdict}.`;
}
