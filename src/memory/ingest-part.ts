/** Sessions become memories: at once when asked, by way of the spool and a worker when a hook says so. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ArcticMemError } from "../core/errors.ts";
import { given } from "../core/given.ts";
import { runId } from "../core/ids.ts";
import type { IngestOptions, IngestPart, SpoolEntry } from "../core/memory.ts";
import type { IngestReport, RunRecord } from "../core/report.ts";
import { isCatchUpDue } from "./marks/catch-up.ts";
import { isPaused, setPaused } from "./marks/pause.ts";
import type { Workbench } from "./workbench.ts";

const DEFAULT_RUNS = 50;

export function openIngestPart(bench: Workbench): IngestPart {
  return {
    session: (path, options = {}) => ingestNow(bench, path, options),
    spool: (entry) => spool(bench, entry),
    spoolIdle: async () => {
      const { spoolIdleSessions } = await import("./for-ingest/spool-idle-sessions.ts");
      return spoolIdleSessions(bench);
    },
    isDue: () => isDue(bench),
    work: async (options = {}) => {
      const { work } = await import("./for-ingest/work.ts");
      return work(bench, options);
    },
    runs: async ({ limit = DEFAULT_RUNS, everywhere = false } = {}) =>
      (await bench.store()).runs.list({ limit, ...(everywhere ? {} : { project: await bench.projectId() }) }),
    run: (id) => findRun(bench, id),
    settle: (ids, how) => settleRuns(bench, ids, how),
    pause: async () => setPaused(bench, true),
    resume: async () => setPaused(bench, false),
    launchWorker: async () => (await isDue(bench)) && launch(bench),
  };
}

async function ingestNow(bench: Workbench, path: string, options: IngestOptions): Promise<IngestReport> {
  await refuseWhenOff(bench);
  const [{ ingestSession }, { ingestDeps }] = await Promise.all([
    import("../ingest/ingest-session.ts"),
    import("./for-ingest/ingest-deps.ts"),
  ]);
  const deps = await ingestDeps(bench);
  let folder: string | undefined;
  const projectOf: typeof deps.projectOf = (session, where) => {
    folder = session.project.cwd;
    return deps.projectOf(session, where);
  };
  const { report, waiting } = await ingestSession(
    { ...deps, projectOf },
    {
      transcript: path,
      cwd: bench.cwd,
      onUnreadable: "throw",
      again: true,
      ...options,
    },
  );
  const placed = { ...report, ...given({ place: await placeOf(bench, report, folder) }) };
  if (waiting?.result.kind !== "failed") return placed;
  const { message, retryable } = waiting.result;
  return { ...placed, withoutModel: { run: waiting.run, message, retryable } };
}

/** Told where it is not what the caller expects: another project, or this one for want of the session's own folder. */
async function placeOf(
  bench: Workbench,
  { project }: IngestReport,
  folder: string | undefined,
): Promise<IngestReport["place"]> {
  const goneFolder = folder === undefined || existsSync(folder) ? null : folder;
  const here = await bench.identity();
  if (goneFolder !== null) return { name: here.name, goneFolder };
  if (project === (await bench.projectId(here))) return undefined;
  return { name: (await bench.identity(folder)).name, goneFolder };
}

async function refuseWhenOff(bench: Workbench): Promise<void> {
  if (!(await bench.isOff())) return;
  throw new ArcticMemError("DISABLED", "ArcticMem is switched off.", {
    hint: "Unset ARCTICMEM_DISABLE, or set `disabled` to false in the config.",
  });
}

/** With settings that can't be read the note is left all the same: the worker takes it once they are mended. */
async function spool(bench: Workbench, entry: SpoolEntry): Promise<void> {
  if (isPaused(bench) || (await bench.isOff().catch(() => false))) return;
  const { spoolSession } = await import("../ingest/ingest-queue.ts");
  await spoolSession(bench.paths.spool, entry, bench.now());
}

/** Asks the spool and a mark, opens no store. */
async function isDue(bench: Workbench): Promise<boolean> {
  if (isPaused(bench) || (await bench.isOff())) return false;
  const { isSpoolDue } = await import("../ingest/ingest-queue.ts");
  return (await isSpoolDue(bench.paths.spool, bench.now())) || isCatchUpDue(bench);
}

/** Test runs and measurements that want to see what hooks do alone. */
const NO_WORKER_VARIABLE = "ARCTICMEM_NO_WORKER";

async function launch(bench: Workbench): Promise<boolean> {
  if ((bench.environment.variables[NO_WORKER_VARIABLE] ?? "") !== "") return false;
  const { launchWorker } = await import("../ingest/launch-worker.ts");
  const script = fileURLToPath(new URL(`../cli/main${extname(import.meta.url)}`, import.meta.url));
  const { launched } = launchWorker({
    argv: [...process.execArgv, script, "work"],
    cwd: bench.cwd,
    stateDirectory: bench.paths.stateDir,
    variables: bench.environment.variables,
    now: bench.now(),
  });
  return launched;
}

async function findRun(bench: Workbench, id: string): Promise<RunRecord> {
  const { runs } = await bench.store();
  const exact = await runs.get(runId(id));
  if (exact !== undefined) return exact;
  const [only, ...others] = (await runs.list({ limit: 1_000 })).filter((run) => run.id.startsWith(id));
  if (only !== undefined && others.length === 0) return only;
  const message = only === undefined ? `There is no run ${id}.` : `${id} fits several runs.`;
  throw new ArcticMemError("INPUT_INVALID", message, { hint: "`arcticmem runs list` shows them." });
}

async function settleRuns(
  bench: Workbench,
  ids: readonly string[] | "dead",
  how: "retry" | "dismiss",
): Promise<RunRecord[]> {
  const { runs } = await bench.store();
  const chosen =
    ids === "dead"
      ? await runs.list({ status: "dead", limit: 1_000 })
      : await Promise.all(ids.map((id) => findRun(bench, id)));
  for (const { id, status } of chosen) {
    if (status === "dead" || status === "waiting") continue;
    const hint = "`arcticmem ingest <transcript>` reads a session again.";
    throw new ArcticMemError("INPUT_INVALID", `The run ${id} did not fail: it is ${status}.`, { hint });
  }
  for (const { id, watermark, report, error } of chosen) {
    const end = { status: "done", notBefore: null, watermark, report, error } as const;
    await (how === "retry" ? runs.revive(id) : runs.finish(id, end, bench.now()));
  }
  return Promise.all(chosen.map(async (run) => (await runs.get(run.id)) ?? run));
}
