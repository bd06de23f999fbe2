/**
 * When a worker last looked at a project: for idle sessions, retries, changed files. Until that is some time ago, or a hook
 * has left a note, no worker is started. One small file a project, so that asking costs a hook one `stat`.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../config/private-files.ts";
import { sha256 } from "../../core/hash.ts";
import type { Workbench } from "../workbench.ts";

const LOOK_AGAIN_MS = 600_000;
const FOLDER = "catch-up";

export async function isCatchUpDue(bench: Workbench): Promise<boolean> {
  try {
    return bench.now().getTime() - statSync(await markOf(bench)).mtimeMs > LOOK_AGAIN_MS;
  } catch {
    return true; // never looked, or asked to look again
  }
}

export async function noteCaughtUp(bench: Workbench): Promise<void> {
  writePrivateFile(await markOf(bench), "");
}

/** Something was seen that a worker has to look at. */
export async function askToCatchUp(bench: Workbench): Promise<void> {
  rmSync(await markOf(bench), { force: true });
}

async function markOf(bench: Workbench): Promise<string> {
  const { root } = await bench.identity();
  return join(bench.paths.stateDir, FOLDER, sha256(root).slice(0, 24));
}
