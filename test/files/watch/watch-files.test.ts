import { EventEmitter } from "node:events";
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FolderWatch, watchFiles } from "../../../src/files/watch/watch-files.ts";

const failure = (code: string): Error => Object.assign(new Error(`${code}: simulated`), { code });

/** The system's own `watch` is another one meanwhile, for the library that watches too. */
async function withWatch(watch: () => unknown, work: () => Promise<void>): Promise<void> {
  const real = fs.watch;
  const replace = (value: unknown): void => {
    Object.assign(fs, { watch: value });
    syncBuiltinESMExports();
  };
  replace(watch);
  try {
    await work();
  } finally {
    replace(real);
  }
}

function withFailingWatch(code: string, work: () => Promise<void>): Promise<void> {
  return withWatch(() => {
    throw failure(code);
  }, work);
}

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
    await start();
    const rules = join(root, ".cursor", "rules");
    mkdirSync(rules, { recursive: true });
    watching?.add([rules, join(root, "gone")]);
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

  it.each(["ENOSPC", "EMFILE", "EPERM"])("looks by itself where the system answers %s, and says why", async (code) => {
    await withFailingWatch(code, async () => {
      await start({ pollMs: 20 });
      expect(watching?.polls).toContain(code);
      await vi.waitFor(() => expect(changes).toBe(1), 5_000); // what changed while it turned round
      writeFileSync(join(root, "AGENTS.md"), "Use pnpm, from now on.\n");
      await vi.waitFor(() => expect(changes).toBe(2), 10_000);
      expect(watching?.stopped).toBeNull();
    });
  });

  it("survives a system whose watch fails later on", async () => {
    const watchers: EventEmitter[] = [];
    await withWatch(
      () => {
        const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
        watchers.push(watcher);
        return watcher;
      },
      async () => {
        await start({ pollMs: 20 });
        expect(watchers.length).toBeGreaterThan(0);
        watchers[0]?.emit("error", failure("EPERM"));
        await vi.waitFor(() => expect(watching?.polls).toContain("EPERM"), 5_000);
        await vi.waitFor(() => expect(changes).toBe(1), 5_000);
      },
    );
  });

  it("ends with a note where the drive fails altogether", async () => {
    await withFailingWatch("EIO", async () => {
      await start();
      expect(watching?.stopped).toContain("EIO");
      expect(watching?.polls).toBeNull();
    });
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
