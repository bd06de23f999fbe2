import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/core/errors.ts";
import type { Session, Turn } from "../../../src/core/session.ts";
import { type SummarizeCaps, summarizeTurns, transcriptLimit } from "../../../src/ingest/extract/summarize-turns.ts";
import { windowCharacters, windowText } from "../../../src/ingest/extract/transcript-window.ts";
import { cluesOf, readSession } from "../../../src/ingest/outcome/session-reading.ts";
import type { StageDeps, SummaryCache } from "../../../src/ingest/stage-deps.ts";
import type { ModelRequest } from "../../../src/models/language-model.ts";
import { buildSession, edits, human, runs, says } from "../../support/build-session.ts";
import { CODING } from "../../support/coding-profile.ts";
import { cannedModel, DOWN, stageDeps } from "../../support/stage-deps.ts";

const small = { ...CODING, limits: { ...CODING.limits, summariseOverChars: 6_000 } };

async function summarize(session: Session, deps: StageDeps, caps: Partial<SummarizeCaps> = {}) {
  return summarizeTurns(deps, { session, clues: cluesOf(readSession(session, CODING)), caps });
}

const textOf = (result: Awaited<ReturnType<typeof summarize>>) => result.windows.map(windowText).join("\n");

const work = (name: string) => says(`I look at ${name}. ${"The gauges report a reading every minute. ".repeat(60)}`);
const LONG = buildSession([
  human("Please fix the importer of gauge 7."),
  work("the importer"),
  human("No, not that file: use window.ts."),
  work("window.ts"),
  edits("src/window.ts"),
  runs("npm test", "41 passed"),
  human("Good. Next the exporter."),
  work("the exporter"),
]);

/** Answers each span with the given words. */
const answering = (words: (span: number) => string) => (request: ModelRequest) => {
  const spans = [...request.prompt.matchAll(/^Span (\d+),/gm)].map((match) => Number(match[1]));
  return JSON.stringify({ summaries: spans.map((span) => ({ span, text: words(span) })) });
};

describe("summarizeTurns", () => {
  it("leaves a short session as it is, without a call", async () => {
    const model = cannedModel([DOWN]);
    const result = await summarize(LONG, stageDeps(model));
    expect(model.requests).toHaveLength(0);
    expect(result).toMatchObject({ coverage: 1, leftOut: [] });
    expect(textOf(result)).toContain("[t1 assistant] I look at the importer.");
  });

  it("keeps human text, puts summaries for spans, and tags them with their turns", async () => {
    const model = cannedModel(answering(() => "The agent read the importer. It found nothing."));
    const result = await summarize(LONG, stageDeps(model, { profile: small }));
    expect(textOf(result)).toContain("[t2 human] No, not that file: use window.ts.");
    expect(textOf(result)).toContain("[t3–t7 assistant, summarised] The agent read the importer. It found nothing.");
    expect(new Set(model.requests.map(({ stage }) => stage))).toEqual(new Set(["summarize"]));
  });

  it("removes sentences with names or numbers that the span does not hold", async () => {
    const model = cannedModel(answering(() => "It read the importer. It lost 9999 readings. It called fooBar()."));
    const text = textOf(await summarize(LONG, stageDeps(model, { profile: small })));
    expect(text).toContain("summarised] It read the importer.");
    expect(text).not.toMatch(/9999|fooBar/);
  });

  it("cuts a summary that is far too long at a sentence", async () => {
    const model = cannedModel(answering(() => "The agent read the importer again. ".repeat(200)));
    const { windows } = await summarize(LONG, stageDeps(model, { profile: small }));
    const [span] = windows.flatMap(({ segments }) => segments).filter(({ text }) => text.includes("summarised"));
    expect(span?.text.length).toBeLessThanOrEqual(1_600 * 1.5 + 60);
    expect(span?.text.endsWith(".")).toBe(true);
  });

  it.each([
    ["fails", [DOWN]],
    ["answers prose", ["I have summarised everything."]],
    ["answers unknown spans only", [JSON.stringify({ summaries: [{ span: 99, text: "What?" }] })]],
    ["answers nothing", [JSON.stringify({ summaries: [] })]],
    ["invents everything", [JSON.stringify({ summaries: [{ span: 1, text: "It used quuxBar 31337." }] })]],
  ])("puts a digest for every span when the model %s, the same each time", async (_, replies) => {
    const first = await summarize(LONG, stageDeps(cannedModel(replies), { profile: small }));
    const second = await summarize(LONG, stageDeps(cannedModel(replies), { profile: small }));
    expect(textOf(first)).toContain("[t3–t7 assistant, auto-digest]");
    expect(textOf(first)).not.toContain("summarised]");
    expect(textOf(second)).toBe(textOf(first));
  });

  it("puts commands, errors and the verdict of checks into a digest", async () => {
    const session = buildSession([
      human("Fix it."),
      work("the importer"),
      runs("npm run build", "error TS2345: Argument of type 'Gauge' is not assignable", { status: "error" }),
      human("And?"),
      work("the exporter".repeat(200)),
    ]);
    const text = textOf(await summarize(session, stageDeps(cannedModel([DOWN]), { profile: small })));
    expect(text).toContain("error ts2345");
    expect(text).toContain("npm run build");
  });

  it("stops asking when the endpoint refuses for good, and says so", async () => {
    const model = cannedModel([new ModelError("no key", { retryable: false })]);
    const session = buildSession(
      Array.from({ length: 12 }, (_, at) => [human(`Go on ${at}.`), work("x".repeat(9_000))]).flat(),
    );
    const { report } = await summarize(session, stageDeps(model, { profile: small }), { concurrency: 1 });
    expect(model.requests).toHaveLength(1);
    expect(report.notes.join()).toContain("no key");
  });

  it("pays only for spans that are new", async () => {
    const store = new Map<string, string>();
    const cache: SummaryCache = {
      read: async (key) => store.get(key),
      write: async (key, text) => void store.set(key, text),
    };
    const words = () => "The agent read on.";
    const first = cannedModel(answering(words));
    await summarize(LONG, stageDeps(first, { profile: small, cache }));
    const again = cannedModel(answering(words));
    const { report } = await summarize(LONG, stageDeps(again, { profile: small, cache }));
    expect(again.requests).toHaveLength(0);
    expect(report.cacheHits).toBe(3);
  });

  it("bounds calls and characters, and names what went without the model", async () => {
    const session = buildSession(
      Array.from({ length: 30 }, (_, at) => [human(`Go on ${at}.`), work("y".repeat(4_000))]).flat(),
    );
    const model = cannedModel(answering(() => "It went on."));
    const { report } = await summarize(session, stageDeps(model, { profile: small }), { calls: 3, characters: 40_000 });
    expect(model.requests.length).toBeLessThanOrEqual(3);
    expect(model.requests.reduce((sum, { prompt }) => sum + prompt.length, 0)).toBeLessThan(40_000);
    expect(report.notes.join()).toContain("over the cap");
  });

  it("makes windows of human text that is too long, and names the turns it leaves out", async () => {
    const said = (at: number) =>
      human(`${at === 6 ? "No, that is wrong. " : ""}${`Sentence ${at} of the user. `.repeat(200)}`);
    const session = buildSession(Array.from({ length: 12 }, (_, at) => [said(at), says("Noted.")]).flat());
    const result = await summarize(session, stageDeps(cannedModel([DOWN]), { profile: small }));
    expect(result.windows).toHaveLength(4);
    expect(result.coverage).toBeLessThan(1);
    expect(result.leftOut.length).toBeGreaterThan(0);
    const kept = textOf(result);
    expect(kept).toContain("Sentence 0 of");
    expect(kept).toContain("Sentence 11 of");
    expect(kept).toContain("No, that is wrong.");
  });

  it("splits a giant message over windows, verbatim", async () => {
    const giant = Array.from({ length: 500 }, (_, at) => `line ${at} of a pasted text`).join("\n");
    const { windows } = await summarize(
      buildSession([human(giant)]),
      stageDeps(cannedModel([DOWN]), { profile: small }),
      { windows: 99 },
    );
    expect(windows.length).toBeGreaterThan(1);
    expect(windows.flatMap(({ segments }) => segments.map(({ text }) => text)).join("")).toBe(`[t0 human] ${giant}`);
  });

  it("fits a model with a small context", async () => {
    const model = cannedModel([DOWN], 8_192);
    const { windows } = await summarize(LONG, stageDeps(model));
    const limit = transcriptLimit(model, 80_000);
    expect(limit).toBeLessThan(12_000);
    for (const window of windows) expect(windowCharacters(window)).toBeLessThanOrEqual(limit);
    for (const { prompt } of model.requests) expect(prompt.length).toBeLessThanOrEqual(limit + 2_000);
  });
});

describe("summarizeTurns (property 2)", () => {
  const anyTurn = fc.record({
    kind: fc.constantFrom("human", "assistant", "tool_call", "tool_result", "event"),
    text: fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 900 }),
      fc.constant("gauge ".repeat(900)),
    ),
  });
  const anySession = fc.array(anyTurn, { minLength: 1, maxLength: 25 }).map((drafts) => {
    const origins = {
      human: "human",
      assistant: "model",
      tool_call: "model",
      tool_result: "tool_local",
      event: "model",
    } as const;
    return buildSession([
      drafts.map(
        ({ kind, text }): Omit<Turn, "index"> => ({
          kind,
          text,
          origin: origins[kind],
          trust: kind === "human" ? 3 : 2,
        }),
      ),
    ]);
  });
  const replies = fc.constantFrom("fails", "answers", "garbage");

  it("is the same again where every call fails, and where the same session comes a second time", async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const once = () => summarize(session, stageDeps(cannedModel([DOWN]), { profile: small }), { windows: 999 });
        expect((await once()).windows).toEqual((await once()).windows);
        const kept = new Map<string, string>();
        const cache: SummaryCache = {
          read: async (key) => kept.get(key),
          write: async (key, text) => void kept.set(key, text),
        };
        const model = cannedModel(answering(() => "It went on."));
        const cached = () => summarize(session, stageDeps(model, { profile: small, cache }), { windows: 999 });
        const first = await cached();
        const calls = model.requests.length;
        expect((await cached()).windows).toEqual(first.windows);
        expect(model.requests.length).toBe(calls);
      }),
      { numRuns: 40 },
    );
  });

  it("preserves human text byte for byte and the order of turns, whatever the model does", async () => {
    await fc.assert(
      fc.asyncProperty(anySession, replies, async (session, behaviour) => {
        const model = cannedModel((request) =>
          behaviour === "fails" ? DOWN : behaviour === "garbage" ? "{]" : answering(() => "It went on.")(request),
        );
        const { windows } = await summarize(session, stageDeps(model, { profile: small }), { windows: 999 });
        const segments = windows.flatMap((window) => window.segments);
        for (const turn of session.turns.filter(({ kind }) => kind === "human")) {
          const own = segments.filter(({ human: isHuman, firstTurn }) => isHuman && firstTurn === turn.index);
          expect(own.map(({ text }) => text).join("")).toBe(`[t${turn.index} human] ${turn.text}`);
        }
        const order = segments.map(({ firstTurn }) => firstTurn);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
      { numRuns: 80 },
    );
  });
});
