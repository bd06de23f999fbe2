import { describe, expect, it, vi } from "vitest";
import { openTestHome } from "../../support/open-test-memory.ts";

describe("memory.files.watch", () => {
  it("indexes what is written while it watches, in folders too that were not there", async () => {
    using home = openTestHome();
    await using memory = await home.open();
    home.write("AGENTS.md", "Use pnpm.\n");
    await memory.files.index();
    const watch = await memory.files.watch();
    expect(watch.stopped).toBeNull();
    home.write("CLAUDE.md", "Be kind.\n");
    await vi.waitFor(async () => expect((await memory.status()).files.files).toBe(2), 10_000);
    home.write(".cursor/rules/style.mdc", "Use tabs.\n");
    await vi.waitFor(async () => expect((await memory.status()).files.files).toBe(3), 10_000);
  });

  it("ends with the memory", async () => {
    using home = openTestHome();
    const memory = await home.open();
    const watch = await memory.files.watch();
    await memory[Symbol.asyncDispose]();
    expect(watch.stopped).toBe("closed");
  });
});
