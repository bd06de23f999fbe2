import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCheckouts } from "../../src/project/find-repository.ts";
import { identifyProject, ownEmail, type ProjectIdentity } from "../../src/project/identity.ts";
import { type TemporaryGit, temporaryGit } from "../support/temporary-git.ts";

const REMOTE = "git@github.com:acme/billing.git";
let temp: TemporaryGit;

beforeEach(() => {
  temp = temporaryGit();
});
afterEach(() => {
  temp[Symbol.dispose]();
});

function identify(folder: string, isAccepted = (_root: string, _name: string) => false): Promise<ProjectIdentity> {
  return identifyProject({ isAccepted, home: temp.home }, folder);
}

async function idOf(folder: string): Promise<string> {
  return (await identify(folder)).id;
}

describe("identifyProject, with a remote", () => {
  it("is named by the normalised remote, from any folder of the checkout", async () => {
    const root = temp.repository("work", REMOTE);
    mkdirSync(join(root, "src", "deep"), { recursive: true });
    const found = await identify(join(root, "src", "deep"));
    expect(found).toMatchObject({ id: "git:github.com/acme/billing", name: "acme/billing", by: "remote", root });
  });

  it("is the same in two clones, whichever protocol they came by", async () => {
    const one = temp.repository("one", REMOTE);
    const other = temp.repository("other", "https://token@github.com/Acme/billing");
    expect(await idOf(one)).toBe(await idOf(other));
  });

  it("stays when the folder moves", async () => {
    const root = temp.repository("work", REMOTE);
    const before = await idOf(root);
    renameSync(root, temp.path("elsewhere"));
    expect(await idOf(temp.path("elsewhere"))).toBe(before);
  });

  it("prefers origin to the other remotes", async () => {
    const root = temp.repository("work", REMOTE);
    temp.git(root, "remote", "add", "aaa", "https://github.com/other/fork");
    temp.git(root, "remote", "add", "upstream", "https://github.com/main/billing");
    expect(await idOf(root)).toBe("git:github.com/acme/billing");
  });

  it("takes the only remote whatever its name", async () => {
    const root = temp.repository("work");
    temp.git(root, "remote", "add", "gitlab", "https://gitlab.com/acme/billing");
    expect(await idOf(root)).toBe("git:gitlab.com/acme/billing");
  });

  it("takes upstream of several without an origin, on every branch", async () => {
    const root = temp.repository("work");
    temp.git(root, "remote", "add", "backup", "https://github.com/me/backup");
    temp.git(root, "remote", "add", "upstream", "https://github.com/main/billing");
    const before = await idOf(root);
    temp.git(root, "checkout", "-qb", "feature");
    expect([before, await idOf(root)]).toEqual(["git:github.com/main/billing", "git:github.com/main/billing"]);
  });

  it("resolves the short host names that only the user's own files know", async () => {
    temp.write(join(temp.home, ".gitconfig"), '[url "https://github.com/"]\n\tinsteadOf = "gh:"\n');
    temp.write(
      join(temp.home, ".ssh", "config"),
      "Host other\n  HostName x.test\nHost work-hub\n  HostName github.com\n",
    );
    expect(await idOf(temp.repository("one", "gh:acme/billing"))).toBe("git:github.com/acme/billing");
    expect(await idOf(temp.repository("two", "git@work-hub:acme/billing.git"))).toBe("git:github.com/acme/billing");
  });

  it("reads remotes from an included config file", async () => {
    const root = temp.repository("work");
    temp.write(join(root, ".git", "extra"), '[remote "origin"]\n  url = https://github.com/acme/billing # ours\n');
    temp.git(root, "config", "include.path", "extra");
    expect(await idOf(root)).toBe("git:github.com/acme/billing");
  });
});

describe("identifyProject, without a remote", () => {
  it("is named by the shared git folder, not by the folder's name", async () => {
    const one = temp.repository("a/billing");
    const other = temp.repository("b/billing");
    expect(await idOf(one)).toMatch(/^gitdir:[0-9a-f]{20}$/);
    expect(await idOf(one)).not.toBe(await idOf(other));
  });

  it("changes when the folder moves, since nothing else is known", async () => {
    const root = temp.repository("work");
    const before = await idOf(root);
    renameSync(root, temp.path("elsewhere"));
    expect(await idOf(temp.path("elsewhere"))).not.toBe(before);
  });

  it("is shared with clones of the local repository, and with clones of those", async () => {
    const root = temp.repository("work");
    temp.git(temp.folder, "clone", "-q", root, "first");
    temp.git(temp.folder, "clone", "-q", temp.path("first"), "second");
    expect(await idOf(temp.path("first"))).toBe(await idOf(root));
    expect(await idOf(temp.path("second"))).toBe(await idOf(root));
  });

  it("stays for a clone whose local source is gone", async () => {
    const root = temp.repository("work");
    temp.git(temp.folder, "clone", "-q", root, "copy");
    const before = await idOf(temp.path("copy"));
    rmSync(root, { recursive: true });
    expect(await idOf(temp.path("copy"))).toBe(before);
  });

  it("gives a clone of a local mirror the mirror's own remote", async () => {
    const root = temp.repository("work", REMOTE);
    temp.git(temp.folder, "clone", "-q", root, "copy");
    expect(await idOf(temp.path("copy"))).toBe("git:github.com/acme/billing");
  });

  it("ends for two repositories that name each other as origin", async () => {
    const one = temp.repository("one");
    const other = temp.repository("other", one);
    temp.git(one, "remote", "add", "origin", other);
    expect(await idOf(one)).toMatch(/^gitdir:/);
  });

  it("serves a bare repository and its clone", async () => {
    const root = temp.repository("work");
    temp.git(temp.folder, "clone", "-q", "--bare", root, "bare.git");
    temp.git(temp.path("bare.git"), "remote", "remove", "origin");
    temp.git(temp.folder, "clone", "-q", temp.path("bare.git"), "copy");
    const bare = await identify(temp.path("bare.git"));
    expect(bare).toMatchObject({ by: "git-directory", root: temp.path("bare.git") });
    expect(await idOf(temp.path("copy"))).toBe(bare.id);
  });
});

describe("identifyProject, with worktrees and submodules", () => {
  it.each([undefined, REMOTE])("is one project in all linked worktrees (remote: %s)", async (remote) => {
    const root = temp.repository("work", remote);
    temp.git(root, "worktree", "add", "-q", temp.path("tree"), "-b", "feature");
    temp.git(root, "worktree", "add", "-q", join(root, ".trees", "inner"), "-b", "inner");
    const tree = await identify(temp.path("tree"));
    expect(tree.id).toBe(await idOf(root));
    expect(tree.root).toBe(temp.path("tree"));
    expect(await idOf(join(root, ".trees", "inner"))).toBe(tree.id);
    expect(tree.repository && listCheckouts(tree.repository)).toEqual([
      root,
      temp.path("tree"),
      join(root, ".trees", "inner"),
    ]);
  });

  it("finds worktrees of a bare repository", async () => {
    const root = temp.repository("work");
    temp.git(temp.folder, "clone", "-q", "--bare", root, "bare.git");
    temp.git(temp.path("bare.git"), "remote", "remove", "origin");
    temp.git(temp.path("bare.git"), "worktree", "add", "-q", temp.path("tree"), "main");
    expect(await idOf(temp.path("tree"))).toBe(await idOf(temp.path("bare.git")));
  });

  it("files a removed worktree inside the checkout under its project", async () => {
    const root = temp.repository("work");
    expect(await idOf(join(root, ".claude", "worktrees", "gone", "src"))).toBe(await idOf(root));
  });

  it("makes a submodule its own project, the same as a clone of it", async () => {
    const library = temp.repository("library", "https://github.com/acme/library");
    const root = temp.repository("work", REMOTE);
    temp.git(root, "submodule", "--quiet", "add", library, "vendor/library");
    const inner = join(root, "vendor", "library");
    temp.git(inner, "remote", "set-url", "origin", "git@github.com:acme/library.git");
    const found = await identify(inner);
    expect(found).toMatchObject({ id: "git:github.com/acme/library", root: inner });
    expect(found.repository?.gitDir).toBe(join(root, ".git", "modules", "vendor", "library"));
    expect(await idOf(root)).toBe("git:github.com/acme/billing");
  });

  it("keeps a submodule without a remote apart from its superproject", async () => {
    const library = temp.repository("library");
    const root = temp.repository("work");
    temp.git(root, "submodule", "--quiet", "add", library, "library");
    const inner = join(root, "library");
    temp.git(inner, "remote", "remove", "origin");
    expect(await idOf(inner)).toMatch(/^gitdir:/);
    expect(await idOf(inner)).not.toBe(await idOf(root));
  });

  it("finds a submodule's main checkout from a worktree of it", async () => {
    const library = temp.repository("library");
    const root = temp.repository("work");
    temp.git(root, "submodule", "--quiet", "add", library, "library");
    temp.git(join(root, "library"), "worktree", "add", "-q", temp.path("tree"), "-b", "feature");
    const found = await identify(temp.path("tree"));
    expect(found.id).toBe(await idOf(join(root, "library")));
    expect(found.repository && listCheckouts(found.repository)).toEqual([join(root, "library"), temp.path("tree")]);
  });

  it("takes a repository nested in another for a project of its own", async () => {
    const root = temp.repository("work");
    const inner = temp.repository("work/tools/inner");
    expect(await idOf(inner)).not.toBe(await idOf(root));
  });

  it("reads the same project from inside the .git folder", async () => {
    const root = temp.repository("work");
    const found = await identify(join(root, ".git", "hooks"));
    expect(found).toMatchObject({ id: await idOf(root), root });
  });
});

describe("identifyProject, in odd places", () => {
  it("is the same through a symbolic link", async () => {
    const root = temp.repository("work");
    symlinkSync(root, temp.path("link"));
    const found = await identify(temp.path("link"));
    expect(found).toMatchObject({ id: await idOf(root), root });
  });

  it("names a folder outside git by where the session started", async () => {
    mkdirSync(temp.path("notes", "sub"), { recursive: true });
    const notes = await identify(temp.path("notes"));
    expect(notes).toMatchObject({ by: "directory", root: temp.path("notes"), name: "notes" });
    expect(notes.id).toMatch(/^dir:[0-9a-f]{20}$/);
    expect(await idOf(temp.path("notes", "sub"))).not.toBe(notes.id);
  });

  it("passes over a .git that is none", async () => {
    const root = temp.repository("work");
    temp.write(join(root, "a", ".git"), "nonsense");
    mkdirSync(join(root, "b", ".git"), { recursive: true });
    temp.write(join(root, "c", ".git"), "gitdir: ../nowhere\n");
    const ids = await Promise.all(["a", "b", "c"].map((name) => idOf(join(root, name))));
    expect(new Set([...ids, await idOf(root)]).size).toBe(1);
  });

  it("passes over a .git that can't be looked into", async () => {
    const root = temp.repository("work");
    mkdirSync(join(root, "a"));
    symlinkSync(".git", join(root, "a", ".git"));
    expect(await idOf(join(root, "a"))).toBe(await idOf(root));
  });

  it("does not let a dotfiles repository swallow the loose folders of the home folder", async () => {
    temp.git(temp.home, "init", "-q");
    mkdirSync(join(temp.home, "scratch"));
    mkdirSync(join(temp.home, ".config", "editor"), { recursive: true });
    expect((await identify(join(temp.home, "scratch"))).by).toBe("directory");
    expect((await identify(join(temp.home, ".config", "editor"))).root).toBe(temp.home);
    expect((await identify(temp.home)).by).toBe("git-directory");
  });

  it("names a folder that does not exist any more", async () => {
    expect((await identify(temp.path("gone", "for", "good"))).root).toBe(temp.path("gone", "for", "good"));
  });
});

describe("identifyProject, with an override in the checkout", () => {
  const override = (root: string, text: string) => temp.write(join(root, ".arcticmem", "config.json"), text);

  it("waits for the user's word before it honours the name", async () => {
    const root = temp.repository("work", REMOTE);
    override(root, '{ "project": "Acme Billing" }');
    expect(await identify(root)).toMatchObject({
      id: "git:github.com/acme/billing",
      by: "remote",
      pendingOverride: "Acme Billing",
    });
  });

  it("is the project of that name once accepted, from any checkout that asks for it", async () => {
    const one = temp.repository("one", REMOTE);
    const other = temp.repository("other");
    override(one, '{ "project": "Acme Billing" }');
    override(other, '{ "project": "acme billing" }');
    const asked: string[][] = [];
    const accept = (root: string, name: string): boolean => asked.push([root, name]) > 0;
    const found = await identify(one, accept);
    expect(found).toMatchObject({ id: "named:acme billing", by: "override", pendingOverride: null, root: one });
    expect((await identify(other, accept)).id).toBe(found.id);
    expect(asked[0]).toEqual([one, "Acme Billing"]);
  });

  it("applies to all folders below one outside git", async () => {
    mkdirSync(temp.path("notes", "sub"), { recursive: true });
    override(temp.path("notes"), '{ "project": "notes" }');
    expect(await identify(temp.path("notes", "sub"))).toMatchObject({
      pendingOverride: "notes",
      root: temp.path("notes", "sub"),
      overrideRoot: temp.path("notes"),
    });
    const found = await identify(temp.path("notes", "sub"), () => true);
    expect(found).toMatchObject({ id: "named:notes", root: temp.path("notes") });
  });

  it.each([
    "not json",
    "[]",
    '{"project": 7}',
    '{"project": ""}',
    '{"project": "a\\nb"}',
    '{"project": "<x>"}',
    "null",
  ])("ignores %j", async (text) => {
    const root = temp.repository("work", REMOTE);
    override(root, text);
    expect(await identify(root, () => true)).toMatchObject({ by: "remote", pendingOverride: null });
  });
});

describe("ownEmail", () => {
  it("prefers the repository's own setting to the user's", async () => {
    const root = temp.repository("work");
    temp.write(join(temp.home, ".gitconfig"), "[user]\n\temail = home@acme.test\n");
    const { repository } = await identify(root);
    expect(repository && ownEmail(repository, temp.home)).toBe("home@acme.test");
    temp.git(root, "config", "user.email", "Work@acme.test");
    expect(repository && ownEmail(repository, temp.home)).toBe("work@acme.test");
  });
});
