/** Finds this project's sessions that no hook has told of: a window that was closed, a machine that went to sleep. */
import { spoolIdle } from "../../ingest/spool-idle.ts";
import { listCheckouts } from "../../project/find-repository.ts";
import { isPaused } from "../marks/pause.ts";
import { purgedAtMs } from "../marks/purged.ts";
import type { Workbench } from "../workbench.ts";
import { HOSTS } from "./read-transcript.ts";

/** @returns How many were spooled. */
export async function spoolIdleSessions(bench: Workbench): Promise<number> {
  if (isPaused(bench) || (await bench.isOff())) return 0;
  const { root, repository } = await bench.identity();
  const roots = repository === null ? [root] : listCheckouts(repository);
  const store = await bench.store();
  const runs = await store.runs.list({ project: await bench.projectId(), limit: 1_000 });
  const { hosts, ingest } = await bench.config();
  const idleMs = ingest.minIdleMinutes * 60_000;
  let spooled = 0;
  for (const { name, finder } of HOSTS) {
    if (finder === undefined || !hosts.includes(name)) continue;
    const transcripts = await finder.find(roots, bench.environment);
    const found = transcripts.filter(({ modifiedAtMs }) => modifiedAtMs > purgedAtMs(bench));
    const common = { directory: bench.paths.spool, cwd: bench.cwd, runs, idleMs, now: bench.now() };
    spooled += await spoolIdle({ ...common, host: name, found });
  }
  return spooled;
}
