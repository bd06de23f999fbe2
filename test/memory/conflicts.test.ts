import { utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { handleOf } from "../../src/core/memory-record.ts";
import { openTestHome } from "../support/open-test-memory.ts";

const NPM = { text: "This repository uses npm for its dependencies.", by: "person" } as const;
const LATER = new Date("2100-01-01T00:00:00Z");
const OLD = new Date("2020-01-01T00:00:00Z");

describe("the contradiction radar", () => {
  it("shows in search, in the view and in the status what a rules file says against a memory", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    utimesSync(
      home.write("AGENTS.md", "# Rules\n\nBe kind.\n\nUse pnpm, not npm, in this repository.\n"),
      LATER,
      LATER,
    );
    await memory.files.index();
    const { memory: note } = await memory.add(NPM);
    const sentence = `AGENTS.md:5 says "pnpm", ${handleOf(note)} says "npm"; files win unless the user corrected later.`;
    expect((await memory.search({ text: "npm dependencies" })).notes).toEqual([sentence]);
    const view = await memory.get(handleOf(note));
    expect(view.fileConflicts).toMatchObject([{ kind: "value", path: "AGENTS.md", winner: "file" }]);
    expect(await memory.render.view(view)).toContain(sentence);
    expect((await memory.status()).fileConflicts).toEqual([sentence]);
  });

  it("finds it too when the file comes after the memory", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add(NPM);
    home.write("AGENTS.md", "Use pnpm.\n");
    await memory.files.index();
    expect((await memory.status()).fileConflicts).toHaveLength(1);
  });

  it("lets the memory win where the user spoke after the file was last changed", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    utimesSync(home.write("AGENTS.md", "Use pnpm.\n"), OLD, OLD);
    await memory.files.index();
    const { memory: note } = await memory.add(NPM);
    expect((await memory.get(handleOf(note))).fileConflicts).toMatchObject([{ winner: "memory" }]);
  });

  it("drops it when the file changes, when the memory changes, and when the memory is forgotten", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const conflicts = async (): Promise<number> => (await memory.status()).fileConflicts.length;
    home.write("AGENTS.md", "Use pnpm.\n");
    await memory.files.index();
    const { memory: note } = await memory.add(NPM);
    expect(await conflicts()).toBe(1);
    home.write("AGENTS.md", "Use npm.\n");
    await memory.files.index();
    expect(await conflicts()).toBe(0);
    home.write("AGENTS.md", "Use pnpm here.\n");
    await memory.files.index();
    expect(await conflicts()).toBe(1);
    await memory.keep.edit(handleOf(note), {
      title: "The repository uses pnpm",
      content: "This repository uses pnpm.",
    });
    expect(await conflicts()).toBe(0);
    await memory.keep.edit(handleOf(note), {
      title: "The repository uses yarn",
      content: "This repository uses yarn.",
    });
    expect(await conflicts()).toBe(1);
    await memory.keep.forget(handleOf(note), { by: "person" });
    expect(await conflicts()).toBe(0);
  });

  it("holds the user's own memories against each project's files", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ ...NPM, scope: "user" });
    home.write("AGENTS.md", "Use pnpm.\n");
    await memory.files.index();
    expect((await memory.search({ text: "npm dependencies" })).notes.join()).toMatch(/says "pnpm"/);
  });

  it("keeps nothing of an erased memory, and finds everything again after a reindex", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    home.write("AGENTS.md", "Use pnpm.\n");
    await memory.files.index();
    const { memory: note } = await memory.add(NPM);
    await memory.reindex();
    await memory.files.index();
    expect((await memory.status()).fileConflicts).toHaveLength(1);
    await memory.keep.erase({ handles: [handleOf(note)] });
    expect((await memory.status()).fileConflicts).toEqual([]);
  });
});
