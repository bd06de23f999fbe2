import { describe, expect, it } from "vitest";
import { ArcticMemError } from "../../src/core/errors.ts";
import type { Session } from "../../src/core/session.ts";
import type { ModelRequest } from "../../src/models/language-model.ts";
import { SENTINEL } from "../../src/text/injected-spans.ts";
import { buildSession, fetches, human, runs, says } from "../support/build-session.ts";
import { ingestHarness } from "../support/ingest-harness.ts";
import { aMemory, daysAgo } from "../support/records.ts";
import { type CannedReply, cannedModel, DOWN } from "../support/stage-deps.ts";

const HOUR_MS = 3_600_000;
const CORRECTION = "No, use pnpm here, not npm: the lockfile is pnpm's.";

/** A success: corrected, verified, accepted. */
function corrected(extra: Parameters<typeof buildSession>[0] = [], changes: Partial<Session> = {}): Session {
  return buildSession(
    [
      human("Add left-pad to the web package."),
      runs("npm install left-pad", "added 1 package"),
      human(CORRECTION),
      runs("pnpm add left-pad", "done"),
      runs("pnpm test", "12 passed"),
      human("Perfect, thanks."),
      ...extra,
    ],
    changes,
  );
}

const PNPM = {
  type: "preference",
  polarity: "do",
  title: "Use pnpm in this repository, not npm",
  content: "Dependencies are added with pnpm here, not npm, because the lockfile is pnpm's.",
  why: "The lockfile is pnpm's.",
  how_to_apply: "Run pnpm add instead of npm install.",
  when_to_use: ["adding a dependency with pnpm"],
  when_not: null,
  applies_if: null,
  symbols: ["pnpm"],
  scope: "project",
  source: "user_stated",
  confidence: 0.9,
  resolved_at: 4,
  evidence: [{ turn: 3, quote: "use pnpm here, not npm" }],
  expires: null,
};

const facts = (...items: object[]) => JSON.stringify({ facts: items });

/** Answers by stage. */
function modelOf(replies: Partial<Record<ModelRequest["stage"], CannedReply>>) {
  return cannedModel(({ stage }) => replies[stage] ?? new Error(`unexpected ${stage}`));
}

describe("a session that succeeded", () => {
  it("becomes trusted memories with evidence, provenance and an excerpt", async () => {
    const harness = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }) });
    const { report } = await harness.ingest(corrected());
    expect(report).toMatchObject({ result: { kind: "facts" }, mode: "model", extractor: "model:canned:model" });
    expect(report.outcome?.label).toBe("success");
    const [memory, ...others] = await harness.memories();
    expect(others).toEqual([]);
    expect(memory).toMatchObject({ status: "active", source: "user_stated", trust: 3, title: PNPM.title });
    const [source] = memory?.provenance ?? [];
    expect(source).toMatchObject({ kind: "session", run: report.run, turn: 3, quote: "use pnpm here, not npm" });
    expect(source?.excerpt).toContain("[t2 tool_result] added 1 package");
    expect(source?.excerpt).toContain(CORRECTION);
  });

  it("F6: with nothing worth keeping is a valid answer and no failure", async () => {
    const harness = await ingestHarness({ model: modelOf({ extract: facts() }) });
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "no_facts" });
  });

  it("is ingested once: the second time the stored report comes back, and no model is asked", async () => {
    const model = modelOf({ extract: facts(PNPM) });
    const harness = await ingestHarness({ model });
    const first = await harness.ingest(corrected());
    const second = await harness.ingest(corrected());
    expect(second.report).toEqual({ ...first.report, alreadyIngested: true });
    expect(model.requests).toHaveLength(1);
    expect((await harness.memories()).map(({ seen }) => seen)).toEqual([1]);
  });

  it("asks what to do with memories that it touches, and supersedes what it disproves", async () => {
    const npm = aMemory(1, {
      type: "preference",
      title: "Use npm in this repository",
      content: "Dependencies are installed with npm in this repository.",
      symbols: ["pnpm"],
      eventAt: daysAgo(40),
    });
    const decisions = [
      {
        fact: "A",
        relation: "outdates",
        op: "DELETE",
        target: 1,
        merged: null,
        quote: "use pnpm here, not npm",
        reason: "the user now wants pnpm",
      },
    ];
    const model = modelOf({ extract: facts(PNPM), lifecycle: JSON.stringify({ decisions, verdicts: [] }) });
    const harness = await ingestHarness({ model, memories: [npm] });
    const { report } = await harness.ingest(corrected());
    expect(report.decisions).toMatchObject([{ applied: "DELETE", target: npm.id }]);
    expect(await harness.store.memories.get(npm.id)).toMatchObject({
      status: "superseded",
      supersededBy: report.decisions[0]?.memory,
    });
  });

  it("keeps its facts when the decision call fails, marked to be decided later", async () => {
    const near = aMemory(1, { symbols: ["pnpm"], title: "pnpm is at 9", content: "The pnpm of the build image is 9." });
    const harness = await ingestHarness({
      model: modelOf({ extract: facts(PNPM), lifecycle: DOWN }),
      memories: [near],
    });
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    const [added] = (await harness.memories()).filter(({ title }) => title === PNPM.title);
    expect(added?.flags).toEqual(["lifecycle_pending"]);
  });

  it("writes nothing in a dry run, and shows what it would do", async () => {
    const harness = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }) });
    const { report } = await harness.ingest(corrected(), { dryRun: true });
    expect(report).toMatchObject({ dryRun: true, decisions: [{ applied: "ADD", title: PNPM.title }] });
    expect(await harness.memories()).toEqual([]);
    expect(await harness.store.runs.list({})).toEqual([]);
  });
});

describe("other endings", () => {
  const open = () =>
    buildSession([human("Add left-pad."), runs("npm install left-pad"), human(CORRECTION), runs("pnpm add left-pad")]);
  const failed = () =>
    buildSession([
      human("Fix it."),
      runs("make", "error: x.h", { status: "error" }),
      human("No, still broken: revert everything in this repo by hand."),
    ]);

  it("gives provisional memories only, where nobody knows how it ended", async () => {
    const model = modelOf({ judge: "{}", extract: facts(PNPM) });
    const harness = await ingestHarness({ model });
    await harness.ingest(open(), { outcome: "partial" });
    expect((await harness.memories()).map(({ status }) => status)).toEqual(["provisional"]);
  });

  it("asks for warnings only after a failure, and keeps what the user said by rule", async () => {
    const model = modelOf({ extract: facts() });
    const harness = await ingestHarness({ model });
    const { report } = await harness.ingest(
      buildSession([
        ...[human("Fix it."), runs("make", "error: x.h", { status: "error" })],
        human("Remember that make needs libx headers."),
      ]),
      { outcome: "failure" },
    );
    expect(report.decisions).toMatchObject([{ title: "Make needs libx headers", guards: ["guard:rules"] }]);
    expect(model.requests[0]?.system).toMatch(/fail/i);
    const [memory] = await harness.memories();
    expect(memory).toMatchObject({ status: "provisional" });
    expect(memory?.provenance[0]?.extractor).toBe("rules/1");
  });

  it("skips a failed session of which nothing may be kept, and says why", async () => {
    const profile = { failureLessons: false, userStatedFromAny: false };
    const harness = await ingestHarness({ model: modelOf({}) });
    const deps = {
      ...harness.deps,
      profile: { ...harness.deps.profile, outcome: { ...harness.deps.profile.outcome, ...profile } },
    };
    const other = await ingestHarness({ model: modelOf({}), changes: { profile: deps.profile } });
    const { report } = await other.ingest(failed(), { outcome: "failure" });
    expect(report.result).toEqual({ kind: "skipped", reason: "outcome" });
  });
});

describe("without a model", () => {
  it("rules extract, everything is provisional and says by whom it was found", async () => {
    const harness = await ingestHarness();
    const { report } = await harness.ingest(corrected());
    expect(report).toMatchObject({ mode: "rules", extractor: "rules/1", result: { kind: "facts" } });
    for (const memory of await harness.memories()) {
      expect(memory.status).toBe("provisional");
      expect(memory.provenance[0]?.extractor).toBe("rules/1");
    }
  });

  it("rules stand in for a model that is down, whose own run waits and is made up for later", async () => {
    let down = true;
    const model = cannedModel(() => (down ? DOWN : facts(PNPM)));
    const harness = await ingestHarness({ model });
    const { report, waiting } = await harness.ingest(corrected());
    expect(report.mode).toBe("rules");
    expect(waiting?.result).toMatchObject({ kind: "failed", failure: "model", retryable: true });
    const [run] = await harness.store.runs.list({ status: "waiting" });
    expect(run).toMatchObject({ extractor: "model:canned:model", attempts: 1 });
    down = false;
    harness.wait(HOUR_MS);
    const again = await harness.ingest(corrected());
    expect(again.report).toMatchObject({ mode: "model", result: { kind: "facts" } });
    expect((await harness.memories()).filter(({ status }) => status === "active")).toHaveLength(1);
  });

  it("F4: gives up after three tries an hour apart, and leaves a dead letter", async () => {
    const harness = await ingestHarness({ model: cannedModel(["not json at all"]) });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await harness.ingest(corrected());
      harness.wait(HOUR_MS + 1);
    }
    expect(await harness.store.runs.list({ status: "dead" })).toMatchObject([{ attempts: 3 }]);
    expect(await harness.store.runs.list({ status: "waiting" })).toEqual([]);
  });
});

describe("what is refused", () => {
  it("F2: a session of our own, told by the mark in its prompt", async () => {
    const model = modelOf({});
    const harness = await ingestHarness({ model });
    const { report } = await harness.ingest(buildSession([human(`[${SENTINEL}] extract facts`), says("{}")]));
    expect(report.result).toEqual({ kind: "skipped", reason: "sentinel" });
    expect(model.requests).toEqual([]);
  });

  it("a session that may still be written to is put off and not recorded", async () => {
    const harness = await ingestHarness();
    const { report } = await harness.ingest(corrected([], { endedAt: new Date("2026-03-02T09:59:00Z") }), {
      minIdleMs: 600_000,
    });
    expect(report.result).toEqual({ kind: "skipped", reason: "active" });
    expect(await harness.store.runs.list({})).toEqual([]);
  });

  it("a session in which nobody said anything, and one with outside content where the user wants none", async () => {
    const harness = await ingestHarness({ changes: { skipExternalSessions: true } });
    const silent = await harness.ingest(buildSession([says("hello")]));
    expect(silent.report.result).toEqual({ kind: "skipped", reason: "empty" });
    const outside = buildSession([human("read it"), fetches("https://x.example", "text")], { digest: "other" });
    expect((await harness.ingest(outside)).report.result).toEqual({ kind: "skipped", reason: "external" });
  });

  it("a transcript that is gone is a dead letter at once, one of another format too", async () => {
    for (const [code, failure] of [
      ["FILE_NOT_FOUND", "missing"],
      ["FORMAT_UNKNOWN", "format"],
    ] as const) {
      const readTranscript = async () => {
        throw new ArcticMemError(code, "no");
      };
      const harness = await ingestHarness({ changes: { readTranscript } });
      const { report } = await harness.ingest(corrected(), { host: "claude-code", session: "s-1" });
      expect(report.result).toMatchObject({ kind: "failed", failure, retryable: false });
      expect(await harness.store.runs.list({ status: "dead" })).toMatchObject([{ session: "s-1" }]);
    }
  });
});

describe("secrets and private spans", () => {
  it("reach neither model nor store", async () => {
    const token = "ghp_csSWj9DxQSYgDMFMbGBKxN28J4W8Bzld2g0h";
    const model = modelOf({ extract: facts(PNPM) });
    const harness = await ingestHarness({ model });
    await harness.ingest(
      corrected([
        runs(`curl -H "Authorization: Bearer ${token}" localhost`, "ok"),
        human("<private>my sister's name is Zelda</private> and remember that deploys are on Tuesdays only."),
      ]),
    );
    const sent = JSON.stringify(model.requests);
    const kept = JSON.stringify([await harness.memories(), await harness.store.runs.list({})]);
    for (const text of [sent, kept]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain("Zelda");
    }
    expect(sent).toContain("[REDACTED:");
  });
});

describe("a session that goes on", () => {
  const later = {
    ...PNPM,
    title: "Run one package's tests with --filter",
    content: "One package's tests run with pnpm --filter web test, the whole suite takes an hour.",
    symbols: ["--filter"],
    evidence: [{ turn: 9, quote: "pnpm --filter web test" }],
  };
  const grown = (ending = "Great, that works.") =>
    corrected([
      human("Run the tests of web only: pnpm --filter web test, the whole suite takes an hour."),
      runs("pnpm --filter web test", "3 passed"),
      human(ending),
    ]);

  it("adds only what its new turns teach", async () => {
    let reply = facts(PNPM);
    const harness = await ingestHarness({ model: cannedModel(() => reply) });
    await harness.ingest(corrected());
    reply = facts({ ...PNPM, content: `${PNPM.content} As said.` }, later);
    const { report } = await harness.ingest(grown());
    expect(report.decisions.map(({ title }) => title)).toEqual([later.title]);
    expect(report.rejections.map(({ rule }) => rule)).toContain("R-already-read");
    expect(await harness.memories()).toHaveLength(2);
  });

  it("is judged anew: a bad end takes back the trust in what only the model concluded, not in what the user said", async () => {
    const inferred = {
      ...later,
      source: "agent_inferred",
      confidence: 0.6,
      title: "left-pad is added to the web package",
      content: "The package left-pad was added to web with pnpm and its tests pass.",
      evidence: [{ turn: 5, quote: "pnpm add left-pad" }],
    };
    let reply = facts(PNPM, inferred);
    const harness = await ingestHarness({ model: cannedModel(() => reply) });
    await harness.ingest(corrected());
    reply = facts();
    await harness.ingest(grown("No, that is wrong."), { outcome: "failure" });
    const standing = Object.fromEntries((await harness.memories()).map(({ title, status }) => [title, status]));
    expect(standing).toMatchObject({ [PNPM.title]: "active", [inferred.title]: "provisional" });
    reply = facts();
    await harness.ingest({ ...grown("All good now, thanks."), digest: "third" }, { outcome: "success" });
    expect((await harness.memories()).map(({ status }) => status)).toEqual(["active", "active"]);
  });
});

describe("budgets", () => {
  const none = {
    callsPerSession: 40,
    charactersPerSession: 1_000_000,
    callsPerDay: 400,
    charactersPerDay: 10_000_000,
    moneyPerDay: null,
  };

  it.each([
    ["calls of a session", { callsPerSession: 0 }],
    ["characters of a session", { charactersPerSession: 10 }],
    ["calls of a day", { callsPerDay: 0 }],
    ["characters of a day", { charactersPerDay: 10 }],
    ["money of a day", { moneyPerDay: 0 }],
  ])("puts the session off when the %s are used up, and tries it again the next day", async (_, limit) => {
    const model = modelOf({ extract: facts(PNPM) });
    const harness = await ingestHarness({ model, changes: { budgets: { ...none, ...limit } } });
    const { report } = await harness.ingest(corrected());
    expect(report.result).toEqual({ kind: "skipped", reason: "budget" });
    expect(model.requests).toEqual([]);
    expect(await harness.store.runs.list({ status: "waiting" })).toMatchObject([
      { notBefore: new Date("2026-03-03T00:00:00Z") },
    ]);
  });

  it("books every call with its price, and leaves the price open where it is not known", async () => {
    const known = await ingestHarness({
      model: modelOf({ extract: facts(PNPM) }),
      changes: { priceOf: () => ({ input: 1, output: 10 }) },
    });
    await known.ingest(corrected());
    const since = new Date(0);
    expect(await known.store.sessions.usageSince(since)).toMatchObject({ calls: 1, inputTokens: 100, cost: 0.0002 });
    const unknown = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }) });
    await unknown.ingest(corrected());
    expect(await unknown.store.sessions.usageSince(since)).toMatchObject({ calls: 1, cost: null });
  });
});

describe("a crash", () => {
  it("leaves a run that another worker takes over when its lease is over", async () => {
    const harness = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }) });
    const broken = { ...harness.deps.store, memories: locked(harness.deps.store.memories) };
    const dead = await ingestHarness({ model: modelOf({ extract: facts(PNPM) }), changes: { store: broken } });
    await expect(dead.ingest(corrected())).rejects.toMatchObject({ code: "STORE_LOCKED" });
    const early = await harness.ingest(corrected());
    expect(early.report.result).toEqual({ kind: "skipped", reason: "active" });
    harness.wait(HOUR_MS);
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect(await harness.memories()).toHaveLength(1);
  });
});

/** A table that can be read and not written to. */
function locked<T extends object>(table: T): T {
  return new Proxy(table, {
    get(target, key) {
      if (key === "apply") return () => Promise.reject(new ArcticMemError("STORE_LOCKED", "busy"));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
