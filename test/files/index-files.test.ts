import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Chunk, SourceFile } from "../../src/core/chunk.ts";
import type { IndexReport } from "../../src/core/report.ts";
import { cleanSource } from "../../src/files/clean-source.ts";
import { type IndexFilesRequest, indexFiles, putPieces } from "../../src/files/index-files.ts";
import type { FileTable, Store } from "../../src/store/store.ts";
import { redactPatterns } from "../../src/text/redact.ts";
import { filledStore } from "../support/filled-store.ts";
import { PROJECT } from "../support/records.ts";

let folder: string;
let root: string;
let home: string;
let store: Store;
let writes: string[];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-index-")));
  root = join(folder, "work");
  home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  store = await filledStore({});
  writes = [];
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A day old, so that its time is believed, unless `age` says otherwise. */
function write(path: string, text: string, { top = root, ageMs = 86_400_000 } = {}): void {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const at = new Date(Date.now() - ageMs);
  utimesSync(file, at, at);
}

/** The store's own table, with a list of what was written to it. */
function watched(files: FileTable): FileTable {
  return {
    list: (project) => files.list(project),
    chunks: (project, path) => files.chunks(project, path),
    counts: (project) => files.counts(project),
    replace: (file: SourceFile, chunks: readonly Chunk[]) => {
      writes.push(`replace ${file.path}`);
      return files.replace(file, chunks);
    },
    remove: (project, path) => {
      writes.push(`remove ${path}`);
      return files.remove(project, path);
    },
    touch: (file) => {
      writes.push(`touch ${file.path}`);
      return files.touch(file);
    },
  };
}

function index(request: Partial<IndexFilesRequest> = {}): Promise<IndexReport> {
  writes = [];
  const deps = { files: watched(store.files), redact: redactPatterns };
  return indexFiles(deps, { project: PROJECT, root, home, maxBytes: 262_144, ...request });
}

describe("indexFiles", () => {
  it("stores the files with their pieces, titles, lines and symbols", async () => {
    write("CLAUDE.md", "# Billing\n\nIntro.\n\n## Tests\n\nRun `npm run test:db` first.\n");
    const report = await index();
    expect(report).toMatchObject({ files: 1, chunks: 2, added: ["CLAUDE.md"], changed: [], removed: [], embedded: 0 });
    expect(await store.files.chunks(PROJECT)).toMatchObject([
      { path: "CLAUDE.md", headings: ["Billing"], startLine: 1, endLine: 3 },
      { headings: ["Billing", "Tests"], startLine: 5, endLine: 7, symbols: expect.arrayContaining(["test:db"]) },
    ]);
  });

  it("writes nothing when nothing has changed", async () => {
    write("CLAUDE.md", "# A\n\nx\n");
    write("docs/a.md", "# B\n\ny\n");
    await index({ globs: ["docs/*.md"] });
    expect(await index({ globs: ["docs/*.md"] })).toMatchObject({ added: [], changed: [], removed: [], files: 2 });
    expect(writes).toEqual([]);
  });

  it("only notes the new time of a file that was written again with the same text", async () => {
    write("CLAUDE.md", "# A\n\nx\n");
    await index();
    write("CLAUDE.md", "# A\n\nx\n", { ageMs: 50_000_000 });
    expect((await index()).changed).toEqual([]);
    expect(writes).toEqual(["touch CLAUDE.md"]);
    await index();
    expect(writes).toEqual([]);
  });

  it("notices a change that kept size and time, if it came right after the file was read", async () => {
    write("CLAUDE.md", "use pnpm", { ageMs: 0 });
    await index();
    const { mtime } = statSync(join(root, "CLAUDE.md"));
    writeFileSync(join(root, "CLAUDE.md"), "use yarn");
    utimesSync(join(root, "CLAUDE.md"), mtime, mtime);
    expect((await index()).changed).toEqual(["CLAUDE.md"]);
    expect(await store.files.chunks(PROJECT)).toMatchObject([{ text: "use yarn" }]);
  });

  it("keeps the id of a piece whose text stays, although its lines move", async () => {
    write("CLAUDE.md", "# A\n\nfirst\n\n# B\n\nsecond\n");
    await index();
    const before = await store.files.chunks(PROJECT);
    write("CLAUDE.md", "# New\n\nahead\n\n# A\n\nfirst changed\n\n# B\n\nsecond\n", { ageMs: 1_000_000 });
    expect((await index()).changed).toEqual(["CLAUDE.md"]);
    const after = await store.files.chunks(PROJECT);
    expect(after.at(-1)).toMatchObject({ id: before.at(-1)?.id, startLine: 9 });
    expect(after.map(({ id }) => id)).not.toContain(before[0]?.id);
  });

  it("gives equal pieces of one file ids of their own", async () => {
    write("CLAUDE.md", "# A\n\nsame\n\n# A\n\nsame\n");
    await index();
    const ids = (await store.files.chunks(PROJECT)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it("lets deleted files leave", async () => {
    write("CLAUDE.md", "x");
    write("AGENTS.md", "y");
    await index();
    rmSync(join(root, "CLAUDE.md"));
    expect(await index()).toMatchObject({ removed: ["CLAUDE.md"], files: 1, chunks: 1 });
  });

  it("keeps everything when the project's folder is gone, as an unplugged disk is", async () => {
    write("CLAUDE.md", "x");
    await index();
    rmSync(root, { recursive: true });
    await expect(index()).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    expect((await store.files.counts(PROJECT)).files).toBe(1);
  });

  it("keeps files in parts of the tree that it had no time to look at", async () => {
    write("a/AGENTS.md", "x");
    write("b/AGENTS.md", "y");
    await index();
    rmSync(join(root, "b"), { recursive: true });
    expect(await index({ bounds: { maxFolders: 1 } })).toMatchObject({ removed: ["b/AGENTS.md"], files: 1 });
  });

  it("notes a change of the hosts that load a file, without reading it again", async () => {
    write("AGENTS.md", "x");
    await index();
    write("CLAUDE.md", "y");
    await index();
    expect(writes).toEqual(["touch AGENTS.md", "replace CLAUDE.md"]);
    const agents = (await store.files.list(PROJECT)).find(({ path }) => path === "AGENTS.md");
    expect(agents?.loadedBy).not.toContain("claude-code");
  });

  it("leaves binary files out and says so, and drops what was text before", async () => {
    write("CLAUDE.md", "text");
    await index();
    write("CLAUDE.md", "bin\0ary", { ageMs: 5_000_000 });
    expect(await index()).toMatchObject({
      files: 0,
      removed: ["CLAUDE.md"],
      skipped: [{ path: "CLAUDE.md", reason: "not text" }],
    });
  });

  it("accepts a file without text, and looks at it once", async () => {
    write("CLAUDE.md", "");
    expect(await index()).toMatchObject({ files: 1, chunks: 0, added: ["CLAUDE.md"] });
    await index();
    expect(writes).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("keeps what it had of a file that it can't read any more", async () => {
    write("CLAUDE.md", "x");
    await index();
    write("CLAUDE.md", "changed", { ageMs: 5_000_000 });
    chmodSync(join(root, "CLAUDE.md"), 0);
    expect(await index()).toMatchObject({ files: 1, removed: [], skipped: [{ path: "CLAUDE.md" }] });
  });

  it("reads the user's tree and writes nothing into it", async () => {
    write("CLAUDE.md", "x");
    await index();
    expect([readdirSync(root), readdirSync(home)]).toEqual([["CLAUDE.md"], []]);
  });

  it("keeps secrets and private spans out of the store, and the lines of everything else", async () => {
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      ...Array(5).fill("c2VjcmV0".repeat(8)),
      "-----END RSA PRIVATE KEY-----",
    ];
    const token = `ghp_${"aB3dE6gH9jK2".repeat(3)}`;
    write(
      "CLAUDE.md",
      ["# A", "", ...key, "", `token: ${token}`, "", "<private>", "salary", "</private>", "", "# B", "", "end"].join(
        "\n",
      ),
    );
    await index();
    const chunks = await store.files.chunks(PROJECT);
    const stored = JSON.stringify(chunks);
    for (const secret of ["c2VjcmV0", token, "salary"]) expect(stored).not.toContain(secret);
    expect(chunks.at(-1)).toMatchObject({ headings: ["B"], startLine: 17, endLine: 19 });
  });

  it("stops between two files when asked", async () => {
    write("CLAUDE.md", "x");
    await expect(index({ signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("takes invisible characters out of what models will read", async () => {
    write("CLAUDE.md", "# A\u200b\n\nrun\u202e this\u{e0041}\n");
    await index();
    expect(await store.files.chunks(PROJECT)).toMatchObject([{ headings: ["A"], text: "# A\n\nrun this" }]);
  });
});

describe("putPieces", () => {
  const put = (pieces: readonly { readonly text: string; readonly startLine?: number }[]) =>
    putPieces({ files: store.files, redact: redactPatterns }, PROJECT, { path: "talk/1", pieces });

  it("files what is cut already, without secrets and without empty pieces", async () => {
    const pieces = [
      { text: "Ana: it is `fct_orders`." },
      { text: " " },
      { text: "AKIAQYLPMN5HHHFPZAM2", startLine: 9 },
    ];
    expect(await put(pieces)).toBe(2);
    const chunks = await store.files.chunks(PROJECT);
    expect(chunks).toMatchObject([
      { path: "put:talk/1", startLine: 1, text: "Ana: it is `fct_orders`.", symbols: ["fct_orders"] },
      { startLine: 9, text: expect.stringMatching(/REDACTED/) },
    ]);
  });

  it("keeps it when the workspace is indexed, until the same path is put without pieces", async () => {
    await put([{ text: "The pangolin job runs at night." }]);
    expect((await index()).removed).toEqual([]);
    expect(await store.files.chunks(PROJECT)).toHaveLength(1);
    expect(await put([])).toBe(0);
    expect(await store.files.chunks(PROJECT)).toEqual([]);
  });
});

describe("cleanSource", () => {
  it("keeps every other line at its number, however many lines a secret took", async () => {
    const text = ["a", "K1", "K2", "K3", "b", "x=K9", "y=K9", "c", "K1", "K2", "d"];
    const redact = (whole: string): string => whole.replace(/K1\n(?:K\d\n)*K\d/g, "[R]").replace(/K\d/g, "[S]");
    expect((await cleanSource(text.join("\n"), redact)).split("\n")).toEqual([
      "a",
      "[R]",
      "",
      "",
      "b",
      "x=[S]",
      "y=[S]",
      "c",
      "[R]",
      "",
      "d",
    ]);
  });

  it("takes out blocks of our own, and leaves what is written about them", async () => {
    const text = 'a\n<arcticmem-memories as_of="x">\n- title\n</arcticmem-memories>\nb `<private>` c </private> d';
    expect((await cleanSource(text, (whole) => whole)).split("\n")).toEqual([
      "a",
      "",
      "",
      "",
      "b `<private>` c </private> d",
    ]);
  });
});
