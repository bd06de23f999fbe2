import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoldenCase, readGolden } from "../../evals/datasets/golden.ts";
import { liveSource, recordedSource } from "../../evals/golden/model-source.ts";
import { readOptions, wantsHelp } from "../../evals/golden/options.ts";
import { type CaseRun, runCase } from "../../evals/golden/run/run-case.ts";
import { nameOfOrder, runSequence } from "../../evals/golden/run/run-sequence.ts";
import { ordersOf, SEQUENCES } from "../../evals/golden/run/sequences.ts";
import { runGolden } from "../../evals/golden/run-all.ts";
import { SCRIPT } from "../../evals/golden/scripted-answers.ts";
import { loadProfile } from "../../src/config/profiles.ts";
import { createOpenAiCompatibleModel } from "../../src/internals.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model/server.ts";

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
const ask = ({ baseUrl }: ScriptedModel): LanguageModel =>
  createOpenAiCompatibleModel({
    baseUrl,
    model: "scripted",
    contextTokens: 32_000,
    key: { kind: "none" },
    environment: {},
  });
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

describe("F15: golden cases name the fact that brings a change", () => {
  it("for every memory that has to change", () => {
    for (const { name, expected } of CASES.values()) {
      const ids = [...expected.mustHave, ...expected.mayHave].map(({ id }) => id);
      const changes = (expected.lifecycle?.expect ?? []).filter(({ becomes }) => becomes !== "unchanged");
      for (const { by } of changes) expect(ids, name).toContain(by);
    }
  });
});

describe("F16: sequences of sessions about one matter", () => {
  it("come in at least twenty orders, all different, in three hosts' formats", () => {
    const orders = SEQUENCES.flatMap((one) => ordersOf(one.values.length).map((order) => nameOfOrder(one, order)));
    expect(new Set(orders).size).toBe(orders.length);
    expect(orders.length).toBeGreaterThanOrEqual(20);
    expect(new Set(SEQUENCES.map(({ host }) => host)).size).toBe(3);
    expect(ordersOf(3)[0]).toEqual([0, 1, 2]);
  });

  const [sequence] = SEQUENCES;

  it.each([[[0, 1, 2]], [[2, 0, 1]]])(
    "serve what the latest session says where the model decides so: %j",
    async (order) => {
      if (sequence === undefined) throw new Error("there are no sequences");
      await using scripted = await startScriptedModel(SCRIPT);
      const { served, reports } = await runSequence({
        sequence,
        order,
        repeat: 1,
        embedder: null,
        model: ask(scripted),
      });
      expect(reports.map(({ mode, outcome }) => [mode, outcome?.label])).toEqual(order.map(() => ["model", "success"]));
      expect(served).toEqual(["not", "not", "plain"]);
    },
  );

  it("serve old values too where nobody decides", async () => {
    if (sequence === undefined) throw new Error("there are no sequences");
    const { served } = await runSequence({ sequence, order: [0, 1, 2], repeat: 1, embedder: null });
    expect(served.every((serving) => serving !== "not")).toBe(true);
  });
});

describe("F17: a session that did not prove itself", () => {
  it("gives memories that nobody is shown before they are confirmed, and then everybody", async () => {
    await using scripted = await startScriptedModel(SCRIPT);
    const { facts, experience } = await run("porter-flash-failure", ask(scripted));
    expect(facts.map(({ status }) => status)).toContain("provisional");
    expect(facts.map(({ status }) => status)).not.toContain("active");
    expect(experience.unconfirmed.length).toBeGreaterThan(0);
    expect(experience.shown).toEqual([]);
    expect(experience.shownConfirmed).toEqual(experience.unconfirmed);
  });
});

describe("a golden case of another domain", () => {
  it.each([
    ["support-reships", "support"],
    ["basketlab-analysis", "data-analysis"],
    ["basketlab-research", "research"],
    ["ledger-null-typo", "coding"],
  ])("%s is ingested under the profile %s", async (name, profile) => {
    const prompts: string[] = [];
    const { facts } = await run(name, {
      ...{ name: "listening", endpoint: "nowhere", contextTokens: 32_000 },
      generate: async ({ system }) => {
        prompts.push(system);
        const text = JSON.stringify({ label: "success", confidence: 0.9, evidence: [1], reason: "said so", facts: [] });
        return { text, truncated: false, usage: { inputTokens: 0, outputTokens: 0 }, calls: 1 };
      },
    });
    const { prompt } = await loadProfile(profile, { profiles: "/nowhere" });
    expect(prompts.some((system) => system.includes(prompt.role.slice(0, 60)))).toBe(true);
    expect(facts.every((fact) => fact.profile.startsWith(profile))).toBe(true);
  });
});

describe("a recording", () => {
  it("that is not there is missed in words", () => {
    expect(() => recordedSource("/no/such/folder")).toThrow(/holds no recording.*--record/);
  });

  it("replays to the same facts, without the model and without a stale reply", async () => {
    await using scripted = await startScriptedModel(SCRIPT);
    const model = ask(scripted);
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

  it("are shown to whoever asks, and a case that is not there is refused", async () => {
    expect(wantsHelp(["--json", "--help"])).toBe(true);
    expect(wantsHelp(["--json"])).toBe(false);
    const options = readOptions(["--rules-only", "--case", "porter-typo"]);
    await expect(runGolden(options, { wants: () => true })).rejects.toThrow(/no case porter-typo/);
  });

  it("want a model with an endpoint, and numbers where numbers belong", () => {
    expect(() => readOptions(["--base-url", "http://127.0.0.1:1/v1"])).toThrow(/go together/);
    expect(() => readOptions(["--n", "few"])).toThrow(/whole number/);
    expect(readOptions(["--price", "3,15"]).price).toEqual({ input: 3, output: 15 });
  });
});
