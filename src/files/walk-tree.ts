/**
 * Looks through a project's folders, nearest to the root first, within bounds: a tree of any size costs no more than
 * they allow. In a process that looks again and again, folders whose time has not moved are not read again: of a walk,
 * reading the folders is nine tenths.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { IgnoreRules } from "./ignore-rules.ts";
import { CLOSED_FOLDERS } from "./instruction-places.ts";

export interface WalkBounds {
  readonly maxFolders: number;
  readonly maxDepth: number;
}

/** A folder that was read, with its entries and the ignore rules that hold in it. */
export interface ReadFolder {
  /** Relative to the root with forward slashes; `""` is the root. */
  readonly path: string;
  readonly entries: readonly Dirent[];
  readonly rules: IgnoreRules;
}

export interface Walk {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly bounds: WalkBounds;
  /** Names of the entries that the visitor wants to hear of. Asked only when a folder is read. */
  readonly select: (folder: ReadFolder) => string[];
  /** What earlier walks with the same rules and selection saw. */
  readonly memo?: WalkMemo;
}

export interface WalkMemo {
  readonly folders: Map<string, RememberedFolder>;
}

interface RememberedFolder {
  /** Modification time of the folder; NaN while it is so young that a later change might not show. */
  readonly stamp: number;
  /** Modification time of its `.gitignore`, 0 where it has none. */
  readonly ignoreStamp: number;
  readonly selected: readonly string[];
  /** Folders to enter, relative to the root. */
  readonly children: readonly string[];
}

interface Pending {
  readonly path: string;
  readonly depth: number;
  /** Rules of the folders above; computed only where a folder is read. */
  readonly rules: () => IgnoreRules;
  /** False below a `.gitignore` that has changed. */
  readonly isTrusted: boolean;
}

/** Coarsest time that a file system in use here gives its entries, twice over. */
const YOUNG_MS = 4_000;

/**
 * Visits the folders of a tree that no rule leaves out. Not entered: symbolic links, `CLOSED_FOLDERS`, and folders that
 * are repositories of their own (submodules, nested clones, linked worktrees): those are other projects or other
 * checkouts.
 *
 * @returns How many folders were visited, and whether a bound ended the walk before the tree did.
 */
export function walkTree(
  walk: Walk,
  visit: (path: string, selected: readonly string[]) => void,
): { readonly folders: number; readonly truncated: boolean } {
  const { bounds } = walk;
  const pending: Pending[] = [{ path: "", depth: 0, rules: () => walk.rules, isTrusted: true }];
  let truncated = false;
  let at = 0;
  for (; at < pending.length; at++) {
    const next = pending[at];
    if (next === undefined || at >= bounds.maxFolders) {
      truncated = true;
      break;
    }
    const { folder, below } = look(walk, next);
    visit(next.path, folder.selected);
    if (next.depth >= bounds.maxDepth) truncated ||= folder.children.length > 0;
    else for (const path of folder.children) pending.push({ path, depth: next.depth + 1, ...below });
  }
  return { folders: at, truncated };
}

const NOTHING = { ignoreStamp: 0, selected: [], children: [] } as const;

function look(
  walk: Walk,
  pending: Pending,
): { readonly folder: RememberedFolder; readonly below: Pick<Pending, "rules" | "isTrusted"> } {
  const { path, isTrusted } = pending;
  const stamp = stampOf(join(walk.root, path));
  const rules = once(() => rulesIn(walk.root, pending));
  const known = walk.memo?.folders.get(path);
  if (isTrusted && known?.stamp === stamp && isIgnoreFileAsBefore(walk.root, path, known)) {
    return { folder: known, below: { rules, isTrusted } };
  }
  const isYoung = Date.now() - stamp < YOUNG_MS;
  const folder = { ...readFolder(walk, path, rules), stamp: isYoung ? Number.NaN : stamp };
  walk.memo?.folders.set(path, folder);
  return { folder, below: { rules, isTrusted: isTrusted && known?.ignoreStamp === folder.ignoreStamp } };
}

function isIgnoreFileAsBefore(root: string, path: string, { ignoreStamp }: RememberedFolder): boolean {
  return ignoreStamp === 0 || ignoreStamp === stampOf(join(root, path, ".gitignore"));
}

function readFolder({ root, select }: Walk, path: string, rules: () => IgnoreRules): Omit<RememberedFolder, "stamp"> {
  const entries = entriesOf(join(root, path));
  if (path !== "" && entries.some(({ name }) => name === ".git")) return NOTHING;
  const hasIgnoreFile = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
  const folder = { path, entries, rules: rules() };
  return {
    ignoreStamp: hasIgnoreFile ? stampOf(join(root, path, ".gitignore")) : 0,
    selected: select(folder),
    children: foldersToEnter(folder),
  };
}

function foldersToEnter({ path, entries, rules }: ReadFolder): string[] {
  const children: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || CLOSED_FOLDERS.has(entry.name)) continue;
    const child = path === "" ? entry.name : `${path}/${entry.name}`;
    if (!rules.isIgnored(child, true)) children.push(child);
  }
  return children;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not readable for us, or gone since its parent was read
  }
}

/** The rules that hold in a folder: those above it, and its own. */
function rulesIn(root: string, { path, rules }: Pending): IgnoreRules {
  try {
    return rules().with(path, readFileSync(join(root, path, ".gitignore"), "utf8"));
  } catch {
    return rules(); // it has none, as most folders
  }
}

/** Modification time in milliseconds, 0 for what is not there. */
function stampOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0; // closed to us
  }
}

function once<T>(compute: () => T): () => T {
  let value: { readonly is: T } | undefined;
  return () => {
    value ??= { is: compute() };
    return value.is;
  };
}
