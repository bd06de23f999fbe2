import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_FILE, launchWorker } from "../../src/ingest/launch-worker.ts";
import { isLeaseLive, takeLease } from "../../src/ingest/worker-lease.ts";
import { NOW } from "../support/records.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "arcticmem-state-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const later = (ms: number) => new Date(NOW.getTime() + ms);
const path = () => join(state, LEASE_FILE);
const take = (now = NOW) => takeLease({ path: path(), leaseMs: 1_000, now });

describe("the worker's lease", () => {
  it("is held by one at a time, and free when it is given back", () => {
    const lease = take();
    expect(lease).toBeDefined();
    expect(take()).toBeUndefined();
    expect(isLeaseLive(path(), NOW)).toBe(true);
    lease?.release();
    expect(isLeaseLive(path(), NOW)).toBe(false);
    expect(take()).toBeDefined();
  });

  it("goes to the next when its time is over, and the one that lost it learns so", () => {
    const slow = take();
    expect(slow?.renew(later(500))).toBe(true);
    expect(take(later(1_400))).toBeUndefined();
    const next = take(later(1_600));
    expect(next).toBeDefined();
    expect(slow?.renew(later(1_700))).toBe(false);
    slow?.release();
    expect(isLeaseLive(path(), later(1_700))).toBe(true);
  });

  it("is free at once when the process that held it died", () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(path(), JSON.stringify({ pid, owner: "dead", until: later(900_000).getTime() }));
    expect(isLeaseLive(path(), NOW)).toBe(false);
    expect(take()).toBeDefined();
  });

  it("is nobody's when its file is garbage", () => {
    writeFileSync(path(), '{"pid": 1, "ow');
    expect(isLeaseLive(path(), NOW)).toBe(false);
    expect(take()).toBeDefined();
  });
});

describe("launchWorker", () => {
  const launch = (variables: Record<string, string> = {}, script = "") =>
    launchWorker({ argv: ["-e", script], stateDirectory: state, variables, now: NOW });

  it("starts a detached process that knows that it is a worker", async () => {
    const file = join(state, "ran");
    const script = `require("fs").writeFileSync(${JSON.stringify(file)}, process.env.ARCTICMEM_WORKER)`;
    expect(launch({ PATH: process.env.PATH ?? "" }, script)).toMatchObject({ launched: true });
    for (let tries = 0; tries < 200 && !existsSync(file); tries += 1) await wait(25);
    await wait(50);
    expect(readFileSync(file, "utf8")).toBe("1");
  });

  it("F2: starts nothing inside a worker, and nothing when everything is switched off", () => {
    expect(launch({ ARCTICMEM_WORKER: "1" })).toEqual({ launched: false, reason: "inside-worker" });
    expect(launch({ ARCTICMEM_DISABLE: "1" })).toEqual({ launched: false, reason: "disabled" });
    expect(existsSync(join(state, "worker-starts.json"))).toBe(false);
  });

  it("reads the switch as it is read everywhere", () => {
    for (const value of ["off", "No", " 0 "])
      expect(launch({ ARCTICMEM_DISABLE: value })).toMatchObject({ launched: true });
  });

  it("starts nothing while a worker works", () => {
    take();
    expect(launch()).toEqual({ launched: false, reason: "running" });
  });

  it("F2: has a cap on starts of its own, should the other guards have been taken away", () => {
    const starts = Array.from({ length: 60 }, (_, at) => NOW.getTime() - at * 1_000);
    writeFileSync(join(state, "worker-starts.json"), JSON.stringify(starts));
    expect(launch()).toEqual({ launched: false, reason: "cap" });
    writeFileSync(join(state, "worker-starts.json"), JSON.stringify(starts.map((at) => at - 3_600_000)));
    expect(launch()).toMatchObject({ launched: true });
  });

  it("never throws: where the state can't be written nothing is started", () => {
    writeFileSync(join(state, "file"), "");
    const request = { argv: ["-e", ""], stateDirectory: join(state, "file", "below"), variables: {}, now: NOW };
    expect(launchWorker(request)).toEqual({ launched: false, reason: "failed" });
  });
});
