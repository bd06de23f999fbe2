import { describe, expect, it } from "vitest";
import { ArcticMemError } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import { sessionId } from "../../src/core/ids.ts";
import { RULES_EXTRACTOR } from "../../src/ingest/extract/extract-by-rules.ts";
import { SENTINEL } from "../../src/text/injected-spans.ts";
import { buildSession, fetches, human, runs, says } from "../support/build-session.ts";
import { CORRECTION, corrected, facts, modelOf, PNPM } from "../support/corrected-session.ts";
import { ingestHarness } from "../support/ingest-harness.ts";
import { aMemory, daysAgo } from "../support/records.ts";
import { type CannedReply, cannedModel, DOWN } from "../support/stage-deps.ts";

const HOUR_MS = 3_600_000;

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

  it.each([
    ["is down", DOWN, "model"],
    ["gives no decision", "I would rather not.", "parse"],
  ] as const)(
    "stores nothing of the model's when that %s, where the settings say so, and tries again",
    async (...row) => {
      const [, reply, failure] = row;
      const near = aMemory(1, {
        symbols: ["pnpm"],
        title: "pnpm is at 9",
        content: "The pnpm of the build image is 9.",
      });
      let lifecycle: CannedReply = reply;
      const model = cannedModel(({ stage }) => (stage === "extract" ? facts(PNPM) : lifecycle));
      const changes = { onLifecycleFailure: "retry" } as const;
      const harness = await ingestHarness({ model, memories: [near], changes });
      const { report, waiting } = await harness.ingest(corrected());
      expect((waiting ?? report).result).toMatchObject({ kind: "failed", failure, retryable: true });
      expect((await harness.memories()).filter(({ title }) => title === PNPM.title)).toEqual([]);
      expect(await harness.store.runs.list({ status: "waiting" })).toMatchObject([{ extractor: "model:canned:model" }]);

      lifecycle = JSON.stringify({ decisions: [{ fact: "A", relation: "separate", op: "ADD" }], verdicts: [] });
      harness.wait(3_600_000);
      expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
      const [stored] = (await harness.memories()).filter(({ title }) => title === PNPM.title);
      expect(stored).toMatchObject({ status: "active", flags: [] });
    },
  );

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
    expect(memory?.provenance[0]?.extractor).toBe(RULES_EXTRACTOR);
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
  it("a rule that the user states again in a later session is the same memory, seen twice", async () => {
    const harness = await ingestHarness();
    const asked = (text: string) => [human("Add the CRC."), runs("make", "ok"), human(text), runs("git diff", "+1")];
    await harness.ingest(buildSession(asked("Never reformat files that you only touch in a few lines.")));
    const again = "No. Never reformat files that you only touch in a few lines, as I said before!";
    const { report } = await harness.ingest(
      buildSession(asked(again), { id: sessionId("session-2"), digest: sha256("another") }),
    );
    expect(report.decisions).toMatchObject([{ applied: "NONE" }]);
    expect(await harness.memories()).toMatchObject([
      { seen: 2, provenance: [{ session: "session-1" }, { session: "session-2", quote: again.slice(4) }] },
    ]);
  });

  it("rules extract, everything is provisional and says by whom it was found", async () => {
    const harness = await ingestHarness();
    const { report } = await harness.ingest(corrected());
    expect(report).toMatchObject({ mode: "rules", extractor: RULES_EXTRACTOR, result: { kind: "facts" } });
    for (const memory of await harness.memories()) {
      expect(memory.status).toBe("provisional");
      expect(memory.provenance[0]?.extractor).toBe(RULES_EXTRACTOR);
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

  it("F4: gives up after three tries an hour apart, says so, and leaves a dead letter", async () => {
    const harness = await ingestHarness({ model: cannedModel(["not json at all"]) });
    const told: unknown[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { result } = (await harness.ingest(corrected())).report;
      told.push(result.kind === "failed" && result.retryable);
      harness.wait(HOUR_MS + 1);
    }
    expect(told).toEqual([true, true, false, false]);
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

  it("a clock that jumped back puts nothing off that has ended", async () => {
    const harness = await ingestHarness();
    const { report } = await harness.ingest(corrected([], { endedAt: new Date("2026-03-09T00:00:00Z") }));
    expect(report.result).toEqual({ kind: "facts" });
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
