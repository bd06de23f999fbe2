import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ArcticMemError } from "../../src/core/errors.ts";
import type { Session } from "../../src/core/session.ts";
import { countSpooled, spoolSession } from "../../src/ingest/ingest-queue.ts";
import { ingestSession } from "../../src/ingest/ingest-session.ts";
import { type WorkQueueDeps, workQueue } from "../../src/ingest/work-queue.ts";
import { takeLease } from "../../src/ingest/worker-lease.ts";
import { buildSession, human, runs } from "../support/build-session.ts";
import { type IngestHarness, ingestHarness } from "../support/ingest-harness.ts";
import { cannedModel, DOWN } from "../support/stage-deps.ts";

const HOUR_MS = 3_600_000;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "arcticmem-work-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const session = (text = "Remember that releases go out on Tuesdays only.") =>
  buildSession([human(text), runs("npm test", "3 passed")]);

/** A queue over a harness whose transcripts are `sessions`, by path. */
function queue(
  harness: IngestHarness,
  sessions: Map<string, Session>,
  changes: Partial<WorkQueueDeps> = {},
): WorkQueueDeps {
  const readTranscript = async (_host: string | undefined, path: string) => {
    const found = sessions.get(path);
    if (found === undefined) throw new ArcticMemError("FILE_NOT_FOUND", `${path} is gone`);
    return found;
  };
  return {
    runs: harness.store.runs,
    spoolDirectory: join(folder, "spool"),
    leasePath: join(folder, "worker.lease"),
    ingest: (request) => ingestSession({ ...harness.deps, readTranscript }, request),
    embedMissing: async () => 7,
    isPaused: async () => false,
    now: harness.deps.now,
    ...changes,
  };
}

const spool = (harness: IngestHarness, name: string) =>
  spoolSession(
    join(folder, "spool"),
    { host: "claude-code", session: name, transcript: `/${name}`, cwd: "/work", offset: 0, reason: "session-end" },
    harness.deps.now(),
  );

describe("workQueue", () => {
  it("ingests what is spooled, embeds what is missing, and leaves the spool empty", async () => {
    const harness = await ingestHarness();
    await spool(harness, "a");
    const report = await workQueue(queue(harness, new Map([["/a", session()]])));
    expect(report).toMatchObject({
      processed: [{ result: { kind: "facts" } }],
      failed: [],
      remaining: 0,
      busy: false,
      embedded: 7,
    });
    expect(await countSpooled(join(folder, "spool"))).toBe(0);
    expect(await harness.memories()).toHaveLength(1);
  });

  it("does nothing while another worker works, and nothing when paused: the notes stay", async () => {
    const harness = await ingestHarness();
    await spool(harness, "a");
    const deps = queue(harness, new Map([["/a", session()]]));
    expect(await workQueue({ ...deps, isPaused: async () => true })).toMatchObject({
      processed: [],
      remaining: 1,
      busy: false,
    });
    const lease = takeLease({ path: deps.leasePath, leaseMs: 60_000, now: harness.deps.now() });
    expect(await workQueue(deps)).toMatchObject({ processed: [], remaining: 1, busy: true });
    lease?.release();
    expect(await workQueue(deps)).toMatchObject({ remaining: 0 });
  });

  it("reports a transcript that is gone, once, and not as something to try again", async () => {
    const harness = await ingestHarness();
    await spool(harness, "gone");
    const deps = queue(harness, new Map());
    expect(await workQueue(deps)).toMatchObject({ failed: [{ session: "gone", retryable: false }], remaining: 0 });
    expect(await workQueue(deps)).toMatchObject({ failed: [], processed: [] });
    expect(await harness.store.runs.list({ status: "dead" })).toHaveLength(1);
  });

  it("tries the model's run again when its pause is over, and then not any more", async () => {
    let down = true;
    const harness = await ingestHarness({ model: cannedModel(() => (down ? DOWN : '{"facts": []}')) });
    await spool(harness, "a");
    const deps = queue(harness, new Map([["/a", session()]]));
    const first = await workQueue(deps);
    expect(first).toMatchObject({ processed: [{ mode: "rules" }], failed: [{ retryable: true }] });
    expect(await workQueue(deps)).toMatchObject({ processed: [], failed: [] });
    harness.wait(HOUR_MS);
    down = false;
    expect((await workQueue(deps)).processed).toMatchObject([{ mode: "model", result: { kind: "no_facts" } }]);
    expect((await workQueue(deps)).processed).toEqual([]);
  });

  it("closes a waiting run of a session that has gone on since, or lost its transcript", async () => {
    for (const next of [session("Remember that we deploy on Mondays only."), undefined]) {
      const harness = await ingestHarness({ model: cannedModel([DOWN]) });
      await spool(harness, "a");
      const sessions = new Map([["/a", session()]]);
      const deps = queue(harness, sessions);
      await workQueue(deps);
      if (next === undefined) sessions.delete("/a");
      else sessions.set("/a", next);
      harness.wait(HOUR_MS);
      await workQueue(deps);
      const [waiting] = await harness.store.runs.list({ status: "waiting" });
      expect(waiting?.digest).toBe(next?.digest);
      expect(await workQueue(deps)).toMatchObject({ processed: [], failed: [] });
    }
  });

  it("keeps the note when the store can't be used, and tries it again after a pause", async () => {
    const harness = await ingestHarness();
    await spool(harness, "a");
    let locked = true;
    const deps = queue(harness, new Map([["/a", session()]]));
    const ingest: WorkQueueDeps["ingest"] = async (request) => {
      if (locked) throw new ArcticMemError("STORE_LOCKED", "busy");
      return deps.ingest(request);
    };
    expect(await workQueue({ ...deps, ingest })).toMatchObject({
      failed: [{ session: "a", retryable: true }],
      remaining: 1,
    });
    locked = false;
    expect((await workQueue({ ...deps, ingest })).processed).toEqual([]);
    harness.wait(HOUR_MS);
    expect((await workQueue({ ...deps, ingest })).processed).toHaveLength(1);
  });

  it("goes on with the other sessions when one of them breaks, and when vectors can't be made", async () => {
    const harness = await ingestHarness();
    await spool(harness, "bad");
    await spool(harness, "good");
    const broken = { ...session(), turns: undefined } as unknown as Session;
    const deps = queue(
      harness,
      new Map([
        ["/bad", broken],
        ["/good", session()],
      ]),
      {
        embedMissing: async () => {
          throw new Error("no model file");
        },
      },
    );
    const report = await workQueue(deps);
    expect(report.processed).toHaveLength(1);
    expect(report.failed.map(({ session: name }) => name)).toEqual(["bad", "vectors"]);
  });

  it("F4: gives a note up that breaks the worker three times", async () => {
    const harness = await ingestHarness();
    await spool(harness, "bad");
    const broken = { ...session(), turns: undefined } as unknown as Session;
    const deps = queue(harness, new Map([["/bad", broken]]));
    const retryable: boolean[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      retryable.push(...(await workQueue(deps)).failed.map((failure) => failure.retryable));
      harness.wait(HOUR_MS);
    }
    expect(retryable).toEqual([true, true, false]);
    expect(await countSpooled(join(folder, "spool"))).toBe(0);
  });
});
