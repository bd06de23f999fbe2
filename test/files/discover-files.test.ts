import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DiscoverRequest, type Discovery, discoverFiles } from "../../src/files/discover-files.ts";
import type { DiscoverMemo } from "../../src/files/search-tree.ts";

let folder: string;
let root: string;
let home: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-files-")));
  root = join(folder, "work");
  home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = "# Title\n\nText.\n", top = root): void {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function discover(request: Partial<DiscoverRequest> = {}): Discovery {
  return discoverFiles({ root, home, maxBytes: 262_144, ...request });
}

const paths = (request: Partial<DiscoverRequest> = {}): string[] => discover(request).files.map(({ path }) => path);
const hostsOf = (path: string): readonly string[] | undefined =>
  discover().files.find((file) => file.path === path)?.loadedBy;

const emptyMemo = (): DiscoverMemo => ({ folders: new Map(), key: "", madeAt: 0 });

describe("discoverFiles", () => {
  it.each([
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    ".claude/rules/deep/style.md",
    "GEMINI.md",
    "RULES.md",
    "MEMORY.md",
    ".cursorrules",
    ".cursor/rules/api/style.mdc",
    ".github/copilot-instructions.md",
    ".github/instructions/api.instructions.md",
    ".clinerules",
    ".clinerules/one.md",
    "memory-bank/progress.md",
    ".windsurf/rules/a.md",
    ".continue/rules/a.md",
    ".kiro/steering/a.md",
    ".junie/guidelines.md",
    ".agents/memories/a.md",
    "packages/api/AGENTS.md",
    "packages/api/CLAUDE.md",
    "packages/api/.cursor/rules/a.mdc",
  ])("finds %s", (path) => {
    write(path);
    expect(paths()).toEqual([path]);
  });

  it("leaves other markdown to the config", () => {
    write("README.md");
    write("docs/adr/0001.md");
    write("docs/draft.md");
    expect(paths()).toEqual([]);
    expect(paths({ globs: ["docs/**/*.md", "!docs/draft.md"] })).toEqual(["docs/adr/0001.md"]);
  });

  it("finds the files of the user, and this project's memory of the host", () => {
    write(".claude/CLAUDE.md", "x", home);
    write(".claude/rules/a.md", "x", home);
    write(".codex/AGENTS.md", "x", home);
    const slug = root.replace(/[^A-Za-z0-9]/g, "-");
    write(`.claude/projects/${slug}/memory/MEMORY.md`, "x", home);
    write(`.claude/projects/${slug}/memory/topic.md`, "x", home);
    write(".claude/projects/-other/memory/MEMORY.md", "x", home);
    expect(paths()).toEqual([
      "~/.claude/CLAUDE.md",
      `~/.claude/projects/${slug}/memory/MEMORY.md`,
      `~/.claude/projects/${slug}/memory/topic.md`,
      "~/.claude/rules/a.md",
      "~/.codex/AGENTS.md",
    ]);
  });

  it("looks where a host keeps its folder by its own variable", () => {
    write("elsewhere/CLAUDE.md", "x", home);
    expect(paths({ hostFolders: { ".claude": join(home, "elsewhere") } })).toEqual(["~/elsewhere/CLAUDE.md"]);
  });

  it("says that the project's folder is gone, rather than that it has no files", () => {
    expect(() => discover({ root: join(folder, "gone") })).toThrow(expect.objectContaining({ code: "FILE_NOT_FOUND" }));
  });
});

describe("discoverFiles and what should be left out", () => {
  it("honours .gitignore in the tree, nested ones and git's own list too", () => {
    write(".gitignore", "/build/\nvendor/*\n!vendor/ours\n");
    write("lib/.gitignore", "out\n");
    write(".git/info/exclude", "private-notes\n");
    for (const place of ["build", "vendor/a", "vendor/ours", "lib/out", "lib/in", "private-notes"])
      write(`${place}/AGENTS.md`);
    expect(paths()).toEqual(["lib/in/AGENTS.md", "vendor/ours/AGENTS.md"]);
  });

  it("takes what tools read although git ignores it, but not shared documents", () => {
    write(".gitignore", "CLAUDE.local.md\n.claude/\nAGENTS.md\n.cursor\nRULES.md\nmemory-bank/\ndocs/secret.md\n");
    for (const path of ["CLAUDE.local.md", ".claude/rules/a.md", "AGENTS.md", ".cursor/rules/a.mdc"]) write(path);
    for (const path of ["RULES.md", "memory-bank/progress.md", "docs/secret.md"]) write(path);
    expect(paths({ globs: ["docs/*.md"] })).toEqual([
      ".claude/rules/a.md",
      ".cursor/rules/a.mdc",
      "AGENTS.md",
      "CLAUDE.local.md",
    ]);
  });

  it("leaves out what the config excludes", () => {
    write("CLAUDE.md");
    write(".claude/rules/a.md");
    write("packages/api/AGENTS.md");
    expect(paths({ exclude: [".claude/rules/", "packages"] })).toEqual(["CLAUDE.md"]);
  });

  it("never enters installed packages, repositories inside, or linked worktrees", () => {
    write("node_modules/x/AGENTS.md");
    write(".venv/lib/AGENTS.md");
    write("modules/sub/.git", "gitdir: ../../.git/modules/sub\n");
    write("modules/sub/AGENTS.md");
    write("clone/.git/HEAD", "ref: x\n");
    write("clone/CLAUDE.md");
    expect(paths({ globs: ["**/*.md"] })).toEqual([]);
  });

  it("names what is too large, and what is no file", () => {
    write("CLAUDE.md", "x".repeat(2000));
    execFileSync("mkfifo", [join(root, "GEMINI.md")]);
    expect(discover({ maxBytes: 1000 }).skipped).toEqual([
      { path: "CLAUDE.md", reason: "larger than 1000 bytes" },
      { path: "GEMINI.md", reason: "not a regular file" },
    ]);
  });

  it("does not walk the home folder, nor what holds it", () => {
    write("a/AGENTS.md", "x", home);
    write("AGENTS.md", "x", home);
    expect(paths({ root: home })).toEqual(["AGENTS.md"]);
    expect(paths({ root: folder })).toEqual([]);
  });

  it("stops at its bounds, the nearest folders first, and says so", () => {
    for (let at = 0; at < 30; at++) write(`m${at}/deep/AGENTS.md`);
    write("m29/AGENTS.md");
    const found = discover({ bounds: { maxFolders: 31 } });
    expect(found.files.map(({ path }) => path)).toEqual(["m29/AGENTS.md"]);
    expect(found).toMatchObject({ truncated: true, skipped: [{ path: ".", reason: expect.stringContaining("31") }] });
  });
});

describe("discoverFiles and symbolic links", () => {
  it("counts a file once, under its own name, with the hosts of both names", () => {
    write("AGENTS.md");
    symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
    expect(paths()).toEqual(["AGENTS.md"]);
    expect(hostsOf("AGENTS.md")).toEqual(["claude-code", "codex", "copilot", "cortex", "cursor", "opencode"]);
  });

  it("ends on loops", () => {
    mkdirSync(join(root, "a"));
    symlinkSync("..", join(root, "a", "up"));
    symlinkSync("CLAUDE.md", join(root, "CLAUDE.md"));
    mkdirSync(join(root, ".claude", "rules"), { recursive: true });
    symlinkSync("..", join(root, ".claude", "rules", "again"));
    write(".claude/rules/a.md");
    expect(paths({ globs: ["**/*.md"] })).toEqual([".claude/rules/a.md"]);
  });

  it("follows links in rule folders, as their hosts do", () => {
    write("shared/style.md", "x", home);
    mkdirSync(join(root, ".claude", "rules"), { recursive: true });
    symlinkSync(join(home, "shared"), join(root, ".claude", "rules", "shared"));
    expect(paths()).toEqual(["~/shared/style.md"]);
  });

  it("takes nothing but text through a link that leads out of the project", () => {
    write(".ssh/id", "key", home);
    symlinkSync(join(home, ".ssh", "id"), join(root, "CLAUDE.md"));
    expect(discover()).toMatchObject({ files: [], skipped: [{ path: "CLAUDE.md" }] });
  });
});

describe("discoverFiles and imports", () => {
  it("follows @path four deep, and no deeper", () => {
    write("CLAUDE.md", "See @docs/one.md for more.\n");
    write("docs/one.md", "@two.md\n");
    write("docs/two.md", "- @./three.md,\n");
    write("docs/three.md", "@../four.md\n");
    write("four.md", "@five.md\n");
    write("five.md");
    expect(paths()).toEqual(["CLAUDE.md", "docs/one.md", "docs/three.md", "docs/two.md", "four.md"]);
    expect(hostsOf("docs/one.md")).toEqual(["claude-code", "copilot"]);
  });

  it("gives a file that was there anyway the hosts that import it, and goes on from there", () => {
    write("CLAUDE.md", "@AGENTS.md\n");
    write("AGENTS.md", "@docs/more.md\n");
    write("docs/more.md");
    expect(hostsOf("AGENTS.md")).toContain("claude-code");
    expect(hostsOf("docs/more.md")).toEqual(["claude-code", "copilot"]);
  });

  it("ends where files import each other", () => {
    write("CLAUDE.md", "@a.md\n");
    write("a.md", "@CLAUDE.md @a.md\n");
    expect(paths()).toEqual(["CLAUDE.md", "a.md"]);
  });

  it("does not carry private files into the index from a project's file", () => {
    write("notes.md", "secret", home);
    write("CLAUDE.md", `@~/notes.md @../home/notes.md @${join(home, "notes.md")}\n`);
    const found = discover();
    expect(found.files.map(({ path }) => path)).toEqual(["CLAUDE.md"]);
    expect(found.skipped).toContainEqual({ path: "~/notes.md", reason: "outside the project" });
  });

  it("lets the user's own file import from the home folder", () => {
    write("notes.md", "x", home);
    write(".claude/CLAUDE.md", "@~/notes.md\n", home);
    expect(paths()).toEqual(["~/.claude/CLAUDE.md", "~/notes.md"]);
  });

  it("reads aider's list of conventions", () => {
    write("CONVENTIONS.md");
    expect(paths()).toEqual([]);
    write(".aider.conf.yml", "model: x\nread:\n  - CONVENTIONS.md # ours\nauto-commits: false\n");
    expect(paths()).toEqual(["CONVENTIONS.md"]);
  });
});

describe("discoverFiles and who loads a file", () => {
  it("has Claude Code read AGENTS.md only where it finds no file of its own", () => {
    write("AGENTS.md");
    write("packages/api/AGENTS.md");
    expect(hostsOf("AGENTS.md")).toContain("claude-code");
    expect(hostsOf("packages/api/AGENTS.md")).toContain("claude-code");
    write("CLAUDE.local.md");
    expect(hostsOf("AGENTS.md")).not.toContain("claude-code");
    expect(hostsOf("packages/api/AGENTS.md")).not.toContain("claude-code");
  });

  it("counts a CLAUDE.md above the project, but not the user's", () => {
    write("AGENTS.md");
    write(".claude/CLAUDE.md", "x", home);
    expect(hostsOf("AGENTS.md")).toContain("claude-code");
    write("CLAUDE.md", "x", folder);
    expect(hostsOf("AGENTS.md")).not.toContain("claude-code");
  });

  it("has Codex read the override instead of the file beside it", () => {
    write("AGENTS.md");
    write("AGENTS.override.md");
    expect(hostsOf("AGENTS.md")).not.toContain("codex");
    expect(hostsOf("AGENTS.override.md")).toEqual(["codex"]);
  });

  it.each([
    ["alwaysApply: true", ["cursor"]],
    ["globs: src/**/*.ts\nalwaysApply: false", ["cursor"]],
    ["globs:\nalwaysApply: false\ndescription: on request", []],
  ])("has Cursor load a rule with %j by %j", (frontMatter, hosts) => {
    write(".cursor/rules/a.mdc", `---\n${frontMatter}\n---\nText.\n`);
    expect(hostsOf(".cursor/rules/a.mdc")).toEqual(hosts);
  });

  it("has Claude Code load the index of its memory and not its topics", () => {
    const memory = `.claude/projects/${root.replace(/[^A-Za-z0-9]/g, "-")}/memory`;
    write(`${memory}/MEMORY.md`, "x", home);
    write(`${memory}/topic.md`, "x", home);
    expect([hostsOf(`~/${memory}/MEMORY.md`), hostsOf(`~/${memory}/topic.md`)]).toEqual([["claude-code"], []]);
  });
});

describe("discoverFiles with a memo", () => {
  const age = (...folders: string[]): void => {
    for (const path of folders) utimesSync(join(root, path), new Date(1e9), new Date(1e9));
  };

  it("reads only folders whose time has moved, and all below a .gitignore that changed", () => {
    const memo = emptyMemo();
    write("a/AGENTS.md");
    write("b/c/x.md");
    write("a/.gitignore", "nothing\n");
    age("a", "b/c", "b", ".");
    expect(paths({ memo })).toEqual(["a/AGENTS.md"]);
    write("b/c/AGENTS.md");
    write("a/deep/AGENTS.md");
    age("a", "a/deep");
    expect(paths({ memo })).toEqual(["a/AGENTS.md", "b/c/AGENTS.md"]);
    utimesSync(join(root, "a"), new Date(2e9), new Date(2e9));
    expect(paths({ memo })).toContain("a/deep/AGENTS.md");
    write("a/.gitignore", "deep\n");
    age("a");
    expect(paths({ memo })).toEqual(["a/AGENTS.md", "b/c/AGENTS.md"]);
    rmSync(join(root, "b", "c", "AGENTS.md"));
    expect(paths({ memo })).toEqual(["a/AGENTS.md"]);
  });

  it("does not trust a folder that has just changed", () => {
    const memo = emptyMemo();
    write("a/x.md");
    discover({ memo });
    write("a/AGENTS.md");
    expect(paths({ memo })).toEqual(["a/AGENTS.md"]);
  });

  it("forgets everything when the patterns change", () => {
    const memo = emptyMemo();
    write("docs/a.md");
    age("docs", ".");
    expect(paths({ memo })).toEqual([]);
    expect(paths({ memo, globs: ["docs/*.md"] })).toEqual(["docs/a.md"]);
    expect(paths({ memo })).toEqual([]);
  });
});
