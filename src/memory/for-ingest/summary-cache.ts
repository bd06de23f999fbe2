/**
 * Summaries of spans from earlier runs, so that a session that grew pays for its new spans only. They tell what was said
 * in sessions: whatever is erased for good takes all of them along.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SummaryCache } from "../../ingest/stage-deps.ts";

/** A long session has a few dozen spans. */
const MOST_FILES = 400;

export function openSummaryCache(stateDirectory: string): SummaryCache {
  const folder = summaryFolder(stateDirectory);
  return {
    forget: () => forgetSummaries(stateDirectory),
    read: (key) => readFile(join(folder, key), "utf8").catch(() => undefined),
    write: async (key, summary) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, key), summary, { mode: 0o600 });
      await dropOldest(folder);
    },
  };
}

export async function forgetSummaries(stateDirectory: string): Promise<void> {
  await rm(summaryFolder(stateDirectory), { recursive: true, force: true });
}

function summaryFolder(stateDirectory: string): string {
  return join(stateDirectory, "summaries");
}

async function dropOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MOST_FILES) return;
  const times = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  const old = times.sort((a, b) => a.at - b.at).slice(0, names.length - MOST_FILES);
  for (const { name } of old) await rm(join(folder, name), { force: true });
}
