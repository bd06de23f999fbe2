/** Sessions that go on, come again, are stopped, crash, or cost too much. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArcticMemError } from "../../src/core/errors.ts";
import { confirmMemory, editMemory, pinMemory } from "../../src/keep/edit-memory.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { buildSession, human, runs } from "../support/build-session.ts";
import { corrected, facts, modelOf, PNPM } from "../support/corrected-session.ts";
import { ingestHarness } from "../support/ingest-harness.ts";
import { reactiveExtraction } from "../support/scripted-model/reactive.ts";
import type { ModelCall } from "../support/scripted-model/script.ts";
import { cannedModel } from "../support/stage-deps.ts";

const HOUR_MS = 3_600_000;

describe("a session that says again what was erased", () => {
  it("leaves no quote of it in the report, and no summary", async () => {
    let dropped = 0;
    const cache = { read: async () => undefined, write: async () => undefined, forget: async () => void dropped++ };
    const other = { ...PNPM, title: "Use pnpm here, as ever", content: `${PNPM.content} So it is.` };
    const harness = await ingestHarness({ model: cannedModel(() => facts(PNPM, other)), changes: { cache } });
    await harness.ingest(corrected());
    harness.wait(HOUR_MS);
    const ids = (await harness.memories()).map(({ id }) => id);
    await harness.store.memories.erase(ids, harness.deps.now());
    expect(dropped).toBe(0);
    const { report } = await harness.ingest({ ...corrected(), id: "another" as never, digest: "another" });
    expect(report.rejections.map(({ rule }) => rule)).toContain("dup:erased");
    expect(dropped).toBe(1);
    const saved = JSON.stringify(await harness.store.runs.get(report.run));
    for (const words of [PNPM.title, PNPM.content, other.title]) expect(saved).not.toContain(words);
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
      type: "lesson",
      title: "left-pad belongs to the web package alone",
      content: "The web package pads with left-pad; elsewhere in the tree nobody needs it.",
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

describe("a session that goes on and fails after people had looked at what it taught", () => {
  const TITLES = [
    "left-pad belongs to web",
    "The lockfile of web is shared",
    "pnpm adds in a second",
    "Tests of web are fast",
  ];
  const CONTENTS = [
    "The package left-pad was put into web because padding was missing there.",
    "One lockfile serves web and everything beside it in this tree.",
    "Adding a dependency with pnpm takes about a second on this machine.",
    "The whole suite of web ran through before anybody could get coffee.",
  ];
  const inferred = TITLES.map((title, at) => ({
    ...PNPM,
    type: "lesson",
    title,
    content: CONTENTS[at],
    source: "agent_inferred",
    symbols: [],
    evidence: [{ turn: 5, quote: "pnpm add left-pad" }],
  }));

  it("lowers what nobody touched; what was pinned, edited or confirmed stays as the person left it", async () => {
    let reply = facts(...inferred);
    const model = cannedModel(({ stage }) => (stage === "extract" ? reply : '{"decisions":[],"verdicts":[]}'));
    const harness = await ingestHarness({ model });
    await harness.ingest(corrected());
    const learned = (await harness.memories()).sort((a, b) => TITLES.indexOf(a.title) - TITLES.indexOf(b.title));
    const [, pinned, edited, confirmed] = learned;
    if (pinned === undefined || edited === undefined || confirmed === undefined) throw new Error("too few facts");
    const deps = { store: harness.store, now: harness.deps.now, redactor: createRedactor() };
    await pinMemory(deps, pinned, true);
    await editMemory(deps, edited, { content: "Adding with pnpm takes three seconds, I looked it up." });
    await confirmMemory(deps, confirmed);

    reply = facts();
    await harness.ingest(corrected([human("No, that is all wrong, it broke the build.")]), { outcome: "failure" });
    const after = Object.fromEntries((await harness.memories()).map((memory) => [memory.title, memory]));
    expect(TITLES.map((title) => after[title]?.status)).toEqual(["provisional", "active", "active", "active"]);
    expect(after[TITLES[2] ?? ""]).toMatchObject({
      content: "Adding with pnpm takes three seconds, I looked it up.",
      version: 2,
    });
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

  it("keeps a session waiting for the model that is asked for again meanwhile: no rules stand in for what was put off", async () => {
    const model = modelOf({ extract: facts(PNPM) });
    const harness = await ingestHarness({ model, changes: { budgets: { ...none, callsPerSession: 0 } } });
    await harness.ingest(corrected());
    const again = await harness.ingest(corrected());
    expect(again).toMatchObject({
      waiting: null,
      report: { mode: "model", result: { kind: "skipped", reason: "budget" } },
    });
    expect(await harness.memories()).toEqual([]);
    expect(await harness.store.runs.list({})).toHaveLength(1);
    const richer = await ingestHarness({ model, store: harness.store });
    richer.wait(24 * HOUR_MS);
    expect((await richer.ingest(corrected())).report).toMatchObject({ mode: "model", result: { kind: "facts" } });
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

describe("a run that the user stops", () => {
  it("is free at once for the next try", async () => {
    const stop = new AbortController();
    const model = cannedModel(({ stage }) => {
      if (stage === "extract" && !stop.signal.aborted) {
        stop.abort(new Error("stopped by hand"));
        return new Error("stopped by hand");
      }
      return facts(PNPM);
    });
    const harness = await ingestHarness({ model });
    await expect(harness.ingest(corrected(), { signal: stop.signal })).rejects.toThrow("stopped by hand");
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
  });
});

describe("ingesting again (property 3)", () => {
  const always = reactiveExtraction(/./);
  /** Says everything that it is shown, at each call again. */
  const talkative = () =>
    cannedModel(({ stage, prompt }) =>
      stage === "extract" ? JSON.stringify(always({ text: prompt } as ModelCall)) : '{"decisions":[],"verdicts":[]}',
    );

  it.each([
    ["by rule", undefined],
    ["by a model", talkative],
  ])("%s, in any order and as often as you like, any states of one session add each fact once", async (_, model) => {
    const texts = [
      "Always use tabs in this repo.",
      "Never edit generated files by hand.",
      "Remember that releases go out on Tuesdays.",
    ];
    const turns = texts.flatMap((text, at) => [human(text), runs(`make step-${at}`, "ok")]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }), async (lengths) => {
        const harness = await ingestHarness(model === undefined ? {} : { model: model() });
        for (const length of lengths) await harness.ingest(buildSession(turns.slice(0, length * 2)));
        const memories = await harness.memories();
        const expected = texts.slice(0, Math.max(...lengths));
        expect(memories.map(({ content }) => content).sort()).toHaveLength(expected.length);
        expect(memories.map(({ seen }) => seen)).toEqual(memories.map(() => 1));
      }),
      { numRuns: 25 },
    );
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
