/** A dry run shows the whole plan and leaves no trace. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDriver } from "../../src/store/sqlite/open-driver.ts";
import { openTestHome } from "../support/open-test-memory.ts";
import { cannedModel } from "../support/stage-deps.ts";

const SAMPLE = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");

/** By path; of the store what it holds, since its bytes move when a log is taken up. */
async function hashes(folder: string): Promise<Record<string, string>> {
  const copy = join(mkdtempSync(join(tmpdir(), "arcticmem-dry-")), "copy.db");
  const driver = await openDriver({ path: join(folder, "memory.db") });
  driver.prepare("VACUUM INTO ?").run([copy]);
  driver.close();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const others = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("memory.db"));
  const paths = [copy, ...others.map(({ parentPath, name }) => join(parentPath, name))];
  return Object.fromEntries(
    paths.map((path) => [
      path === copy ? "store" : path,
      createHash("sha256").update(readFileSync(path)).digest("hex"),
    ]),
  );
}

describe("a dry run", () => {
  it("by rules changes no byte of any file of ours", async () => {
    using home = openTestHome();
    const folder = join(home.folder, "arcticmem");
    const first = await home.open({ cwd: home.folder });
    await first.add({ text: "The importer needs node 22.", by: "person", scope: "user" });
    await first[Symbol.asyncDispose]();
    const before = await hashes(folder);

    await using memory = await home.open();
    const { decisions } = await memory.ingest.session(SAMPLE, { dryRun: true });
    expect(decisions).not.toEqual([]);
    await memory[Symbol.asyncDispose]();
    expect(await hashes(folder)).toEqual(before);
  });

  it("by a model keeps nothing but the account of what was spent", async () => {
    using home = openTestHome();
    await using memory = await home.open({ languageModel: cannedModel(['{"facts":[]}']) });
    const { stages } = await memory.ingest.session(SAMPLE, { dryRun: true });
    expect(stages.map(({ stage }) => stage)).toContain("extract");
    expect(await memory.list({ everywhere: true })).toEqual([]);
    expect(await memory.ingest.runs({ everywhere: true })).toEqual([]);
    expect(await memory.project.list()).toEqual([]);
    expect((await memory.status()).usage.callsToday).toBe(1);
    expect(Object.keys(await hashes(join(home.folder, "arcticmem")))).toEqual(["store"]);
  });
});
