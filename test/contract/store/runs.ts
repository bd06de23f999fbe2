/** Runs of ingestion under leases. */
import { describe, expect, it } from "vitest";
import { runId, sessionId } from "../../../src/core/ids.ts";
import type { IngestReport, RunResult } from "../../../src/core/report.ts";
import type { RunFinish, RunStart } from "../../../src/store/store.ts";
import { NOW, PROJECT } from "../../support/records.ts";
import type { OpenStore } from "../memory-store.ts";

const MINUTE_MS = 60_000;
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * MINUTE_MS);
const start = (id: string, fields: Partial<RunStart> = {}): RunStart => ({
  id: runId(id),
  host: "claude-code",
  session: sessionId("s-1"),
  digest: "d-1",
  profile: "coding@1",
  extractor: "rules/1",
  project: PROJECT,
  transcript: "~/t.jsonl",
  owner: "worker-1",
  leaseMs: 15 * MINUTE_MS,
  maxAttempts: 3,
  ...fields,
});

export function aReport(result: RunResult): IngestReport {
  return {
    run: runId("a"),
    session: sessionId("s-1"),
    host: "claude-code",
    project: PROJECT,
    result,
    mode: "rules",
    extractor: "rules/1",
    outcome: null,
    decisions: [],
    rejections: [],
    stages: [],
    coverage: 1,
    leftOut: [],
    dryRun: false,
    alreadyIngested: false,
    startedAt: NOW,
    finishedAt: at(1),
  };
}

const finish = (result: RunResult, fields: Partial<RunFinish> = {}): RunFinish => ({
  status: "done",
  notBefore: null,
  watermark: 12,
  report: aReport(result),
  error: null,
  ...fields,
});
const BROKEN: RunResult = { kind: "failed", failure: "model", retryable: true, message: "down" };

export function runContract(open: OpenStore): void {
  describe("runs", () => {
    it("is claimed once; the second worker hears until when it is leased", async () => {
      const { runs } = await open();
      const claim = await runs.claim(start("a"), NOW);
      expect(claim).toMatchObject({ kind: "claimed", run: { id: "a", status: "running", attempts: 1 } });
      expect(await runs.claim(start("b", { owner: "worker-2" }), at(1))).toEqual({ kind: "leased", until: at(15) });
    });

    it("does not extract one session twice at a time, though it has grown", async () => {
      const { runs } = await open();
      await runs.claim(start("a"), NOW);
      expect(await runs.claim(start("b", { digest: "d-2" }), at(1))).toEqual({ kind: "leased", until: at(15) });
      expect(await runs.claim(start("c", { session: sessionId("s-2") }), at(1))).toMatchObject({ kind: "claimed" });
    });

    it("passes to another worker when the lease has run out, and the first one's heartbeat fails", async () => {
      const { runs } = await open();
      await runs.claim(start("a"), NOW);
      expect(await runs.heartbeat(runId("a"), "worker-1", at(30))).toBe(true);
      expect(await runs.claim(start("b", { owner: "worker-2" }), at(20))).toMatchObject({ kind: "leased" });
      const second = await runs.claim(start("b", { owner: "worker-2" }), at(31));
      expect(second).toMatchObject({ kind: "claimed", run: { id: "a", attempts: 2 } });
      expect(await runs.heartbeat(runId("a"), "worker-1", at(60))).toBe(false);
    });

    it("answers a finished one with its stored report", async () => {
      const { runs } = await open();
      await runs.claim(start("a"), NOW);
      await runs.finish(runId("a"), finish({ kind: "facts" }), at(1));
      const again = await runs.claim(start("b"), at(2));
      expect(again).toMatchObject({ kind: "done", run: { id: "a", watermark: 12 } });
      expect((await runs.get(runId("a")))?.report).toEqual(aReport({ kind: "facts" }));
    });

    it("tries one again that was skipped for its budget or for being active, as often as it takes", async () => {
      const { runs } = await open();
      for (const reason of ["budget", "active", "budget", "active", "budget"] as const) {
        expect(await runs.claim(start("a"), NOW)).toMatchObject({ kind: "claimed", run: { attempts: 1 } });
        await runs.finish(runId("a"), finish({ kind: "skipped", reason }), NOW);
      }
      await runs.claim(start("a"), NOW);
      await runs.finish(runId("a"), finish({ kind: "skipped", reason: "external" }), NOW);
      expect(await runs.claim(start("a"), NOW)).toMatchObject({ kind: "done" });
    });

    it("waits after a failure, and tries again when the pause is over", async () => {
      const { runs } = await open();
      await runs.claim(start("a"), NOW);
      await runs.finish(runId("a"), finish(BROKEN, { status: "waiting", notBefore: at(60), error: "down" }), at(1));
      expect(await runs.claim(start("b"), at(59))).toMatchObject({
        kind: "waiting",
        until: at(60),
        run: { attempts: 1 },
      });
      expect(await runs.claim(start("b"), at(60))).toMatchObject({
        kind: "claimed",
        run: { attempts: 2, error: "down" },
      });
    });

    it("is not done while a retryable failure has attempts left", async () => {
      const { runs } = await open();
      for (const attempt of [1, 2]) {
        expect(await runs.claim(start("a"), NOW)).toMatchObject({ kind: "claimed", run: { attempts: attempt } });
        await runs.finish(runId("a"), finish(BROKEN), NOW);
        expect((await runs.get(runId("a")))?.status).toBe("waiting");
      }
      await runs.claim(start("a"), NOW);
      await runs.finish(runId("a"), finish(BROKEN), NOW);
      expect(await runs.claim(start("a"), NOW)).toMatchObject({ kind: "done" });
    });

    it("is dead after three workers that ended without a word, until it is revived", async () => {
      const { runs } = await open();
      for (const tries of [0, 1, 2]) {
        expect(await runs.claim(start("a"), at(tries * 20))).toMatchObject({ kind: "claimed" });
      }
      expect(await runs.claim(start("a"), at(100))).toMatchObject({ kind: "dead", run: { status: "dead" } });
      expect(await runs.list({ status: "dead" })).toHaveLength(1);
      await runs.revive(runId("a"));
      expect(await runs.claim(start("a"), at(101))).toMatchObject({ kind: "claimed", run: { attempts: 1 } });
    });

    it("remembers how far a session was extracted, by extractor", async () => {
      const { runs } = await open();
      expect(await runs.watermark("claude-code", sessionId("s-1"), "rules/1")).toBe(0);
      await runs.claim(start("a"), NOW);
      await runs.finish(runId("a"), finish({ kind: "facts" }, { watermark: 40 }), at(1));
      await runs.claim(start("b", { digest: "d-2" }), at(2));
      await runs.finish(runId("b"), finish({ kind: "no_facts" }, { watermark: 55 }), at(3));
      expect(await runs.watermark("claude-code", sessionId("s-1"), "rules/1")).toBe(55);
      expect(await runs.watermark("claude-code", sessionId("s-1"), "model:x")).toBe(0);
    });

    it("lists the newest first, by project and status", async () => {
      const { runs } = await open();
      await runs.claim(start("a"), NOW);
      await runs.claim(start("b", { session: sessionId("s-2"), project: null }), at(1));
      expect((await runs.list({})).map(({ id }) => id)).toEqual(["b", "a"]);
      expect((await runs.list({ project: PROJECT })).map(({ id }) => id)).toEqual(["a"]);
      expect(await runs.list({ status: "done" })).toEqual([]);
      expect(await runs.list({ limit: 1 })).toHaveLength(1);
    });
  });
}
