import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SpoolEntry } from "../../src/core/memory.ts";
import {
  countSpooled,
  isSpoolDue,
  notesSetAside,
  postponeSpooled,
  readSpool,
  settleSpooled,
  spoolSession,
} from "../../src/ingest/ingest-queue.ts";
import { IDLE_AFTER_MS, spoolIdle } from "../../src/ingest/spool-idle.ts";
import { NOW } from "../support/records.ts";

let spool: string;
beforeEach(async () => {
  spool = join(await mkdtemp(join(tmpdir(), "arcticmem-spool-")), "spool");
});
afterEach(() => rm(join(spool, ".."), { recursive: true, force: true }));

const entry = (session: string, fields: Partial<SpoolEntry> = {}): SpoolEntry => ({
  host: "claude-code",
  session,
  transcript: `/t/${session}.jsonl`,
  cwd: "/work",
  offset: 10,
  reason: "session-end",
  ...fields,
});
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe("the spool", () => {
  it("holds one note for each session, the latest, oldest session first", async () => {
    await spoolSession(spool, entry("b"), later(1));
    await spoolSession(spool, entry("a"), NOW);
    await spoolSession(spool, entry("a", { offset: 99 }), later(2));
    const sessions = await readSpool(spool);
    expect(sessions.map(({ session, offset }) => [session, offset])).toEqual([
      ["b", 10],
      ["a", 99],
    ]);
  });

  it("keeps no text of the session, and nobody else can read it", async () => {
    await spoolSession(spool, { ...entry("a"), prompt: "secret" } as SpoolEntry, NOW);
    const [name = ""] = await readdir(spool);
    expect(await readFile(join(spool, name), "utf8")).not.toContain("secret");
    expect((await stat(join(spool, name))).mode & 0o777).toBe(0o600);
    expect((await stat(spool)).mode & 0o777).toBe(0o700);
  });

  it("is empty where there is none yet", async () => {
    expect(await readSpool(spool)).toEqual([]);
    expect(await countSpooled(spool)).toBe(0);
  });

  it.each([
    ["half a note", '{"host":"claude-code","sess'],
    ["no note", "[1,2]"],
    ["a note without a session", '{"host":"x","transcript":"/t","cwd":"/","at":"2026-03-02T12:00:00Z"}'],
    ["a note of another kind of time", '{"host":"x","session":"s","transcript":"/t","cwd":"/","at":"soon"}'],
    ["binary", "\u0000\u0001\u0002"],
    ["far too much", `"${"x".repeat(70_000)}"`],
  ])("sets %s aside and goes on", async (_, text) => {
    await spoolSession(spool, entry("a"), NOW);
    await writeFile(join(spool, "zz.json"), text);
    expect(await readSpool(spool)).toMatchObject([{ session: "a" }]);
    expect(await readdir(join(spool, "quarantine"))).toEqual(["zz.json"]);
    expect(await notesSetAside(spool)).toMatchObject({ count: 1 });
  });

  it("forgets a note that was dealt with, but not a newer one of the same session", async () => {
    await spoolSession(spool, entry("a"), NOW);
    const [first] = await readSpool(spool);
    if (first === undefined) throw new Error("no note");
    await spoolSession(spool, entry("a", { offset: 50 }), later(5));
    expect(await settleSpooled(spool, first)).toBe(false);
    const [second] = await readSpool(spool);
    expect(second?.offset).toBe(50);
    if (second !== undefined) expect(await settleSpooled(spool, second)).toBe(true);
    expect(await countSpooled(spool)).toBe(0);
  });

  it("finds a note again whose worker died while taking it out", async () => {
    await spoolSession(spool, entry("a"), NOW);
    const [name = ""] = await readdir(spool);
    await rename(join(spool, name), join(spool, `${name}.settled`));
    expect((await readSpool(spool)).map(({ session }) => session)).toEqual(["a"]);
  });

  it("is due until a note is put off", async () => {
    await spoolSession(spool, entry("a"), NOW);
    expect(await isSpoolDue(spool, NOW)).toBe(true);
    const [note] = await readSpool(spool);
    if (note !== undefined) await postponeSpooled(spool, note, { notBefore: later(1_000), counts: false });
    expect(await isSpoolDue(spool, NOW)).toBe(false);
    expect(await isSpoolDue(spool, later(1_000))).toBe(true);
  });

  it("survives many writers at once", async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => spoolSession(spool, entry(`s${at % 5}`, { offset: at }), later(at))),
    );
    expect(await readSpool(spool)).toHaveLength(5);
    expect((await readdir(spool)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("spoolIdle", () => {
  const found = (session: string, idleMs: number) => ({
    session,
    path: `/t/${session}.jsonl`,
    bytes: 10,
    modifiedAtMs: NOW.getTime() - idleMs,
  });
  const request = { host: "claude-code", cwd: "/work", now: NOW, runs: [] };
  const run = (session: string, at: Date) => ({ host: "claude-code", session, report: null, updatedAt: at }) as never;

  it("spools sessions that never ended, once they are idle for ten minutes", async () => {
    const all = [found("idle", IDLE_AFTER_MS), found("busy", IDLE_AFTER_MS - 1), { ...found("empty", 1e7), bytes: 0 }];
    expect(await spoolIdle({ ...request, directory: spool, found: all })).toBe(1);
    expect(await readSpool(spool)).toMatchObject([{ session: "idle", reason: "idle" }]);
  });

  it("leaves out what a run has seen whole, and the session that asks", async () => {
    const seen = found("seen", 7_200_000);
    const grown = found("grown", 3_600_000);
    const runs = [run("seen", later(-3_600_000)), run("grown", later(-7_200_000))];
    const all = [seen, grown, found("own", 7_200_000)];
    await spoolIdle({ ...request, directory: spool, found: all, runs, except: "own" });
    expect((await readSpool(spool)).map(({ session }) => session)).toEqual(["grown"]);
  });

  it("spools a transcript once for each state of its file, so that a last line without content starts no worker twice", async () => {
    const once = { ...request, directory: spool, found: [found("a", 3_600_000)] };
    expect(await spoolIdle(once)).toBe(1);
    expect(await spoolIdle(once)).toBe(0);
    expect(await spoolIdle({ ...once, found: [{ ...found("a", 3_600_000), bytes: 11 }] })).toBe(1);
    expect(await readSpool(spool)).toHaveLength(1);
  });

  it("takes twenty at most at a time, the newest first", async () => {
    const all = Array.from({ length: 30 }, (_, at) => found(`s${at}`, 1_000_000 + at));
    expect(await spoolIdle({ ...request, directory: spool, found: all })).toBe(20);
    expect((await readSpool(spool)).map(({ session }) => session)).not.toContain("s29");
  });
});
