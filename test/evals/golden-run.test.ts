import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoldenCase, readGolden } from "../../evals/datasets/golden.ts";
import { liveSource, recordedSource } from "../../evals/golden/model-source.ts";
import { readOptions } from "../../evals/golden/options.ts";
import { type CaseRun, runCase } from "../../evals/golden/run-case.ts";
import { SCRIPT } from "../../evals/golden/scripted-answers.ts";
import { createOpenAiCompatibleModel } from "../../src/internals.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { startScriptedModel } from "../support/scripted-model/server.ts";

const CASES = new Map(readGolden().map((golden) => [golden.name, golden]));
const named = (name: string): GoldenCase => {
  const golden = CASES.get(name);
  if (golden === undefined) throw new Error(`no case ${name}`);
  return golden;
};
const run = (name: string, model?: LanguageModel): Promise<CaseRun> =>
  runCase(
    { embedder: null, cases: CASES },
    { golden: named(name), repeat: 1, ...(model === undefined ? {} : { model }) },
  );
const titles = ({ facts }: CaseRun): string[] => facts.map(({ title }) => title).sort();

describe("running a golden case", () => {
  it("refuses our own extraction session", async () => {
    const { reports, facts } = await run("own-extraction");
    expect(reports[0]?.result).toEqual({ kind: "skipped", reason: "sentinel" });
    expect(facts).toEqual([]);
  });

  it("ingests a grown session twice, and other cases before it", async () => {
    expect((await run("ledger-grown")).reports.map(({ outcome }) => outcome?.label)).toEqual(["unknown", "success"]);
    expect((await run("porter-flash-resolved")).reports).toHaveLength(1);
  });

  it("keeps secrets out of what it stored", async () => {
    expect(JSON.stringify((await run("ledger-secret-paste")).facts)).not.toMatch(/9fK2mQ7v|Kelp9/);
  });

  it("tells what became of memories that were there", async () => {
    const { seeds } = await run("ledger-null-typo");
    expect([...seeds.values()].map(({ before, after }) => after?.content === before.content)).toEqual([true, true]);
  });
});

describe("a recording", () => {
  it("replays to the same facts, without the model and without a stale reply", async () => {
    await using scripted = await startScriptedModel(SCRIPT);
    const model = createOpenAiCompatibleModel({
      baseUrl: scripted.baseUrl,
      model: "scripted",
      contextTokens: 32_000,
      key: { kind: "none" },
      environment: {},
    });
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-recording-"));
    const about = { name: model.name, contextTokens: 32_000, scripted: true, repeats: 1 };
    const name = "porter-codex-port-changed";
    const live = await run(name, liveSource(model, about, folder).open({ name, repeat: 1 }));
    const source = recordedSource(folder);
    const replayed = await run(name, source.open({ name, repeat: 1 }));
    expect(titles(live).length).toBeGreaterThan(0);
    expect(titles(replayed)).toEqual(titles(live));
    expect(replayed.reports[0]?.mode).toBe("model");
    expect(source.stale()).toBe(0);
    expect(source.about).toMatchObject({ scripted: true, name: "openai-compatible:scripted" });
  });

  it("is labelled as scripted where it comes with the repository", () => {
    const folder = readOptions([]).replay;
    expect(recordedSource(folder).about.scripted).toBe(true);
    const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
    expect(files.length).toBeGreaterThan(20);
    expect(files.map((file) => readFileSync(join(folder, file), "utf8")).join("")).not.toMatch(/9fK2mQ7v|Kelp9/);
  });
});

describe("the options of an eval", () => {
  it("let --replay stand alone or name a folder", () => {
    expect(readOptions(["--replay", "--json"])).toMatchObject({ json: true, replay: readOptions([]).replay });
    expect(readOptions(["--replay", "elsewhere"]).replay).toBe("elsewhere");
  });

  it("want a model with an endpoint, and numbers where numbers belong", () => {
    expect(() => readOptions(["--base-url", "http://127.0.0.1:1/v1"])).toThrow(/go together/);
    expect(() => readOptions(["--n", "few"])).toThrow(/whole number/);
    expect(readOptions(["--price", "3,15"]).price).toEqual({ input: 3, output: 15 });
  });
});
