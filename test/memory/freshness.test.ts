import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryId } from "../../src/core/ids.ts";
import { changeOf } from "../../src/core/lifecycle.ts";
import { handleOf } from "../../src/core/memory-record.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-store.ts";
import { openTestHome, type TestHome } from "../support/open-test-memory.ts";

const TITLE = "Ledger totals are rounded once";
const start = (session: string) =>
  ({ session, host: "claude-code", source: "startup", maxCharacters: 9_000, deadlineAt: Date.now() + 60_000 }) as const;

/** As ingestion would have: the note cites a file of the checkout. */
async function cite(home: TestHome, id: MemoryId, path: string): Promise<void> {
  const store = await openSqliteStore({ path: join(home.folder, "arcticmem", "memory.db") });
  const memory = await store.memories.get(id);
  if (memory !== undefined) {
    const patch = { citations: [{ path, symbol: "roundTotals", lineHash: null }] };
    await store.memories.apply([changeOf(memory, { patch })], []);
  }
  await store.close();
}

async function noteAbout(home: TestHome) {
  home.write("src/ledger.ts", "export function roundTotals() {}\n");
  const memory = await home.open();
  const { memory: kept } = await memory.add({ text: `${TITLE}, at the end.`, title: TITLE, by: "person" });
  await cite(home, kept.id, "src/ledger.ts");
  return { memory, handle: handleOf(kept) };
}

describe("a memory that cites the checkout", () => {
  it("is withheld from a session's start once its code is gone, found by search with the mark, and back once it holds", async () => {
    using home = openTestHome();
    const { memory, handle } = await noteAbout(home);
    await using _ = memory;
    const before = (await memory.start(start("s1"))).text;
    expect(before).toContain(TITLE);
    expect((await memory.get(handle)).freshness).toBe("fresh");

    rmSync(join(home.project, "src"), { recursive: true });
    expect((await memory.start(start("s2"))).text).not.toContain(TITLE);
    const { hits } = await memory.search({ text: TITLE });
    expect(hits[0]?.unit === "fact" ? hits[0].memory.flags : []).toContain("stale_suspect");
    expect((await memory.render.search(await memory.search({ text: TITLE }))).includes("cites what is gone")).toBe(
      true,
    );

    home.write("src/ledger.ts", "export function roundTotals() {}\n");
    expect((await memory.start(start("s3"))).text).not.toContain(TITLE);
    expect((await memory.get(handle)).freshness).toBe("fresh");
    expect((await memory.start(start("s4"))).text.split("\n")[2]).toBe(before.split("\n")[2]);
  });

  it("is opened all the same when its code is gone, and says what is missing", async () => {
    using home = openTestHome();
    const { memory, handle } = await noteAbout(home);
    await using _ = memory;
    home.write("src/ledger.ts", "export function other() {}\n");
    const view = await memory.get(handle);
    expect(view).toMatchObject({ freshness: "stale", checks: [expect.stringContaining("roundTotals")] });
    expect((await memory.start(start("s1"))).text).not.toContain(TITLE);
  });

  it("keeps its mark where nobody can look", async () => {
    using home = openTestHome();
    const { memory, handle } = await noteAbout(home);
    await using _ = memory;
    rmSync(join(home.project, "src"), { recursive: true });
    await memory.get(handle);
    await cite(home, (await memory.get(handle)).memory.id, "../elsewhere.ts");
    expect((await memory.get(handle)).freshness).toBe("unverifiable");
    expect((await memory.get(handle)).memory.flags).toContain("stale_suspect");
  });

  it("can't be checked in one project when it is the user's own", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add({ text: `${TITLE}.`, title: TITLE, by: "person", scope: "user" });
    await cite(home, kept.id, "src/gone.ts");
    const view = await memory.get(handleOf(kept));
    expect(view.freshness).toBe("unverifiable");
    expect((await memory.start(start("s1"))).text).toContain(TITLE);
  });
});
