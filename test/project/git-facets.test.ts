import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  branchOf,
  parseLog,
  parseStatus,
  readCheckoutFacets,
  readLastRelease,
  readmeTitle,
} from "../../src/project/git-facets.ts";
import { identifyProject } from "../../src/project/identity.ts";
import { type TemporaryGit, temporaryGit } from "../support/temporary-git.ts";

let temp: TemporaryGit;

beforeEach(() => {
  temp = temporaryGit();
});
afterEach(() => {
  temp[Symbol.dispose]();
});

async function facetsOf(folder: string, timeoutMs = 20_000) {
  const project = await identifyProject({ isAccepted: () => false, home: temp.home }, folder);
  return readCheckoutFacets(project, { timeoutMs, home: temp.home });
}

describe("readCheckoutFacets", () => {
  it("tells branch, changed files (staged first), commits (own first) and what the project calls itself", async () => {
    const root = temp.repository("work", "git@github.com:acme/billing.git");
    temp.git(root, "checkout", "-qb", "feature/refund-retry");
    temp.git(root, "-c", "user.email=bob@acme.test", "commit", "-q", "--allow-empty", "-m", "Bob's work");
    temp.git(root, "config", "user.email", "ada@acme.test");
    temp.write(join(root, "src", "staged file.ts"), "x");
    temp.git(root, "add", ".");
    temp.write(join(root, "README.md"), "# Billing service\n");
    temp.write(join(root, "new ünt.ts"), "x");
    expect(await facetsOf(join(root, "src"))).toEqual({
      facets: {
        branch: "feature/refund-retry",
        changedFiles: ["src/staged file.ts", "README.md", "new ünt.ts"],
        commits: [
          { text: "start", at: expect.any(Date) },
          { text: "Bob's work", at: expect.any(Date) },
        ],
        identity: ["acme/billing", "Billing service"],
      },
      missing: [],
    });
  });

  it("names a worktree's own branch", async () => {
    const root = temp.repository("work");
    temp.git(root, "worktree", "add", "-q", temp.path("tree"), "-b", "topic");
    expect((await facetsOf(temp.path("tree"))).facets.branch).toBe("topic");
  });

  it("has no branch on a detached head", async () => {
    const root = temp.repository("work");
    temp.git(root, "checkout", "-q", "--detach");
    expect(branchOf(join(root, ".git"))).toBeNull();
  });

  it("knows the name alone outside git", async () => {
    mkdirSync(temp.path("notes"));
    const { facets, missing } = await facetsOf(temp.path("notes"));
    expect([facets, missing]).toEqual([{ branch: null, changedFiles: [], commits: [], identity: ["notes"] }, []]);
  });

  it.each([
    ["does not answer in time", "#!/bin/sh\nexec sleep 60\n"],
    ["is broken", "#!/bin/sh\necho half an answer\nexit 3\n"],
    ["is not installed", undefined],
  ])("says what is missing where git %s", async (_case, script) => {
    const root = temp.repository("work");
    if (script !== undefined) chmodSync(temp.write(temp.path("bin", "git"), script), 0o755);
    vi.stubEnv("PATH", `${temp.path("bin")}${script === undefined ? "" : ":/bin:/usr/bin"}`);
    const { facets, missing } = await facetsOf(root, 200).finally(() => vi.unstubAllEnvs());
    expect(missing).toEqual(["changed files", "commits"]);
    expect(facets).toEqual({ branch: "main", changedFiles: [], commits: [], identity: ["work", "Billing"] });
  });

  it("answers in a repository without commits", async () => {
    const root = temp.path("empty");
    mkdirSync(root);
    temp.git(root, "init", "-q");
    temp.write(join(root, "a.ts"), "x");
    expect(await facetsOf(root)).toMatchObject({
      facets: { branch: "main", changedFiles: ["a.ts"] },
      missing: ["commits"],
    });
  });

  it("does not start the program that a repository's config names", async () => {
    const root = temp.repository("work");
    const proof = temp.path("ran");
    temp.git(root, "config", "core.fsmonitor", `touch ${proof}; false`);
    await facetsOf(root);
    expect(() => temp.git(temp.folder, "hash-object", proof)).toThrow();
  });
});

describe("readLastRelease", () => {
  it("is when the newest tag was made, and nothing without tags", async () => {
    const root = temp.repository("work");
    expect(await readLastRelease(root, 20_000)).toBeUndefined();
    temp.git(root, "tag", "v1");
    temp.git(root, "-c", "user.name=A", "-c", "user.email=a@x.test", "tag", "-am", "two", "v2");
    const made = await readLastRelease(root, 20_000);
    expect(made?.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
    expect(await readLastRelease(temp.path("nowhere"), 20_000)).toBeUndefined();
  });
});

describe("parseStatus and parseLog", () => {
  it("take any answer", () => {
    expect(parseStatus("")).toEqual([]);
    expect(parseStatus("R  a\0?? b\0 M c d\0")).toEqual(["a", "b", "c d"]);
    expect(parseLog("", undefined)).toEqual([]);
    expect(parseLog("no separator\0a@x\u001f\0a@x\u001fsoon\u001fsubject\0", "a@x")).toEqual([]);
  });

  it("keep the five commits that count", () => {
    const lines = Array.from({ length: 8 }, (_, at) => `${at < 6 ? "bob" : "Ada"}@x\u001f${at}\u001fcommit ${at}`);
    const commits = parseLog(lines.join("\0"), "ada@x");
    expect(commits.map(({ text }) => text)).toEqual(["commit 6", "commit 7", "commit 0", "commit 1", "commit 2"]);
    expect(commits[0]?.at).toEqual(new Date(6_000));
  });
});

describe("readmeTitle", () => {
  it.each([
    ["README.md", "<p align=center><img src=x></p>\n\n[![ci](a)](b)\n\n# **Billing** `service`\n", "Billing service"],
    ["readme.rst", "=======\nBilling\n=======\n", "Billing"],
    ["README", "Billing, the service\n", "Billing, the service"],
    ["README.md", "\n\n", undefined],
  ])("reads %s", (name, text, title) => {
    temp.write(temp.path("work", name), text);
    expect(readmeTitle(temp.path("work"))).toBe(title);
  });
});
