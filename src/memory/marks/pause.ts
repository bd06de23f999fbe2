/** The pause: one empty file, so that a hook knows of it without opening the store. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../config/private-files.ts";
import type { Workbench } from "../workbench.ts";

export function isPaused(bench: Workbench): boolean {
  return existsSync(pauseFile(bench));
}

export function setPaused(bench: Workbench, paused: boolean): void {
  if (paused) writePrivateFile(pauseFile(bench), "");
  else rmSync(pauseFile(bench), { force: true });
}

function pauseFile(bench: Workbench): string {
  return join(bench.paths.stateDir, "paused");
}
