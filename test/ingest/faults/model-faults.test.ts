/** Everything that can go wrong between us and an endpoint, through the real adapter: rules step in, nothing is lost. */
import { describe, expect, it } from "vitest";
import { createOpenAiCompatibleModel } from "../../../src/models/adapters/openai-compatible.ts";
import type { LanguageModel } from "../../../src/models/language-model.ts";
import { CORRECTION, corrected, facts, PNPM } from "../../support/corrected-session.ts";
import { ingestHarness } from "../../support/ingest-harness.ts";
import { aMemory } from "../../support/records.ts";
import { reactiveAdditions } from "../../support/scripted-model/reactive.ts";
import type { ScriptEntry } from "../../support/scripted-model/script.ts";
import { startScriptedModel } from "../../support/scripted-model/server.ts";

const HOUR_MS = 3_600_000;
/** Tries that the adapter makes of one call. */
const TRIES = 3;
const match = { stage: "extract" };
const ANSWER: ScriptEntry = { match, reply: facts(PNPM) };
const DECIDES: ScriptEntry = { match: { stage: "lifecycle" }, reply: reactiveAdditions };

interface Endpoint {
  readonly model: LanguageModel;
  readonly slept: number[];
}

/** Longer than any machine takes to answer: a time-out is then what the test is about, never the load of the machine. */
const PATIENT_MS = 60_000;

/** The adapter of production, with waits that are counted instead of waited for, and a time-out that a test can bear. */
function endpoint(baseUrl: string, timeoutMs = PATIENT_MS): Endpoint {
  const slept: number[] = [];
  const adapter = createOpenAiCompatibleModel(
    { baseUrl, model: "scripted", contextTokens: 128_000, key: { kind: "none" }, environment: {} },
    { retryDeps: { sleep: async (ms) => void slept.push(ms), random: () => 0.5 } },
  );
  const model = {
    ...adapter,
    generate: (request) => adapter.generate({ ...request, timeoutMs }),
  } satisfies LanguageModel;
  return { model, slept };
}

const OLD = aMemory(1, { title: "The importer is written in Go", content: "The importer is a Go program." });

describe("an endpoint that recovers within the call", () => {
  it("after a 429 is waited for as long as it asked, and the session becomes facts", async () => {
    const busy = { match, status: 429, headers: { "retry-after": "7" }, times: 1 };
    await using server = await startScriptedModel([busy, ANSWER]);
    const { model, slept } = endpoint(server.baseUrl);
    const harness = await ingestHarness({ model });
    const { report, waiting } = await harness.ingest(corrected());
    expect(report).toMatchObject({ result: { kind: "facts" }, mode: "model" });
    expect(waiting).toBeNull();
    expect(slept).toEqual([7_000]);
  });

  it.each([
    ["a 500", { status: 500 }],
    ["half an answer", { reply: facts(PNPM), cutAfterBytes: 60 }],
    ["a dropped connection", { closeSocket: true }],
  ])("after %s is asked again, and the facts are stored once", async (_, fault) => {
    await using server = await startScriptedModel([{ match, ...fault, times: TRIES - 1 }, ANSWER]);
    const harness = await ingestHarness({ model: endpoint(server.baseUrl).model });
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    expect(await harness.memories()).toMatchObject([{ title: PNPM.title, seen: 1 }]);
  });
});

describe("an endpoint that stays down", () => {
  const DOWN: readonly (readonly [string, Omit<ScriptEntry, "match">, number])[] = [
    ["with 500s", { status: 500 }, PATIENT_MS],
    ["with 429s", { status: 429, headers: { "retry-after": "1" } }, PATIENT_MS],
    ["by hanging", { delayMs: 2_000, reply: facts(PNPM) }, 60],
    ["with half an answer", { reply: facts(PNPM), cutAfterBytes: 60 }, PATIENT_MS],
    ["by dropping connections", { closeSocket: true }, PATIENT_MS],
  ];

  it.each(DOWN)(
    "%s leaves the session to the rules, keeps what was known, and is tried an hour later",
    async (...row) => {
      const [, fault, timeoutMs] = row;
      await using down = await startScriptedModel([{ match, ...fault }]);
      await using up = await startScriptedModel([ANSWER, DECIDES]);
      let { model: now } = endpoint(down.baseUrl, timeoutMs);
      const model = { ...now, generate: (request) => now.generate(request) } satisfies LanguageModel;
      const harness = await ingestHarness({ model, memories: [OLD] });
      const { report, waiting } = await harness.ingest(corrected());
      expect(waiting?.result).toMatchObject({ kind: "failed", failure: "model", retryable: true });
      expect(down.calls.length).toBeLessThanOrEqual(TRIES);
      expect(report).toMatchObject({ result: { kind: "facts" }, mode: "rules" });
      const [old, ...byRule] = await harness.memories();
      expect(old).toMatchObject(OLD);
      expect(byRule.map(({ content }) => content).join()).toContain(CORRECTION.slice(5, 30));
      expect(byRule.every(({ status }) => status === "provisional")).toBe(true);

      now = endpoint(up.baseUrl).model;
      harness.wait(HOUR_MS + 1);
      const again = await harness.ingest(corrected());
      expect(again.report).toMatchObject({ result: { kind: "facts" }, mode: "model", alreadyIngested: false });
      const titles = (await harness.memories()).map(({ title }) => title);
      expect(titles).toContain(OLD.title);
      expect(new Set(titles).size).toBe(titles.length);
    },
  );

  it("because its name resolves to nothing is told as unreachable, and nothing is lost", async () => {
    const { model } = endpoint("http://no-such-host.invalid/v1");
    const harness = await ingestHarness({ model, memories: [OLD] });
    const { waiting } = await harness.ingest(corrected());
    expect(waiting?.result).toMatchObject({ kind: "failed", failure: "model", retryable: true });
    expect(JSON.stringify(waiting?.result)).toContain("no-such-host.invalid");
    expect((await harness.memories())[0]).toMatchObject(OLD);
  });

  it("only at the decision leaves the facts stored, marked to be decided later", async () => {
    const near = aMemory(2, { title: "pnpm is at 9", content: "The pnpm of the build image is 9.", symbols: ["pnpm"] });
    const broken = { match: { stage: "lifecycle" }, status: 500 };
    await using server = await startScriptedModel([ANSWER, broken]);
    const harness = await ingestHarness({ model: endpoint(server.baseUrl).model, memories: [near] });
    expect((await harness.ingest(corrected())).report.result).toEqual({ kind: "facts" });
    const added = (await harness.memories()).find(({ title }) => title === PNPM.title);
    expect(added?.flags).toContain("lifecycle_pending");
    expect(await harness.store.memories.get(near.id)).toMatchObject({ status: "active", content: near.content });
  });
});
