import { describe, expect, it } from "vitest";
import type { NewNote } from "../../src/core/memory.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import { addNote } from "../../src/keep/add-note.ts";
import { confirmMemory, editMemory, pinMemory } from "../../src/keep/edit-memory.ts";
import { chooseErasure, eraseMemories } from "../../src/keep/erase-memories.ts";
import { explainMemory } from "../../src/keep/explain-memory.ts";
import { forgetMemory, restoreMemory } from "../../src/keep/forget-memory.ts";
import { undoChanges } from "../../src/keep/undo-changes.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { filledStore } from "../support/filled-store.ts";
import { aMemory, NOW, PROJECT } from "../support/records.ts";

async function kept(memory: MemoryRecord = aMemory(1, { provenance: [] })) {
  const store = await filledStore({ memories: [memory] });
  const deps = { store, now: () => NOW, redactor: createRedactor(), profile: "coding@1" };
  const stored = await store.memories.get(memory.id);
  if (stored === undefined) throw new Error("not stored");
  return { store, deps, memory: stored };
}

const note = (fields: Partial<NewNote> = {}): NewNote => ({
  text: "Use pnpm in this repository, never npm. The lockfile is pnpm's.",
  by: "person",
  ...fields,
});

describe("addNote", () => {
  it("trusts what a person writes, for good", async () => {
    const { deps } = await kept();
    const { memory, added } = await addNote(deps, note(), PROJECT);
    expect(added).toBe(true);
    expect(memory).toMatchObject({
      type: "preference",
      title: "Use pnpm in this repository, never npm",
      status: "active",
      trust: 3,
      source: "user_stated",
      humanEdited: true,
    });
    expect(memory.whenToUse).toEqual([]);
  });

  it("does not trust what an agent writes on a person's behalf before the person's words are found", async () => {
    const { deps } = await kept();
    const quote = "use pnpm, never npm";
    const { memory } = await addNote(deps, note({ by: "agent", quote, session: "s-1", host: "claude-code" }), PROJECT);
    expect(memory).toMatchObject({ status: "provisional", trust: 1, humanEdited: false });
    expect(memory.provenance).toMatchObject([{ kind: "agent", session: "s-1", quote, extractor: "agent" }]);
  });

  it("adds nothing twice; a person's word confirms what was provisional", async () => {
    const { deps } = await kept();
    const first = await addNote(deps, note({ by: "agent", session: "s-1", quote: "q" }), PROJECT);
    const again = await addNote(deps, note({ by: "agent", session: "s-1", quote: "q" }), PROJECT);
    expect(again).toMatchObject({ added: false, memory: { id: first.memory.id, seen: 1 } });
    const byPerson = await addNote(deps, note(), PROJECT);
    expect(byPerson).toMatchObject({ added: false, memory: { id: first.memory.id, status: "active", trust: 3 } });
  });

  it("lets no agent bring back what the user had forgotten or erased; the user can", async () => {
    const { deps, store } = await kept();
    const { memory } = await addNote(deps, note(), PROJECT);
    await forgetMemory(deps, memory, { by: "person" });
    await expect(addNote(deps, note({ by: "agent" }), PROJECT)).rejects.toMatchObject({ code: "PROTECTED" });
    await eraseMemories(deps, await store.memories.list({}));
    await expect(addNote(deps, note({ by: "agent" }), PROJECT)).rejects.toMatchObject({ code: "PROTECTED" });
    expect((await addNote(deps, note(), PROJECT)).added).toBe(true);
  });

  it.each([
    "",
    "   ",
    "…",
    "<private>only this</private>",
    "ghp_csSWj9DxQSYgDMFMbGBKxN28J4W8Bzld2g0h",
    "x".repeat(2_001),
  ])("refuses %j", async (text) => {
    const { deps } = await kept();
    await expect(addNote(deps, note({ text }), PROJECT)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  it("stores no secret, and nothing that is private", async () => {
    const { deps, store } = await kept();
    const text =
      "Push with the token ghp_csSWj9DxQSYgDMFMbGBKxN28J4W8Bzld2g0h to the registry <private>Zelda</private> only.";
    await addNote(deps, note({ text, why: "because Zelda <private>told</private> so" }), PROJECT);
    const stored = JSON.stringify(await store.memories.list({}));
    expect(stored).not.toContain("ghp_cs");
    expect(stored).not.toContain("told");
    expect(stored).toContain("[REDACTED:");
  });
});

describe("a note that was kept elsewhere", () => {
  it("stands as it stood there: superseded by its successor, pinned, of its day, however long", async () => {
    const { deps, memory: successor } = await kept();
    const at = new Date("2020-02-02T00:00:00Z");
    const text = `The old ledger rounds per line. ${"It says so at length. ".repeat(200)}`;
    const standing = { supersededBy: successor.id, pinned: true, at };
    const { memory } = await addNote(deps, note({ text, standing }), PROJECT);
    expect(memory).toMatchObject({ status: "superseded", supersededBy: successor.id, pinned: true, createdAt: at });
    expect(memory).toMatchObject({ confirmedAt: at, eventAt: at, provenance: [{ at }], trust: 3 });
    expect(memory.content.length).toBeGreaterThan(4_000);
    expect(memory.whenToUse).toEqual([]);
    await expect(addNote(deps, note({ text }), PROJECT)).rejects.toThrow(/at most/);
  });

  it("is no confirmation of what holds, where it held no longer itself", async () => {
    const { deps } = await kept();
    const current = await addNote(deps, note(), PROJECT);
    const old = await addNote(deps, note({ standing: { status: "superseded" } }), PROJECT);
    expect(old).toMatchObject({ added: true, memory: { status: "superseded", supersededBy: null } });
    expect(await deps.store.memories.get(current.memory.id)).toMatchObject({ status: "active", seen: 1 });
  });

  it("gains no trust where an agent brings it", async () => {
    const { deps } = await kept();
    const { memory } = await addNote(
      deps,
      note({ by: "agent", standing: { status: "active", pinned: true } }),
      PROJECT,
    );
    expect(memory).toMatchObject({ status: "provisional", pinned: false, trust: 1 });
  });
});

describe("editMemory", () => {
  it("makes a new version that no pipeline changes again; the old text stays readable", async () => {
    const { deps, store, memory } = await kept(aMemory(1, { status: "provisional", source: "tool_verified" }));
    const edited = await editMemory(deps, memory, { title: "Amounts are in cents", whenNot: "reports for people" });
    expect(edited).toMatchObject({
      ...{ title: "Amounts are in cents", whenNot: "reports for people", content: memory.content },
      ...{ version: 2, humanEdited: true, status: "active", trust: 3 },
    });
    expect((await store.memories.history(memory.id))[0]?.memory.title).toBe(memory.title);
  });

  it("derives title and symbols anew from a new content, where they came from the old one", async () => {
    const { deps } = await kept();
    const { memory } = await addNote(deps, note({ text: "Call run_checks() before a push. It is quick." }), PROJECT);
    expect(memory.symbols).toEqual(["run_checks"]);
    const edited = await editMemory(deps, memory, { content: "Call verify_all() before a push. It is slow." });
    expect(edited).toMatchObject({ title: "Call verify_all() before a push", symbols: ["verify_all"] });
    const titled = await editMemory(deps, edited, { title: "Verify first", symbols: ["pre-push"] });
    const again = await editMemory(deps, titled, { content: "Call verify_most() before a push." });
    expect(again).toMatchObject({ title: "Verify first", symbols: ["pre-push"] });
  });

  it("refuses an empty edit, and a text that another memory has", async () => {
    const { deps, memory } = await kept();
    await expect(editMemory(deps, memory, {})).rejects.toMatchObject({ code: "INPUT_INVALID" });
    const other = await addNote(deps, note({ type: "lesson" }), PROJECT);
    await expect(editMemory(deps, memory, { content: other.memory.content })).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  });
});

describe("pin and confirm", () => {
  it("are the user's word", async () => {
    const { deps, memory } = await kept(aMemory(1, { status: "disputed", flags: ["stale_suspect"], trust: 1 }));
    expect(await pinMemory(deps, memory, true)).toMatchObject({ pinned: true });
    expect(await confirmMemory(deps, memory)).toMatchObject({
      ...{ status: "active", trust: 3, source: "user_confirmed", flags: [], pinned: true },
    });
  });

  it("does not confirm what was put away", async () => {
    const { deps, memory } = await kept(aMemory(1, { status: "superseded" }));
    await expect(confirmMemory(deps, memory)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe("forgetMemory", () => {
  it("leaves a tombstone that can be taken back to the standing before", async () => {
    const { deps, memory } = await kept(aMemory(1, { status: "provisional" }));
    const gone = await forgetMemory(deps, memory, { by: "person", reason: "not true" });
    expect(gone).toMatchObject({ status: "forgotten", tombstonedAt: NOW, reason: "not true" });
    expect(await restoreMemory(deps, gone)).toMatchObject({ status: "provisional", tombstonedAt: null, reason: null });
  });

  it.each<[string, Partial<MemoryRecord>]>([
    ["pinned", { pinned: true }],
    ["user-stated", { source: "user_stated" }],
    ["written by a person", { humanEdited: true }],
  ])("is not for agents where the memory is %s", async (_, fields) => {
    const { deps, memory } = await kept(aMemory(1, fields));
    await expect(forgetMemory(deps, memory, { by: "agent" })).rejects.toMatchObject({ code: "PROTECTED" });
    expect(await forgetMemory(deps, memory, { by: "person" })).toMatchObject({ status: "forgotten" });
  });

  it("is allowed to agents for what was inferred", async () => {
    const { deps, memory } = await kept();
    expect(await forgetMemory(deps, memory, { by: "agent" })).toMatchObject({ status: "forgotten" });
  });
});

describe("eraseMemories", () => {
  it("takes what was chosen for good, put-away memories included, and no other", async () => {
    const { deps, store, memory } = await kept();
    const { memory: other } = await addNote(deps, note(), PROJECT);
    await forgetMemory(deps, memory, { by: "person" });
    expect(await eraseMemories(deps, await chooseErasure(deps, { memories: [memory] }))).toBe(1);
    expect(await store.memories.get(memory.id)).toBeUndefined();
    expect(await chooseErasure(deps, { project: PROJECT })).toMatchObject([{ id: other.id }]);
    expect(await chooseErasure(deps, { since: new Date(NOW.getTime() + 1) })).toEqual([]);
    expect(await eraseMemories(deps, [])).toBe(0);
  });
});

describe("undoChanges", () => {
  it("takes back the last change of a memory, and an addition by putting it away", async () => {
    const { deps, memory } = await kept();
    await editMemory(deps, memory, { content: "Something else entirely, as it happens." });
    const { changed } = await undoChanges(deps, { memory: memory.id });
    expect(changed).toMatchObject([{ content: memory.content, humanEdited: false, source: memory.source }]);
    const { memory: added } = await addNote(deps, note(), PROJECT);
    expect((await undoChanges(deps, { memory: added.id })).changed).toMatchObject([{ status: "forgotten" }]);
  });

  it("goes further back each time, never forth, until the memory itself is put away", async () => {
    const { store, deps, memory } = await kept(aMemory(1, { content: "Alpha is the first word of it." }));
    let minute = 0;
    const later = { ...deps, now: () => new Date(NOW.getTime() + 60_000 * ++minute) };
    const edit = async (content: string) => {
      const current = await store.memories.get(memory.id);
      if (current !== undefined) await editMemory(later, current, { content });
    };
    const undo = async () => (await undoChanges(later, { memory: memory.id })).changed[0];
    for (const content of ["Beta came after it.", "Gamma was the last word."]) await edit(content);
    expect((await undo())?.content).toMatch(/^Beta/);
    expect((await undo())?.content).toMatch(/^Alpha/);
    await edit("Delta is new.");
    expect((await undo())?.content).toMatch(/^Alpha/);
    expect(await undo()).toMatchObject({ status: "forgotten" });
    await expect(undo()).rejects.toMatchObject({ code: "INPUT_INVALID" });
    const gone = await store.memories.get(memory.id);
    if (gone !== undefined) await restoreMemory(later, gone);
    expect(await undo()).toMatchObject({ status: "forgotten" });
  });

  it("says so when there is nothing to take back", async () => {
    const { deps } = await kept();
    await expect(undoChanges(deps, { run: "run-x" as never })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe("explainMemory", () => {
  it("tells what was done, in order, and what the memory said before", async () => {
    const { deps, memory } = await kept();
    await pinMemory(deps, memory, true);
    await editMemory(deps, memory, { title: "Amounts are in cents" });
    const why = await explainMemory(deps, memory);
    expect(why.events.map(({ kind, actor }) => `${kind} by ${actor}`)).toEqual(["pinned by user", "edited by user"]);
    expect(why.versions.map(({ title }) => title)).toEqual([memory.title, memory.title]);
  });
});
