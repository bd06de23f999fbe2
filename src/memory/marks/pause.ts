/** The pause: one empty file, so that a hook knows of it without opening the store. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workbench } from "../workbench.ts";

export function isPaused(bench: Workbench): boolean {
  return existsSync(pauseFile(bench));
}

export function setPaused(bench: Workbench, paused: boolean): void {
  if (!paused) {
    rmSync(pauseFile(bench), { force: true });
    return;
  }
  mkdirSync(bench.paths.stateDir, { recursive: true, mode: 0o700 });
  writeFileSync(pauseFile(bench), "", { mode: 0o600 });
}

function pauseFile(bench: Workbench): string {
  return join(bench.paths.stateDir, "paused");
}
