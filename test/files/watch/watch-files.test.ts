import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FolderWatch, watchFiles } from "../../../src/files/watch/watch-files.ts";

describe("watchFiles", () => {
  let root = "";
  let watching: FolderWatch | undefined;
  let changes = 0;

  const start = async (options: Partial<Parameters<typeof watchFiles>[0]> = {}): Promise<FolderWatch> => {
    watching = await watchFiles({
      folders: [root],
      settleMs: 30,
      onChange: async () => {
        changes += 1;
      },
      ...options,
    });
    return watching;
  };

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-watch-")));
    changes = 0;
    writeFileSync(join(root, "AGENTS.md"), "Use npm.\n");
  });

  afterEach(async () => {
    await watching?.close();
    watching = undefined;
    rmSync(root, { recursive: true, force: true });
  });

  it("tells of a changed file and of a new one, a burst of changes once, and nothing at its start", async () => {
    await start();
    expect(changes).toBe(0);
    for (let at = 0; at < 5; at += 1) writeFileSync(join(root, "AGENTS.md"), `Use pnpm ${at}.\n`);
    await vi.waitFor(() => expect(changes).toBe(1), 5_000);
    writeFileSync(join(root, "CLAUDE.md"), "Be kind.\n");
    await vi.waitFor(() => expect(changes).toBe(2), 5_000);
  });

  it("looks into a folder that was added, and passes over one that is gone", async () => {
    const { add } = await start();
    const rules = join(root, ".cursor", "rules");
    mkdirSync(rules, { recursive: true });
    add([rules, join(root, "gone")]);
    await vi.waitFor(() => expect(changes).toBeGreaterThan(0), 5_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = changes;
    writeFileSync(join(rules, "style.mdc"), "Use tabs.\n");
    await vi.waitFor(() => expect(changes).toBeGreaterThan(before), 5_000);
    expect(watching?.folders).toBe(2);
  });

  it("watches no more folders than it may", async () => {
    const folders = Array.from({ length: 5 }, (_, at) => join(root, `f${at}`));
    for (const folder of folders) mkdirSync(folder);
    expect((await start({ folders, maxFolders: 3 })).folders).toBe(3);
  });

  it("gives up on a folder of too many files, and says so; sources do not count", async () => {
    for (let at = 0; at < 30; at += 1) writeFileSync(join(root, `code${at}.ts`), "");
    expect((await start({ maxFiles: 10 })).stopped).toBeNull();
    await watching?.close();
    for (let at = 0; at < 30; at += 1) writeFileSync(join(root, `note${at}.md`), "");
    await start({ maxFiles: 10 });
    await vi.waitFor(() => expect(watching?.stopped).toBe("more than 10 files"), 5_000);
  });

  it("goes on after a change that could not be taken in", async () => {
    let calls = 0;
    await start({
      onChange: async () => {
        calls += 1;
        throw new Error("the store is busy");
      },
    });
    writeFileSync(join(root, "AGENTS.md"), "Use yarn.\n");
    await vi.waitFor(() => expect(calls).toBe(1), 5_000);
    writeFileSync(join(root, "AGENTS.md"), "Use bun, please.\n");
    await vi.waitFor(() => expect(calls).toBe(2), 5_000);
  });
});
