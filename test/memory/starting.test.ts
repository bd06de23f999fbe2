import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handleOf } from "../../src/core/memory-record.ts";
import { openTestHome } from "../support/open-test-memory.ts";

const SAMPLE = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");
const START = {
  session: "s1",
  host: "claude-code",
  source: "startup",
  maxCharacters: 10_000,
  deadlineAt: Date.now() + 60_000,
} as const;

describe("memory.start", () => {
  it("says nothing, and makes no store, where nothing was ever kept", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    expect(await memory.start(START)).toEqual({ text: "", shown: [], degraded: [] });
    expect((await memory.status()).store.problem).toBeNull();
  });

  it("gives the manifest and the titles, and the same manifest byte for byte the next time", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: kept } = await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    const first = await memory.start(START);
    const second = await memory.start({ ...START, session: "s2" });
    const manifest = (text: string) => /<arcticmem-manifest[\s\S]*<\/arcticmem-manifest>/.exec(text)?.[0];
    expect(first.text).toContain(handleOf(kept));
    expect(manifest(first.text)).toBeDefined();
    expect(manifest(second.text)).toBe(manifest(first.text));
  });

  it("sends a resumed session nothing that it has, and all of it after something changed", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    await memory.start(START);
    expect((await memory.start({ ...START, source: "resume" })).text).toBe("");
    await memory.add({ text: "The replica applies migrations a day later.", by: "person" });
    expect((await memory.start({ ...START, source: "resume" })).text).toContain("replica");
  });

  it("shows a compacted session the manifest and the lines again that it had, and none that came since", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { memory: known } = await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    const first = await memory.start(START);
    const { memory: fresh } = await memory.add({ text: "The replica applies migrations a day later.", by: "person" });
    const again = await memory.start({ ...START, source: "compact" });
    expect(again.text).toMatch(/^<arcticmem-manifest/);
    expect(again.text).toContain(handleOf(fresh));
    expect(again.shown).toEqual(first.shown);
    expect(first.shown).toEqual([known.id]);
  });

  it("asks for what the last session was about, and what it left open", async () => {
    using home = openTestHome();
    await using memory = await home.open({ embedder: null });
    const { open } = await memory.ingest.session(SAMPLE);
    expect(open?.goal).toMatch(/\w+ \w+/);
    await memory.add({ text: `Concerning: ${open?.goal}`, by: "person" });
    expect((await memory.start(START)).text).toContain("matches the last session");
  });

  it("counts as learned last time what is still kept, not what was forgotten or erased since", async () => {
    using home = openTestHome();
    await using memory = await home.open({ embedder: null });
    const { decisions } = await memory.ingest.session(SAMPLE);
    await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    const added = decisions.flatMap((one) => (one.applied === "ADD" && one.memory !== null ? [one.memory] : []));
    expect((await memory.start(START)).text).toContain(`learned ${added.length} last time`);
    for (const id of added) await memory.keep.forget(id, { by: "person" });
    expect((await memory.start({ ...START, session: "s2" })).text).not.toContain("last time");
  });

  it("starts from the ticket, the notebook or the question that the domain's profile looks for", async () => {
    using home = openTestHome();
    mkdirSync(join(home.folder, "arcticmem"), { recursive: true });
    writeFileSync(join(home.folder, "arcticmem", "config.json"), JSON.stringify({ profile: "support" }));
    await using memory = await home.open({ embedder: null });
    await memory.add({ text: "Labels print blank in raster mode; vector mode helps.", by: "person" });
    for (let at = 0; at < 9; at += 1) await memory.add({ text: `Parcel ${at} waits at depot ${at}.`, by: "person" });
    await memory.search({ text: "anything" });
    home.write("inbox/ticket-7.md", "# Labels print blank in raster mode, vector mode prints\n");
    const { text } = await memory.start(START);
    expect(text).toContain('matches open ticket "ticket-7.md"');
    await using other = await home.open({
      embedder: null,
      variables: { ARCTICMEM_TICKET: "raster mode prints blank labels" },
    });
    rmSync(join(home.project, "inbox"), { recursive: true });
    expect((await other.start({ ...START, session: "s2" })).text).toContain("matches the open ticket");
  });

  it("keeps to the tokens that the config allows", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    for (let number = 0; number < 30; number += 1) {
      await memory.add({
        text: `Invoices of tariff ${number} are rounded once, at the end of month ${number}.`,
        by: "person",
      });
    }
    const whole = await memory.start(START);
    mkdirSync(join(home.folder, "arcticmem"), { recursive: true });
    writeFileSync(join(home.folder, "arcticmem", "config.json"), JSON.stringify({ inject: { manifestTokens: 200 } }));
    await using tight = await home.open();
    const cut = await tight.start({ ...START, session: "s2" });
    expect(cut.text.length).toBeLessThan(whole.text.length);
    expect(cut.text).toMatch(/\+\d+ more/);
  });

  it("says nothing when switched off", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await memory.add({ text: "Invoices are rounded once, at the end.", by: "person" });
    await using off = await home.open({ variables: { ARCTICMEM_DISABLE: "1" } });
    expect((await off.start(START)).text).toBe("");
  });
});
