/**
 * Which project is this? Memories are filed under the answer, so it must be the same from every worktree and clone,
 * after a move, on every host, and must never be shared by two projects that merely have the same folder name.
 *
 * In order: the name in `.arcticmem/config.json`, once accepted; the normalised remote; the repository's shared git
 * folder; the folder in which the session started. Reads a handful of files and starts no process.
 */
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { sha256 } from "../core/hash.ts";
import { type ProjectId, projectId } from "../core/ids.ts";
import { findRepository, type Repository, realFolder, repositoryAt } from "./find-repository.ts";
import { configValue, type GitConfigEntry, readGitConfig, userConfigFiles } from "./git-config.ts";
import { nearestOverride, overrideAt, type ProjectOverride } from "./override.ts";
import { localRemotePath, normaliseRemote, remoteLabel } from "./remote.ts";
import { resolveAlias } from "./remote-alias.ts";

export interface ProjectIdentity {
  /** `named:<name>`, `git:host/owner/name`, `gitdir:<hash>` or `dir:<hash>`. */
  readonly id: ProjectId;
  /** What people call it; never part of the id unless by override. */
  readonly name: string;
  /** Top folder of the checkout, or the start folder outside git. No symbolic links in it. */
  readonly root: string;
  /** `host/owner/name`. */
  readonly remote: string | null;
  readonly by: "override" | "remote" | "git-directory" | "directory";
  /** The name that the checkout asks for and that the user has not accepted. */
  readonly pendingOverride: string | null;
  /** Folder that holds the override, accepted or not: outside git it may lie above the start folder. */
  readonly overrideRoot: string | null;
  readonly repository: Repository | null;
}

export interface IdentifyProjectDeps {
  /** Whether the user accepted that the checkout at `root` names itself so. Asked only where a checkout does. */
  readonly isAccepted: (root: string, name: string) => boolean | Promise<boolean>;
  /** Default: the home folder of this process. */
  readonly home?: string;
}

/** Local clones of local clones: how far the chain to the first repository is followed. */
const MAX_LOCAL_HOPS = 4;
const HASH_DIGITS = 20;

/** The project that work in `folder` belongs to. The folder need not exist any more. Never throws. */
export async function identifyProject(deps: IdentifyProjectDeps, folder: string): Promise<ProjectIdentity> {
  const home = realFolder(deps.home ?? homedir());
  const start = realFolder(folder);
  const repository = findRepository(start, home);
  const found = repository ? repositoryIdentity(repository, home) : folderIdentity(start);
  const override = repository ? overrideAt(repository.root) : nearestOverride(start, home);
  if (!override) return found;
  const accepted = await deps.isAccepted(override.root, override.name);
  return accepted
    ? overridden(found, override)
    : { ...found, pendingOverride: override.name, overrideRoot: override.root };
}

/** The id of a project by a name that the user gave: the same in any case. */
function namedProjectId(name: string): ProjectId {
  return projectId(`named:${name.normalize("NFC").toLowerCase()}`);
}

/** The id of a folder outside git. */
export function folderProjectId(folder: string): ProjectId {
  return projectId(`dir:${hashOf(realFolder(folder))}`);
}

/** What a checkout was called before it had a remote, and before it was git's. */
export function pathProjectIds({ root, repository }: ProjectIdentity): ProjectId[] {
  if (repository === null) return [];
  return [folderProjectId(root), projectId(`gitdir:${hashOf(repositoryPath(repository.commonDir))}`)];
}

function overridden(found: ProjectIdentity, { name, root }: ProjectOverride): ProjectIdentity {
  return { ...found, id: namedProjectId(name), name, root, by: "override", overrideRoot: root };
}

function folderIdentity(start: string): ProjectIdentity {
  return {
    id: folderProjectId(start),
    name: basename(start) || start,
    root: start,
    remote: null,
    by: "directory",
    pendingOverride: null,
    overrideRoot: null,
    repository: null,
  };
}

function repositoryIdentity(repository: Repository, home: string): ProjectIdentity {
  const origin = traceOrigin(repository.commonDir, { home, hops: MAX_LOCAL_HOPS });
  const common = { root: repository.root, pendingOverride: null, overrideRoot: null, repository };
  if ("remote" in origin) {
    const { remote } = origin;
    return { ...common, id: projectId(`git:${remote}`), name: remoteLabel(remote), remote, by: "remote" };
  }
  return {
    ...common,
    id: projectId(`gitdir:${hashOf(origin.path)}`),
    name: basename(origin.path) || basename(repository.root),
    remote: null,
    by: "git-directory",
  };
}

/** Where a repository comes from: a remote, or the place on this machine at which the chain of clones begins. */
type Origin = { readonly remote: string } | { readonly path: string };

interface Trace {
  readonly home: string;
  /** Local clones that may still be followed. */
  readonly hops: number;
}

/** A clone of a local repository is the same project as that one: the local remote is followed to its own origin. */
function traceOrigin(commonDir: string, { home, hops }: Trace): Origin {
  const here = { path: repositoryPath(commonDir) };
  const url = remoteUrl(readGitConfig(join(commonDir, "config")), home);
  if (url === undefined) return here;
  const local = localRemotePath(url);
  if (local === undefined) {
    const remote = normaliseRemote(url);
    return remote === undefined ? here : { remote };
  }
  const target = realFolder(local.startsWith("~/") ? join(home, local.slice(2)) : resolve(here.path, local));
  if (target === here.path || hops === 0) return here;
  const source = repositoryAt(target) ?? repositoryAt(`${target}.git`);
  return source ? traceOrigin(source.commonDir, { home, hops: hops - 1 }) : { path: repositoryPath(target) };
}

/**
 * The address of the remote that names the project: `origin`; else the only one; else `upstream`; else the first by
 * name. The branch that is checked out has no say, or the project would change with it. A fork is its own project.
 */
function remoteUrl(entries: readonly GitConfigEntry[], home: string): string | undefined {
  const named = entries.filter(({ section, key, value }) => section === "remote" && key === "url" && value !== "");
  const names = [...new Set(named.map(({ subsection }) => subsection))].sort();
  const name = ["origin", "upstream"].find((preferred) => names.includes(preferred)) ?? names[0];
  const url = named.find(({ subsection }) => subsection === name)?.value;
  return url === undefined ? undefined : resolveAlias(url, entries, home);
}

/** A git folder by the path that a clone would name: without the `.git` that a checkout adds. */
function repositoryPath(gitFolder: string): string {
  return basename(gitFolder) === ".git" ? dirname(gitFolder) : gitFolder;
}

function hashOf(path: string): string {
  const normal = process.platform === "win32" ? path.replaceAll("\\", "/").toLowerCase() : path;
  return sha256(normal).slice(0, HASH_DIGITS);
}

/** The address that the user commits under, in lower case: by it, own commits are told from others'. */
export function ownEmail(repository: Repository, home: string = homedir()): string | undefined {
  for (const file of [join(repository.commonDir, "config"), ...userConfigFiles(home)]) {
    const email = configValue(readGitConfig(file), { section: "user", key: "email" });
    if (email) return email.toLowerCase();
  }
  return undefined;
}
