import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LanguageModel, ModelRequest } from "../../../src/models/language-model.ts";
import { openTestHome, type TestHome } from "../../support/open-test-memory.ts";

const NOTES = ["The ledger closes at night.", "The ledger rounds once.", "The ledger is exported on Fridays."];

/** A model that says `reply` and keeps what it was asked. */
function modelThatSays(reply: string): LanguageModel & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    asked,
    name: "scripted:one",
    endpoint: "nowhere",
    contextTokens: 8_000,
    generate: async (request) => {
      asked.push(request);
      return { text: reply, truncated: false, usage: { inputTokens: 50, outputTokens: 5 }, calls: 1 };
    },
  };
}

function configure(home: TestHome, config: object): void {
  mkdirSync(join(home.folder, "arcticmem"), { recursive: true });
  writeFileSync(join(home.folder, "arcticmem", "config.json"), JSON.stringify(config));
}

async function titles(home: TestHome, languageModel: LanguageModel): Promise<{ titles: string[]; degraded: string }> {
  await using memory = await home.open({ languageModel });
  for (const text of NOTES) await memory.add({ text, by: "person" });
  const answer = await memory.search({ text: "ledger" });
  return {
    titles: answer.hits.flatMap((hit) => (hit.unit === "fact" ? [hit.memory.content] : [])),
    degraded: answer.degraded.join(),
  };
}

describe("search.rerank", () => {
  it("asks no model unless it is switched on", async () => {
    using home = openTestHome();
    const model = modelThatSays("{}");
    await titles(home, model);
    expect(model.asked).toEqual([]);
  });

  it("brings to the front what the model selects, ignores numbers that nobody has, and books the call", async () => {
    using plain = openTestHome();
    const before = (await titles(plain, modelThatSays("{}"))).titles;
    using home = openTestHome();
    configure(home, { search: { rerank: "model" } });
    const model = modelThatSays('{"selected":[99,3,-1]}');
    const after = (await titles(home, model)).titles;
    expect(after).toEqual([before[2], before[0], before[1]]);
    expect(model.asked[0]).toMatchObject({ stage: "select" });
    await using memory = await home.open();
    expect((await memory.status()).usage).toMatchObject({ callsToday: 1, tokensToday: 55 });
  });

  it("keeps the fused order where the reply is prose, and where the day's budget is used up", async () => {
    using home = openTestHome();
    configure(home, { search: { rerank: "model" } });
    const prose = await titles(home, modelThatSays("I would look at the second one."));
    expect(prose.titles).toHaveLength(3);
    expect(prose.degraded).toMatch(/reranker: .*no selection/);
    using poor = openTestHome();
    configure(poor, { search: { rerank: "model" }, ingest: { budgets: { callsPerDay: 0 } } });
    const model = modelThatSays('{"selected":[3]}');
    expect((await titles(poor, model)).degraded).toMatch(/reranker: .*budget/);
    expect(model.asked).toEqual([]);
  });
});
