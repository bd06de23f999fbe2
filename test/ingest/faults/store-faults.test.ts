/** A store that is locked or full while a session is ingested, and a clock that jumps: nothing half, nothing twice. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDue } from "../../../src/ingest/ingest-queue.ts";
import { takeLease } from "../../../src/ingest/worker-lease.ts";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import { corrected, facts, modelOf, PNPM } from "../../support/corrected-session.ts";
import { ingestHarness } from "../../support/ingest-harness.ts";
import { aMemory, NOW, PROJECT } from "../../support/records.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { cannedModel, DOWN } from "../../support/stage-deps.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const model = () => modelOf({ extract: facts(PNPM) });

async function fileStore(options: { readonly busyTimeoutMs?: number } = {}) {
  const path = join(mkdtempSync(join(tmpdir(), "arcticmem-fault-")), "store.db");
  const store = await openSqliteStore({ path, ...options });
  await store.projects.upsert({ id: PROJECT, name: "acme/billing", remote: null, root: "/work" });
  return { path, store };
}

describe("a store that another process locks", () => {
  it("makes the run fail loudly after the model has answered, and the next try is whole", async () => {
    const { path, store } = await fileStore({ busyTimeoutMs: 50 });
    const other = await openDriver({ path });
    const locking = cannedModel(({ stage }) => {
      if (stage === "extract") other.exec("BEGIN IMMEDIATE");
      return facts(PNPM);
    });
    const harness = await ingestHarness({ model: locking, store });
    await expect(harness.ingest(corrected())).rejects.toMatchObject({ code: "STORE_LOCKED" });
    other.exec("COMMIT");
    other.close();
    expect(await harness.memories()).toEqual([]);

    const later = await ingestHarness({ model: model(), store });
    later.wait(HOUR_MS);
    expect((await later.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect(await later.memories()).toHaveLength(1);
    await store.close();
  });
});

const WORDS =
  "packages of this repository share one lockfile and every member of the team installs from it before work begins because the build machine refuses a tree that differs from what was reviewed and an hour is lost whenever somebody forgets so please keep both in step even for small tools that nobody ships".split(
    " ",
  );

/** Texts that share words and no order. */
function shuffled(seed: number): string {
  const random = seededRandom(seed + 1);
  const picked = Array.from({ length: 110 }, () => WORDS[Math.floor(random() * WORDS.length)]);
  return picked.join(" ");
}

describe("a disk that is full", () => {
  it("loses nothing that was there, stores no half session, and the session is taken when there is room", async () => {
    const { path, store: first } = await fileStore();
    const old = aMemory(1, { title: "The importer is written in Go" });
    await first.memories.apply([{ kind: "add", memory: old }], []);
    await first.close();
    const driver = await openDriver({ path });
    const pages = Number(driver.prepare("PRAGMA page_count").get()?.page_count);
    driver.close();

    const full = await openSqliteStore({ path, maxPageCount: pages + 1 });
    const many = Array.from({ length: 9 }, (_, at) => ({
      ...PNPM,
      title: `${shuffled(at).slice(0, 40)}, with pnpm`,
      content: `With pnpm, not npm: ${shuffled(at).slice(0, 600)}.`,
    }));
    const harness = await ingestHarness({ model: modelOf({ extract: facts(...many) }), store: full });
    await expect(harness.ingest(corrected())).rejects.toMatchObject({ code: "STORE_FULL" });
    expect((await harness.memories()).map(({ id }) => id)).toEqual([old.id]);
    await full.close();

    const roomy = await openSqliteStore({ path });
    const later = await ingestHarness({ model: model(), store: roomy });
    later.wait(HOUR_MS);
    expect((await later.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect((await later.memories()).map(({ title }) => title)).toEqual([old.title, PNPM.title]);
    await roomy.close();
  });
});

describe("a clock that jumps", () => {
  it("ahead in the middle of a run ends the run once, and back again leaves it done", async () => {
    let jump = (_ms: number): void => undefined;
    const leaping = cannedModel(({ stage }) => {
      jump(YEAR_MS);
      return stage === "extract" ? facts(PNPM) : "{}";
    });
    const harness = await ingestHarness({ model: leaping });
    jump = harness.wait;
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    harness.wait(-YEAR_MS);
    expect((await harness.ingest(corrected())).report).toMatchObject({ alreadyIngested: true });
    expect(await harness.memories()).toHaveLength(1);
  });

  it("back in the middle of a run leaves no time before its beginning in the way of the next session", async () => {
    let jump = (_ms: number): void => undefined;
    const leaping = cannedModel(() => {
      jump(-YEAR_MS);
      return facts(PNPM);
    });
    const harness = await ingestHarness({ model: leaping });
    jump = harness.wait;
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    const grown = corrected([], { digest: "grown" });
    expect((await harness.ingest(grown)).report.result.kind).not.toBe("failed");
    expect(await harness.memories()).toHaveLength(1);
  });

  it("ahead for a while holds no session back for a year: neither its lease nor its pause", async () => {
    const harness = await ingestHarness({ model: cannedModel([DOWN]) });
    harness.wait(YEAR_MS);
    expect((await harness.ingest(corrected())).waiting?.result).toMatchObject({ kind: "failed", retryable: true });
    harness.wait(-YEAR_MS);
    const back = await ingestHarness({ model: cannedModel([facts(PNPM)]), store: harness.store });
    expect((await back.ingest(corrected())).report).toMatchObject({ result: { kind: "facts" }, mode: "model" });

    const start = { host: "claude-code", session: "s-9" as never, digest: "d", profile: "p", extractor: "e" };
    const rest = { project: null, transcript: "t", owner: "ahead", leaseMs: 900_000, maxAttempts: 3 };
    const ahead = new Date(NOW.getTime() + YEAR_MS);
    await back.store.runs.claim({ id: "run-9" as never, ...start, ...rest }, ahead);
    const claim = await back.store.runs.claim({ id: "run-10" as never, ...start, ...rest, owner: "now" }, NOW);
    expect(claim.kind).toBe("claimed");
  });

  it("ahead for a while holds neither the spool nor the worker back", () => {
    const ahead = new Date(NOW.getTime() + YEAR_MS);
    expect(isDue({ notBefore: ahead } as never, NOW)).toBe(true);
    expect(isDue({ notBefore: new Date(NOW.getTime() + HOUR_MS) } as never, NOW)).toBe(false);
    const path = join(mkdtempSync(join(tmpdir(), "arcticmem-fault-")), "worker.lease");
    const early = takeLease({ path, leaseMs: 900_000, now: ahead });
    const late = takeLease({ path, leaseMs: 900_000, now: NOW });
    expect(late).toBeDefined();
    expect(early?.renew(ahead)).toBe(false);
    late?.release();
  });

  it("ahead for a while uses up no later day's budget", async () => {
    const harness = await ingestHarness({
      model: model(),
      changes: {
        budgets: {
          callsPerSession: 40,
          charactersPerSession: 1_000_000,
          callsPerDay: 1,
          charactersPerDay: 10_000_000,
          moneyPerDay: null,
        },
      },
    });
    harness.wait(YEAR_MS);
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    harness.wait(-YEAR_MS);
    const other = corrected([], { id: "session-2" as never, digest: "other" });
    expect((await harness.ingest(other)).report.result).toEqual({ kind: "facts" });
  });
});
