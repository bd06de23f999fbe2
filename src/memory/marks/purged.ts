/**
 * When everything was purged: an empty file that outlives the purge, so that transcripts which still lie on disk are not
 * learned again behind the user's back.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../config/private-files.ts";
import type { Workbench } from "../workbench.ts";

export function notePurge(bench: Workbench): void {
  writePrivateFile(markOf(bench), "");
}

/** @returns Milliseconds since the epoch; 0 where nothing was ever purged. */
export function purgedAtMs(bench: Workbench): number {
  return statSync(markOf(bench), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function markOf(bench: Workbench): string {
  return join(bench.paths.stateDir, "purged");
}
