/**
 * Finds the git repository that a folder belongs to, as git would, from the files alone: checkouts, linked worktrees,
 * submodules and bare repositories.
 */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { configValue, readGitConfig, readSmallFile } from "./git-config.ts";

export interface Repository {
  /** Top folder of this checkout; the repository itself where it is bare. No symbolic links in it. */
  readonly root: string;
  /** Git's folder of this checkout. A linked worktree has its own. */
  readonly gitDir: string;
  /** Git's folder that all worktrees of the repository share; equal to `gitDir` but for linked worktrees. */
  readonly commonDir: string;
}

/**
 * The repository that `start` lies in.
 *
 * A repository at the home folder itself (dotfiles) answers only for the home folder and the dot folders in it: else
 * every loose folder of the user would be one project.
 *
 * @param start - Without symbolic links, see `realFolder`.
 * @param home - The user's home folder, without symbolic links.
 */
export function findRepository(start: string, home?: string): Repository | undefined {
  let folder = start;
  let below = "";
  while (true) {
    const found = repositoryAt(folder);
    const isDotfiles = folder === home && below !== "" && !below.startsWith(".");
    if (found && !isDotfiles) return found;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    below = basename(folder);
    folder = parent;
  }
}

/**
 * A folder without symbolic links in it. Of a folder that is gone (a removed worktree), the part that still exists is
 * resolved and the rest kept.
 */
export function realFolder(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute); // gone or not readable: its parent may still be there
    return parent === absolute ? absolute : join(realFolder(parent), basename(absolute));
  }
}

/** The repository whose top folder `folder` is, or which `folder` is itself. */
export function repositoryAt(folder: string): Repository | undefined {
  const dotGit = join(folder, ".git");
  const kind = kindOf(dotGit);
  if (kind === "folder" && isGitFolder(dotGit)) return describe(folder, realFolder(dotGit));
  if (kind === "file") {
    const target = linkedGitFolder(dotGit);
    if (target !== undefined) return describe(folder, target);
  }
  if (!isGitFolder(folder)) return undefined;
  const insideCheckout = basename(folder) === ".git";
  return describe(insideCheckout ? dirname(folder) : folder, folder);
}

/** The top folders of all checkouts of a repository that are still there, the main one first. */
export function listCheckouts({ commonDir, root }: Repository): string[] {
  const main = mainCheckout(commonDir);
  const linked = namesIn(join(commonDir, "worktrees")).flatMap((name) => {
    const link = readSmallFile(join(commonDir, "worktrees", name, "gitdir"))?.trim();
    return link ? [dirname(resolve(commonDir, "worktrees", name, link))] : [];
  });
  const all = [...(main === undefined ? [] : [main]), root, ...linked.sort()];
  return [...new Set(all.map(realFolder))].filter((folder) => kindOf(join(folder, ".git")) !== "none");
}

/** The folder that a shared git folder was made for: its parent, or what `core.worktree` says (submodules). */
function mainCheckout(commonDir: string): string | undefined {
  if (basename(commonDir) === ".git") return dirname(commonDir);
  const entries = readGitConfig(join(commonDir, "config"));
  const worktree = configValue(entries, { section: "core", key: "worktree" });
  return worktree === undefined ? undefined : resolve(commonDir, worktree);
}

function describe(root: string, gitDir: string): Repository {
  const common = readSmallFile(join(gitDir, "commondir"))?.trim();
  return { root, gitDir, commonDir: common ? realFolder(resolve(gitDir, common)) : gitDir };
}

/** What a `.git` file points to, if that is a git folder. */
function linkedGitFolder(dotGit: string): string | undefined {
  const target = /^gitdir:[ \t]*(.+?)\s*$/m.exec(readSmallFile(dotGit) ?? "")?.[1];
  if (target === undefined) return undefined;
  const folder = isAbsolute(target) ? target : resolve(dirname(dotGit), target);
  return kindOf(join(folder, "HEAD")) === "file" ? realFolder(folder) : undefined;
}

function isGitFolder(folder: string): boolean {
  if (kindOf(join(folder, "HEAD")) !== "file") return false;
  if (kindOf(join(folder, "commondir")) === "file") return true;
  return kindOf(join(folder, "objects")) === "folder" && kindOf(join(folder, "refs")) === "folder";
}

function kindOf(path: string): "file" | "folder" | "none" {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return "folder";
    return found.isFile() ? "file" : "none";
  } catch {
    return "none"; // not there, or closed to us: nothing can be read from it either way
  }
}

/** Names in a folder; none where it is gone or closed to us. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing can be read from it either way
  }
}
