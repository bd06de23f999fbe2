import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { openTestHome, type TestHome } from "../../support/open-test-memory.ts";

const LATE = Date.now() + 3_600_000;

function pairsIn(home: TestHome): URL {
  const folder = join(home.folder, "pairs");
  mkdirSync(folder);
  const rows = [
    { kind: "paraphrase", a: "the ledger closes at night", b: "at night the ledger closes" },
    { kind: "near_miss", a: "the ledger closes at two", b: "the ledger closes at three" },
    { kind: "unrelated", query: "colour of the map", memory: "the ledger closes at night" },
    { kind: "answer", query: "when does the ledger close", memory: "the ledger closes at night" },
  ];
  writeFileSync(join(folder, "pairs.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  writeFileSync(join(folder, "generic.txt"), "Write tests.\n");
  return pathToFileURL(folder);
}

describe("memory.models.calibrate", () => {
  it("keeps what it measured for the model, and takes the warning away", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    expect((await memory.status()).warnings.join()).toMatch(/not calibrated/);
    const { saved } = await memory.models.calibrate({ pairs: pairsIn(home) });
    expect(saved).toBe(true);
    expect((await memory.status()).warnings.join()).not.toMatch(/not calibrated/);
  });

  it("moves the search to the thresholds that were measured", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ text: "The ledger compares totals, so round once at the end, never per line.", by: "person" });
    const ask = { text: "ledger zebra quagga okapi tapir lemur", explain: true };
    const before = (await memory.search(ask)).hits.length;
    await memory.models.calibrate({ pairs: pairsIn(home) });
    const after = await memory.search(ask);
    expect(before).toBe(0);
    expect(after.hits[0]?.explanation?.survivedBy.join()).toMatch(/trigger|meaning/);
  });

  it("moves what a session starts with to the same thresholds", async () => {
    using home = openTestHome();
    home.write("README.md", "# ledger zebra quagga okapi tapir lemur\n");
    await using memory = await home.open();
    await memory.add({ text: "The ledger compares totals, so round once at the end, never per line.", by: "person" });
    const start = async (session: string) =>
      (await memory.start({ session, host: "claude-code", source: "startup", maxCharacters: 9_000, deadlineAt: LATE }))
        .text;
    expect(await start("s1")).toContain("No specific match");
    await memory.models.calibrate({ pairs: pairsIn(home) });
    expect(await start("s2")).toContain("matches this project");
  });

  it("has nothing to measure without a model", async () => {
    using home = openTestHome();
    await using memory = await home.open({ embedder: null });
    await expect(memory.models.calibrate()).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});
