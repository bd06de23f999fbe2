import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestHome } from "../support/open-test-memory.ts";

const NOTE = { text: "The ledger compares totals at month end.", by: "person" } as const;

describe("memory.project", () => {
  it("honours the name that a checkout gives itself only after it was accepted", async () => {
    using home = openTestHome();
    home.write(".arcticmem/config.json", JSON.stringify({ project: "shared-billing" }));
    await using memory = await home.open();
    expect(await memory.project.current()).toMatchObject({ by: "directory", pendingOverride: "shared-billing" });
    await memory.project.acceptOverride();
    await using later = await home.open();
    expect(await later.project.current()).toMatchObject({ by: "override", id: "named:shared-billing" });
  });

  it("lets the memories of a folder that was moved follow it", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add(NOTE);
    const cwd = join(home.folder, "work", "renamed");
    mkdirSync(cwd);
    await using moved = await home.open({ cwd });
    await moved.project.move(home.project, cwd);
    expect((await moved.list({})).map(({ content }) => content)).toEqual([NOTE.text]);
  });

  it("merges two projects, and the old one resolves to the new", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add(NOTE);
    const cwd = join(home.folder, "work", "other");
    mkdirSync(cwd);
    await using other = await home.open({ cwd });
    await other.add({ text: "Refunds run after the ledger closes.", by: "person" });
    await other.project.merge((await memory.project.current()).id, (await other.project.current()).id);
    await using again = await home.open();
    expect(await again.list({})).toHaveLength(2);
  });

  it("merges into the current project though nothing was kept in it yet", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add(NOTE);
    const cwd = join(home.folder, "work", "renamed");
    mkdirSync(cwd);
    await using renamed = await home.open({ cwd });
    await renamed.project.merge((await memory.project.current()).id, (await renamed.project.current()).id);
    expect((await renamed.list({})).map(({ content }) => content)).toEqual([NOTE.text]);
  });

  it("refuses a project that is not known", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await expect(memory.project.merge("nowhere", "elsewhere")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});
