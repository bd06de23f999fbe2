import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/core/memory.ts";
import { openTestHome, type TestHome } from "../../support/open-test-memory.ts";

const DAY_MS = 86_400_000;

/** A profile whose notes of context are old after ten days. */
function configure(home: TestHome, halfLifeDays: number): void {
  const folder = join(home.folder, "arcticmem");
  mkdirSync(join(folder, "profiles"), { recursive: true });
  const types = `types:\n  - { id: context, halfLifeDays: ${halfLifeDays} }\n`;
  writeFileSync(join(folder, "profiles", "quick.yaml"), `extends: coding\nid: quick\nversion: 1\n${types}`);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ profile: "quick" }));
}

async function ageOf(memory: Memory): Promise<number | undefined> {
  const { hits } = await memory.search({ text: "ledger closes at night", explain: true });
  return hits[0]?.explanation?.adjustments.age;
}

describe("the profile's half-lives", () => {
  it("age what search finds, and follow a profile that is changed", async () => {
    using home = openTestHome();
    configure(home, 10);
    await using memory = await home.open();
    await memory.add({ text: "The ledger closes at night.", type: "context", by: "person" });
    const now = () => new Date(Date.now() + 20 * DAY_MS);
    await using later = await home.open({ now });
    expect(await ageOf(later)).toBeCloseTo(0.95, 3);
    configure(home, 2.5);
    await using changed = await home.open({ now });
    expect(await ageOf(changed)).toBeCloseTo(0.9, 2);
  });

  it("are those of most domains where the profile is faulty: search does not depend on it", async () => {
    using home = openTestHome();
    configure(home, 10);
    await using memory = await home.open();
    await memory.add({ text: "The ledger closes at night.", type: "context", by: "person" });
    configure(home, -1);
    await using faulty = await home.open({ now: () => new Date(Date.now() + 60 * DAY_MS) });
    expect(await ageOf(faulty)).toBeCloseTo(1, 3);
  });

  it("are kept as JSON, so that a session's start reads no YAML", async () => {
    using home = openTestHome();
    configure(home, 10);
    await using memory = await home.open();
    await memory.search({ text: "ledger" });
    const kept = readFileSync(join(home.folder, "arcticmem", "retrieval-profile.json"), "utf8");
    expect(JSON.parse(kept)).toMatchObject({ profile: { halfLifeDays: { context: 10, preference: null } } });
  });
});
