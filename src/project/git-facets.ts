/**
 * What the checkout says of the work at hand, before anybody has typed a prompt: the branch, changed files, the last
 * commits, what the project calls itself. Each part may be missing; none is waited for longer than a moment.
 */
import { join } from "node:path";
import type { DatedLine, WorkFacets } from "../core/facets.ts";
import { namesIn } from "./find-repository.ts";
import { readSmallFile } from "./git-config.ts";
import { ownEmail, type ProjectIdentity } from "./identity.ts";
import { runGit } from "./run-git.ts";

export type CheckoutFacets = Pick<WorkFacets, "branch" | "changedFiles" | "commits" | "identity">;

export interface FacetOptions {
  /** How long git may take for each answer; all are asked at once. */
  readonly timeoutMs?: number;
  /** Default: the home folder of this process. */
  readonly home?: string;
}

export interface FacetReport {
  readonly facets: CheckoutFacets;
  /** Parts that git did not answer in time, or at all. */
  readonly missing: readonly string[];
}

/** A session start has 150 ms for everything; git that takes longer than this has a cold cache or a huge tree. */
const GIT_TIMEOUT_MS = 100;
const MAX_CHANGED_FILES = 200;
const COMMITS = 5;
/** Among so many, the user's own are looked for first. */
const COMMITS_READ = 20;

/** Never throws. Outside git, only the name and the README's title. */
export async function readCheckoutFacets(
  project: Pick<ProjectIdentity, "root" | "repository" | "name">,
  { timeoutMs = GIT_TIMEOUT_MS, home }: FacetOptions = {},
): Promise<FacetReport> {
  const { root, repository } = project;
  const identity = [project.name, readmeTitle(root)].filter((text) => text !== undefined);
  if (repository === null) {
    return { facets: { branch: null, changedFiles: [], commits: [], identity }, missing: [] };
  }
  const format = "--format=%ae%x1f%at%x1f%s";
  const [status, log] = await Promise.all([
    runGit({
      root,
      timeoutMs,
      args: ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--no-renames", "."],
    }),
    runGit({ root, timeoutMs, args: ["log", "-z", `-n${COMMITS_READ}`, "--no-merges", format] }),
  ]);
  return {
    facets: {
      branch: branchOf(repository.gitDir),
      changedFiles: parseStatus(status ?? ""),
      commits: parseLog(log ?? "", ownEmail(repository, home)),
      identity,
    },
    missing: [status === undefined ? "changed files" : "", log === undefined ? "commits" : ""].filter(Boolean),
  };
}

/** The branch that is checked out; `null` on a detached head and before `HEAD` can be read. */
export function branchOf(gitDir: string): string | null {
  const branch = /^ref: refs\/heads\/(.+?)\s*$/.exec(readSmallFile(join(gitDir, "HEAD")) ?? "")?.[1];
  // Repositories with the reftable format keep this name in the file, and the real one elsewhere.
  return branch === undefined || branch === ".invalid" ? null : branch;
}

/** Paths in git's short status, `-z` form, without renames. Staged ones first. */
export function parseStatus(text: string): string[] {
  const entries = text.split("\0").filter((entry) => entry.length > 3);
  const isStaged = (entry: string): boolean => !" ?!".includes(entry.charAt(0));
  const sorted = [...entries.filter(isStaged), ...entries.filter((entry) => !isStaged(entry))];
  return sorted.map((entry) => entry.slice(3)).slice(0, MAX_CHANGED_FILES);
}

/** Subjects of commits, the user's own first, newest first among each. */
export function parseLog(text: string, own: string | undefined): DatedLine[] {
  const commits = text.split("\0").flatMap((line) => {
    const [email, seconds, subject] = line.split("\u001f");
    const at = new Date(Number(seconds) * 1_000);
    return email === undefined || !subject?.trim() || Number.isNaN(at.getTime())
      ? []
      : [{ isOwn: email.toLowerCase() === own, line: { text: subject.trim(), at } }];
  });
  const sorted = [...commits.filter(({ isOwn }) => isOwn), ...commits.filter(({ isOwn }) => !isOwn)];
  return sorted.slice(0, COMMITS).map(({ line }) => line);
}

/** When the newest tag was made; undefined without one, and where git does not answer in time. */
export async function readLastRelease(root: string, timeoutMs: number = GIT_TIMEOUT_MS): Promise<Date | undefined> {
  const args = ["for-each-ref", "--sort=-creatordate", "--count=1", "--format=%(creatordate:unix)", "refs/tags"];
  const seconds = Number((await runGit({ root, args, timeoutMs })) ?? 0);
  return seconds > 0 ? new Date(seconds * 1_000) : undefined;
}

const README = /^readme(?:\.(?:md|markdown|mdx|rst|txt|adoc))?$/i;
const TITLE_LINES = 40;

/** What the README is headed by. */
export function readmeTitle(root: string): string | undefined {
  const name = namesIn(root)
    .filter((entry) => README.test(entry))
    .sort((one, other) => Number(other.endsWith(".md")) - Number(one.endsWith(".md")))[0];
  const text = name === undefined ? undefined : readSmallFile(join(root, name));
  for (const line of text?.split(/\r?\n/, TITLE_LINES) ?? []) {
    const title = line
      .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/<[^>]*>/g, "")
      .replace(/^\s*(?:#+|=+|\.\.|-{3,})\s*|[*_`]/g, "")
      .trim();
    if (/\p{L}{2}/u.test(title)) return title.slice(0, 120);
  }
  return undefined;
}
