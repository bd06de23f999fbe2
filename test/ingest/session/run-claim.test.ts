import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runId } from "../../../src/core/ids.ts";
import { underLease } from "../../../src/ingest/session/run-claim.ts";
import type { RunTable } from "../../../src/store/store.ts";
import { NOW } from "../../support/records.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("underLease", () => {
  const deps = (held: () => boolean) => {
    const beats: Date[] = [];
    const heartbeat: RunTable["heartbeat"] = async (_id, _owner, until) => {
      beats.push(until);
      return held();
    };
    const endings: unknown[] = [];
    const finish: RunTable["finish"] = async (_id, ending) => void endings.push(ending);
    return { beats, endings, deps: { runs: { heartbeat, finish } as RunTable, now: () => NOW, owner: "w" } };
  };
  const until = (signal: AbortSignal) =>
    new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const lease = { id: runId("r"), signal: undefined };

  it("renews the lease while it works, and stops renewing when it is done", async () => {
    const { beats, deps: own } = deps(() => true);
    const work = underLease(own, lease, () => new Promise((resolve) => setTimeout(() => resolve("done"), 1_000_000)));
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(await work).toBe("done");
    const count = beats.length;
    expect(count).toBeGreaterThan(2);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(beats).toHaveLength(count);
  });

  it("stops the work when another worker has taken over", async () => {
    const { deps: own } = deps(() => false);
    const work = expect(underLease(own, lease, until)).rejects.toThrow("taken over");
    await vi.advanceTimersByTimeAsync(300_000);
    await work;
  });

  it("stops with the caller, and the run is free at once", async () => {
    const { deps: own, endings } = deps(() => true);
    const stop = new AbortController();
    const work = expect(underLease(own, { ...lease, signal: stop.signal }, until)).rejects.toThrow("enough");
    stop.abort(new Error("enough"));
    await work;
    expect(endings).toMatchObject([{ status: "waiting", notBefore: null }]);
  });
});
