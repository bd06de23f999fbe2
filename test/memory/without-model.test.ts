/** Where the model can't be asked, rules stand in, and the user hears of it: why, and what becomes of the session. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/core/errors.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { openTestHome, type TestHome } from "../support/open-test-memory.ts";
import { cannedModel } from "../support/stage-deps.ts";

const SAMPLE = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");

function configure(home: TestHome, config: object): void {
  mkdirSync(join(home.folder, "arcticmem"), { recursive: true });
  writeFileSync(join(home.folder, "arcticmem", "config.json"), JSON.stringify(config));
}

const KEYLESS = { model: { provider: "anthropic", model: "some-model", apiKeyEnv: "NOT_SET" } };

describe("a model whose key is not there", () => {
  it("is not asked: rules stand in, nothing counts as spent, and the variable is named", async () => {
    using home = openTestHome();
    configure(home, KEYLESS);
    await using memory = await home.open();
    const report = await memory.ingest.session(SAMPLE);
    expect(report).toMatchObject({ result: { kind: "facts" }, mode: "rules" });
    expect(report.withoutModel).toMatchObject({ message: expect.stringContaining("NOT_SET"), retryable: false });
    const { usage, deadLetters } = await memory.status();
    expect(usage).toMatchObject({ callsToday: 0, tokensToday: 0 });
    expect(deadLetters).toMatchObject([{ run: report.withoutModel?.run }]);
  });

  it("is a problem that the status names before any session ends; with its key it is none", async () => {
    using home = openTestHome();
    configure(home, KEYLESS);
    await using memory = await home.open();
    expect((await memory.status()).extractor.problem).toContain("NOT_SET");
    await using equipped = await home.open({ variables: { NOT_SET: "a-key" } });
    expect((await equipped.status()).extractor).not.toHaveProperty("problem");
  });
});

describe("a model that can't be reached", () => {
  it("leaves the session to rules and to a later try, and the report says both", async () => {
    using home = openTestHome();
    const refuse = async () => Promise.reject(new ModelError("the endpoint can't be reached", { retryable: true }));
    const languageModel = { ...cannedModel([]), generate: refuse } satisfies LanguageModel;
    await using memory = await home.open({ languageModel });
    const { mode, withoutModel } = await memory.ingest.session(SAMPLE);
    expect(mode).toBe("rules");
    expect(withoutModel).toMatchObject({ message: "the endpoint can't be reached", retryable: true });
  });
});

describe("a config with a key that is none", () => {
  it("is a problem that the status names with the file, and all else is told", async () => {
    using home = openTestHome();
    configure(home, { serach: {} });
    await using memory = await home.open();
    await expect(memory.ingest.session(SAMPLE)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    const { extractor, store, queue } = await memory.status();
    expect(extractor.problem).toMatch(/config\.json.*serach.*config unset/);
    expect(store).toMatchObject({ writable: true, problem: null });
    expect(queue).toMatchObject({ spooled: 0 });
  });
});

describe("a profile that is none", () => {
  it("is a problem that the status names, with the profiles that there are", async () => {
    using home = openTestHome();
    configure(home, { profile: "nope" });
    await using memory = await home.open();
    expect((await memory.status()).extractor.problem).toMatch(/"nope".*coding/);
  });
});
