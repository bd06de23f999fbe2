/** What was given up is seen, and can be tried again or left. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/core/errors.ts";
import type { Memory } from "../../src/core/memory.ts";
import { openTestHome } from "../support/open-test-memory.ts";
import { cannedModel } from "../support/stage-deps.ts";

const SAMPLE = join(import.meta.dirname, "../fixtures/sessions/claude-code-correction.jsonl");
const REFUSED = new ModelError("the key is not known", { retryable: false });

const dead = async (memory: Memory) => (await memory.status()).deadLetters;

async function spool(memory: Memory, transcript: string): Promise<void> {
  const note = { host: "claude-code", session: "s1", transcript, cwd: "/work", offset: 0 };
  await memory.ingest.spool({ ...note, reason: "session-end" });
}

describe("a session that was given up", () => {
  it("is named with its run, waits again when it is retried, and is no dead letter once it was ingested", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const transcript = join(home.folder, "late.jsonl");
    await spool(memory, transcript);
    await memory.ingest.work();
    const [letter] = await dead(memory);
    expect(letter).toMatchObject({ session: "s1", error: expect.stringContaining("late.jsonl") });

    expect(await memory.ingest.settle([letter?.run ?? ""], "retry")).toMatchObject([
      { status: "waiting", attempts: 0 },
    ]);
    await memory.ingest.work();
    expect(await dead(memory)).toHaveLength(1);

    copyFileSync(SAMPLE, transcript);
    await memory.ingest.settle("dead", "retry");
    expect((await memory.ingest.work()).processed).toHaveLength(1);
    expect(await dead(memory)).toEqual([]);
    expect(await memory.list({ everywhere: true })).not.toEqual([]);
  });

  it("is no dead letter any more when its transcript was read after all", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const transcript = join(home.folder, "late.jsonl");
    await spool(memory, transcript);
    await memory.ingest.work();
    expect(await dead(memory)).toHaveLength(1);
    copyFileSync(SAMPLE, transcript);
    await spool(memory, transcript);
    await memory.ingest.work();
    expect(await dead(memory)).toEqual([]);
  });

  it("is told of no more once it is dismissed, and not tried again by itself", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    await spool(memory, join(home.folder, "gone.jsonl"));
    await memory.ingest.work();
    expect(await memory.ingest.settle("dead", "dismiss")).toMatchObject([{ status: "done" }]);
    expect(await dead(memory)).toEqual([]);
    await spool(memory, join(home.folder, "gone.jsonl"));
    await memory.ingest.work();
    expect(await dead(memory)).toEqual([]);
  });

  it.each(["nothing", "dismiss"] as const)("is tried again by who asks for it by hand, after %s", async (how) => {
    using home = openTestHome();
    let reply: Error | string = REFUSED;
    await using memory = await home.open({ languageModel: cannedModel(() => reply) });
    await memory.ingest.session(SAMPLE);
    expect(await dead(memory)).toMatchObject([{ error: REFUSED.message }]);
    if (how === "dismiss") await memory.ingest.settle("dead", "dismiss");
    reply = '{"facts":[]}';
    expect((await memory.ingest.session(SAMPLE)).result).not.toMatchObject({ kind: "failed" });
    expect(await dead(memory)).toEqual([]);
  });

  it("is not told of what did not fail", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    const { run } = await memory.ingest.session(SAMPLE);
    await expect(memory.ingest.settle([run], "retry")).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(memory.ingest.settle(["nosuch"], "dismiss")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe("a note of a hook that can't be used", () => {
  it("is counted, and the folder where it lies is named", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    expect((await memory.status()).queue.setAside).toBe(0);
    const spoolFolder = join(home.folder, "arcticmem", "spool");
    mkdirSync(spoolFolder, { recursive: true });
    writeFileSync(join(spoolFolder, "broken.json"), "{");
    await memory.ingest.work();
    const { queue, warnings } = await memory.status();
    expect(queue).toMatchObject({ spooled: 0, setAside: 1 });
    expect(warnings).toContain(`notes of hooks that could not be used: 1, in ${join(spoolFolder, "quarantine")}`);
  });
});
