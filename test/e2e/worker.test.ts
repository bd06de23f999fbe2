/** The built worker as a process: two at once, one that is killed, one whose model fails, one whose budget is used up. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptEntry } from "../support/scripted-model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model/server.ts";
import { CLI, type Ended, jsonLines, openStage, SESSIONS, type Stage } from "./stage.ts";

const CORRECTION = readFileSync(join(SESSIONS, "claude-code-correction.jsonl"), "utf8");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sets the clock of a process ahead. */
const CLOCK = `const ahead = Number(process.env.TEST_AHEAD_MS); const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ahead); else super(...given); }
  static now() { return Real.now() + ahead; }
};`;
const SHIFTED = [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(CLOCK)}`];

const FACT = {
  type: "preference",
  polarity: "do",
  title: "Use pnpm in this repository, never npm",
  content: "Use pnpm in this repository, never npm: the packages refer to each other with workspace:*.",
  why: "Only pnpm understands workspace:*.",
  how_to_apply: "Run pnpm where you would run npm.",
  when_to_use: ["installing a dependency with pnpm"],
  when_not: null,
  applies_if: null,
  symbols: ["pnpm"],
  scope: "project",
  source: "user_stated",
  confidence: 0.9,
  resolved_at: 12,
  evidence: [{ turn: 10, quote: "Use pnpm in this repository, never npm" }],
  expires: null,
};
const ANSWERS: ScriptEntry = { match: { stage: "extract" }, reply: { facts: [FACT] } };

let stage: Stage;
let model: ScriptedModel;
beforeEach(() => {
  stage = openStage();
});
afterEach(async () => {
  await model.close();
  await stage.remove();
});

async function useModel(entry: ScriptEntry, ingest: object = {}): Promise<void> {
  model = await startScriptedModel([entry]);
  const chosen = { provider: "openai-compatible", model: "scripted", baseUrl: model.baseUrl };
  mkdirSync(stage.memory, { mode: 0o700 });
  writeFileSync(join(stage.memory, "config.json"), JSON.stringify({ model: chosen, ingest }));
}

/** As many sessions that ended, each told of by its hook. */
async function endSessions(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const session_id = `0b1c2d3e-0000-4000-8000-00000000000${number}`;
    const transcript_path = join(stage.home, `${session_id}.jsonl`);
    const id = /"sessionId":"([^"]+)"/.exec(CORRECTION)?.[1] ?? "";
    writeFileSync(transcript_path, CORRECTION.replaceAll(id, session_id));
    const event = { hook_event_name: "SessionEnd", reason: "other", permission_mode: "default", cwd: stage.project };
    const variables = { ARCTICMEM_NO_WORKER: "1" };
    const { code } = await stage.hook({ session_id, transcript_path, ...event }, { variables });
    expect(code).toBe(0);
  }
}

interface Worked {
  readonly processed: readonly { readonly result: { readonly kind: string; readonly reason?: string } }[];
  readonly failed: readonly { readonly retryable: boolean }[];
  readonly busy: boolean;
}

const at = (aheadMs: number) => ({ command: SHIFTED, variables: { TEST_AHEAD_MS: String(aheadMs) } });

async function work(aheadMs = 0): Promise<Worked> {
  return JSON.parse((await stage.arcticmem(["work", "--json"], at(aheadMs))).stdout) as Worked;
}

async function lines(...argv: string[]): Promise<Record<string, unknown>[]> {
  return jsonLines((await stage.arcticmem([...argv, "--json"])).stdout);
}

describe("two workers at once", () => {
  it("take every session once and lose none", async () => {
    await useModel({ ...ANSWERS, delayMs: 200 });
    await endSessions(4);
    const workers = await Promise.all([work(), work()]);
    expect(workers.map(({ busy }) => busy).sort()).toEqual([false, true]);
    expect(model.callsOf("extract")).toHaveLength(4);
    expect(await lines("list")).toMatchObject([{ title: FACT.title, seen: 4 }]);
    expect((await lines("runs")).map(({ status }) => status)).toEqual(["done", "done", "done", "done"]);
  });

  it("and a person who ingests the same session by hand extract it once", async () => {
    await useModel({ ...ANSWERS, delayMs: 500 });
    await endSessions(1);
    const transcript = join(stage.home, "0b1c2d3e-0000-4000-8000-000000000000.jsonl");
    await Promise.all([work(), stage.arcticmem(["ingest", transcript])]);
    expect(model.callsOf("extract")).toHaveLength(1);
    expect(await lines("list")).toMatchObject([{ seen: 1 }]);
  });
});

describe("a worker that is killed while the model thinks", () => {
  it("leaves its run to the next worker after its lease, which does it whole", async () => {
    await useModel({ ...ANSWERS, delayMs: 60_000, times: 1 });
    model.extend([ANSWERS]);
    await endSessions(1);
    const env = { ...stage.variables, TEST_AHEAD_MS: "0" };
    const worker = spawn(process.execPath, [CLI, "work"], { cwd: stage.project, env, stdio: "ignore" });
    const ended = new Promise((resolve) => worker.on("close", resolve));
    await expect.poll(() => model.callsOf("extract").length, { timeout: 60_000 }).toBe(1);
    worker.kill("SIGKILL");
    await ended;

    expect((await work()).busy).toBe(false);
    expect(await lines("list")).toEqual([]);
    expect(await lines("runs")).toMatchObject([{ status: "running", attempts: 1 }]);
    expect((await work(16 * 60_000)).processed).toMatchObject([{ result: { kind: "facts" } }]);
    expect(await lines("runs")).toMatchObject([{ status: "done", attempts: 2 }]);
    expect(await lines("list")).toMatchObject([{ seen: 1 }]);
  });
});

describe("a model that never gives anything that can be read", () => {
  it("is asked three times an hour apart, then the session is given up, named, and can be tried again", async () => {
    await useModel({ match: { when: () => true }, reply: "I would rather not say.", times: 6 });
    await endSessions(1);
    expect((await work()).failed).toMatchObject([{ retryable: true }]);
    expect((await work(HOUR_MS / 2)).failed).toEqual([]);
    expect((await work(HOUR_MS + 60_000)).failed).toMatchObject([{ retryable: true }]);
    expect((await work(2 * HOUR_MS + 120_000)).failed).toMatchObject([{ retryable: false }]);
    expect((await work(DAY_MS)).failed).toEqual([]);
    const doctor = await stage.arcticmem(["doctor"]);
    const run = /`arcticmem runs retry (\w+)`/.exec(doctor.stdout)?.[1] ?? "";
    expect(doctor.code).toBe(1);

    model.extend([ANSWERS]);
    expect((await stage.arcticmem(["runs", "retry", run])).code).toBe(0);
    expect((await work()).processed).toMatchObject([{ result: { kind: "facts" } }]);
    expect((await stage.arcticmem(["doctor"])).stdout).not.toContain("given up");
  });
});

describe("a budget", () => {
  const status = async (): Promise<string> => (await stage.arcticmem(["status"])).stdout;
  const prices = { asOf: "2026-02-01", currency: "EUR", models: { scripted: { input: 1_000, output: 1_000 } } };

  it.each([
    ["calls of a day", { callsPerDay: 1 }],
    ["characters of a day", { charactersPerDay: 20_000 }],
    ["money of a day", { moneyPerDay: 0.01 }],
  ])(
    "of %s that is used up puts the next session off until tomorrow, and status shows what was spent",
    async (...row) => {
      const [, budgets] = row;
      await useModel(ANSWERS, { budgets, prices });
      await endSessions(2);
      const { processed, failed } = await work();
      expect(failed).toEqual([]);
      expect(processed.map(({ result }) => result.reason ?? result.kind)).toEqual(["facts", "budget"]);
      expect(await status()).toMatch(/today\s+1 model calls, \d+ tokens, \d+\.\d{4} EUR by the prices of 2026-02-01/);
      expect(await status()).toMatch(/queue\s+0 to ingest, 1 to retry/);
      expect((await work(HOUR_MS / 60)).processed).toEqual([]);
      expect((await work(DAY_MS)).processed).toMatchObject([{ result: { kind: "facts" } }]);
      expect(await lines("list")).toMatchObject([{ seen: 2 }]);
    },
  );

  it.each([
    ["calls", { callsPerSession: 0 }],
    ["characters", { charactersPerSession: 100 }],
  ])("of %s for a session is never gone over", async (...row) => {
    const [, budgets] = row;
    await useModel(ANSWERS, { budgets });
    await endSessions(1);
    expect((await work()).processed).toMatchObject([{ result: { kind: "skipped", reason: "budget" } }]);
    expect(model.calls).toEqual([]);
  });

  it("counts tokens alone where the price is not known", async () => {
    await useModel(ANSWERS, { budgets: { moneyPerDay: 0.01 } });
    await endSessions(2);
    await work();
    expect(await status()).toMatch(/today\s+2 model calls, \d+ tokens, cost unknown/);
  });
});

describe("what a person looks at", () => {
  it("names the session, the quote, the run and the guards; a dry run changes nothing that is listed", async () => {
    await useModel(ANSWERS);
    await endSessions(1);
    const transcript = join(stage.home, "0b1c2d3e-0000-4000-8000-000000000000.jsonl");
    const plan: Ended = await stage.arcticmem(["ingest", "--dry-run", transcript]);
    expect(plan.stdout).toContain(FACT.title);
    expect(await lines("list")).toEqual([]);
    await work();
    const [memory] = await lines("list");
    const why = await stage.arcticmem(["why", String(memory?.handle)]);
    expect(why.stdout).toContain(FACT.evidence[0]?.quote);
    expect(why.stdout).toContain("model:openai-compatible:scripted");
  });
});
