import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestHome, type TestHome } from "../support/open-test-memory.ts";

const NOTE = { text: "The ledger compares totals at month end.", by: "person" } as const;

/** What makes a folder git's, without git. */
function asRepository(home: TestHome, path?: string): void {
  home.write(".git/HEAD", "ref: refs/heads/main\n");
  for (const part of ["objects", "refs"]) mkdirSync(join(home.project, ".git", part), { recursive: true });
  home.write(".git/config", path === undefined ? "" : `[remote "origin"]\n\turl = https://git.test/${path}.git\n`);
}

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

  it("carries over what was known by the folder alone, when it becomes git's and when it gets its first remote", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add(NOTE);
    asRepository(home);
    await using inGit = await home.open();
    expect(await inGit.project.current()).toMatchObject({ by: "git-directory" });
    expect((await inGit.list({})).map(({ content }) => content)).toEqual([NOTE.text]);
    asRepository(home, "acme/billing");
    await using withRemote = await home.open();
    await withRemote.add({ text: "Refunds run after the ledger closes.", by: "person" });
    expect(await withRemote.list({})).toHaveLength(2);
    expect(await withRemote.project.leftBehind()).toEqual([]);
  });

  it("asks about what this folder kept under another remote, until it is merged", async () => {
    using home = openTestHome();
    asRepository(home, "acme/billing");
    await using memory = await home.open();
    await memory.add(NOTE);
    asRepository(home, "ada/billing");
    await using renamed = await home.open();
    expect(await renamed.list({})).toEqual([]);
    const sentence =
      "1 memory of this folder is filed under git:git.test/acme/billing: `arcticmem project merge git:git.test/acme/billing .` takes them along";
    expect(await renamed.project.leftBehind()).toEqual([sentence]);
    expect((await renamed.status()).warnings).toContain(sentence);
    await renamed.project.merge("git:git.test/acme/billing", (await renamed.project.current()).id);
    expect(await renamed.list({})).toHaveLength(1);
    expect(await renamed.project.leftBehind()).toEqual([]);
  });

  it("says of an ingested session where its memories went, unless that is here", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const sample = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");
    const ranIn = (folder: string): string =>
      home.write("s.jsonl", readFileSync(sample, "utf8").replaceAll("/home/ana/work/tidewatch", folder));
    const ingest = (folder: string) => memory.ingest.session(ranIn(folder), { dryRun: true });
    expect((await ingest(home.project)).place).toBeUndefined();
    const gone = join(home.folder, "gone");
    expect((await ingest(gone)).place).toEqual({ name: "billing", goneFolder: gone });
    mkdirSync(gone);
    expect((await ingest(gone)).place).toEqual({ name: "gone", goneFolder: null });
  });

  it("refuses a project that is not known", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await expect(memory.project.merge("nowhere", "elsewhere")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});
