/** What the walk through a project's tree looks for: instruction files of subfolders, and what the config names. */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { Candidate } from "./collect-files.ts";
import { createPathMatcher } from "./ignore-rules.ts";
import { FOLDER_PLACES, type FolderPlace, NAMED_PLACES, type NamedPlace } from "./instruction-places.ts";
import { type ReadFolder, type Walk, type WalkMemo, walkTree } from "./walk-tree.ts";

/** What one process remembers of the folders of one project. */
export interface DiscoverMemo extends WalkMemo {
  key: string;
  madeAt: number;
}

/** Some file systems don't tell by a folder's time that its content changed: everything is read anew so often. */
const MEMO_MS = 15 * 60_000;

export interface TreeSearch extends Pick<Walk, "root" | "rules" | "bounds"> {
  /** Patterns of the config, in the syntax of `.gitignore`. */
  readonly globs: readonly string[];
  readonly memo?: DiscoverMemo;
}

/** A file, or a folder of rules below a subfolder. */
type TreeFind = Candidate | { readonly place: FolderPlace; readonly folder: string };

const NAMES = new Map(NAMED_PLACES.map((place) => [place.name, place]));
const FOLDERS_ANYWHERE = FOLDER_PLACES.filter(({ anywhere }) => anywhere);
const TOPS_ANYWHERE = new Set(FOLDERS_ANYWHERE.map(({ folder }) => folder.slice(0, folder.indexOf("/"))));

/** Reports everything that is found below the root; instruction files of the root itself are the caller's. */
export function searchTree(
  { root, rules, bounds, globs, memo }: TreeSearch,
  report: (found: TreeFind) => void,
): { readonly folders: number; readonly truncated: boolean } {
  if (memo) refreshMemo(memo, { root, globs, rules });
  const select = selector(globs);
  return walkTree({ root, rules, bounds, select, ...(memo ? { memo } : {}) }, (path, names) => {
    const folder = join(root, path);
    for (const name of names) {
      const places = FOLDERS_ANYWHERE.filter((place) => place.folder.startsWith(`${name}/`));
      for (const place of places) report({ place, folder: join(folder, place.folder) });
      if (places.length === 0) report(fileBelow(join(folder, name), NAMES.get(name)));
    }
  });
}

/** Empties a memo that was made for other patterns or has grown old. */
function refreshMemo(memo: DiscoverMemo, { root, globs, rules }: Pick<TreeSearch, "root" | "globs" | "rules">): void {
  const key = JSON.stringify([root, globs, rules.key]);
  if (memo.key === key && Date.now() - memo.madeAt < MEMO_MS) return;
  memo.folders.clear();
  memo.key = key;
  memo.madeAt = Date.now();
}

function selector(globs: readonly string[]): (folder: ReadFolder) => string[] {
  const isListed = createPathMatcher(globs);
  return ({ path, entries, rules }) => {
    const isNested = (entry: Dirent): boolean =>
      path !== "" && (entry.isDirectory() ? TOPS_ANYWHERE.has(entry.name) : NAMES.has(entry.name));
    const isWanted = (entry: Dirent): boolean => {
      if (isNested(entry)) return true;
      if (globs.length === 0 || !entry.isFile()) return false;
      const file = path === "" ? entry.name : `${path}/${entry.name}`;
      return isListed(file) && !rules.isIgnored(file, false);
    };
    return entries.filter(isWanted).map(({ name }) => name);
  };
}

function fileBelow(file: string, place: NamedPlace | undefined): Candidate {
  const loadedBy = place?.loadedBelowBy ?? [];
  return { file, loadedBy, importedBy: (place?.importedBy ?? []).filter((host) => loadedBy.includes(host)) };
}
