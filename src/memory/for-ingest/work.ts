/**
 * One worker run in this project: tier 1 is brought in step first, so that what stands in a file is not learned again,
 * then sessions that never ended are found, then the queue is worked off, then what memories cite is looked up.
 */
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { IngestPart, WorkReport } from "../../core/memory.ts";
import { ingestSession } from "../../ingest/ingest-session.ts";
import { LEASE_FILE } from "../../ingest/launch-worker.ts";
import { workQueue } from "../../ingest/work-queue.ts";
import { lookForConflicts } from "../conflicts/file-conflicts.ts";
import { openFilesPart } from "../files-part.ts";
import { recheckCitations } from "../freshness.ts";
import { noteCaughtUp } from "../marks/catch-up.ts";
import { isPaused } from "../marks/pause.ts";
import { buildVectors } from "../models/build-vectors.ts";
import type { Workbench } from "../workbench.ts";
import { ingestDeps } from "./ingest-deps.ts";
import { spoolIdleSessions } from "./spool-idle-sessions.ts";

type WorkOptions = Parameters<IngestPart["work"]>[0];

export async function work(bench: Workbench, options: WorkOptions = {}): Promise<WorkReport> {
  if (await bench.isOff()) return { processed: [], failed: [], remaining: 0, busy: false, embedded: 0 };
  const store = await bench.store();
  const failed: WorkReport["failed"][number][] = [];
  const quietly = async (what: string, step: () => Promise<unknown>): Promise<void> => {
    try {
      options.onStage?.(what);
      await step();
    } catch (error) {
      failed.push({ session: what, message: messageOf(error), retryable: true });
    }
  };
  if (!isPaused(bench)) {
    await quietly("index", () => openFilesPart(bench).index({ embed: false }));
    await quietly("idle sessions", () => spoolIdleSessions(bench));
  }
  const deps = await ingestDeps(bench);
  const report = await workQueue(
    {
      runs: store.runs,
      spoolDirectory: bench.paths.spool,
      leasePath: join(bench.paths.stateDir, LEASE_FILE),
      ingest: (request) => ingestSession(deps, request),
      embedMissing: (signal) => buildVectors(bench, { signal }),
      isPaused: async () => isPaused(bench),
      now: bench.now,
    },
    options,
  );
  if (!report.busy) {
    await quietly("citations", () => recheckCitations(bench));
    await lookForConflicts(bench);
    await noteCaughtUp(bench);
  }
  return { ...report, failed: [...failed, ...report.failed] };
}
