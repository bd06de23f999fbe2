/**
 * Finds the files of tier 1: what people wrote for agents in this project, and for agents in all their projects.
 *
 * Two passes. The places that tools look in are probed directly, whatever their `.gitignore` says, since their tools
 * read them too. Then the tree is walked, within bounds and with `.gitignore` honoured, for instruction files in
 * subfolders and for the patterns of the config. Nothing is written, and no file is opened but those that can import
 * others.
 */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ArcticMemError } from "../core/errors.ts";
import { createFileCollector, type FileCollector, type FoundFile, liesIn } from "./collect-files.ts";
import { findAiderReads, findImports, importTarget, MAX_IMPORT_DEPTH } from "./find-imports.ts";
import { createIgnoreRules, createPathMatcher, type IgnoreRules } from "./ignore-rules.ts";
import {
  CLAUDE_MEMORY_INDEX,
  claudeMemoryFolder,
  FILE_PLACES,
  FOLDER_PLACES,
  type FolderPlace,
  NAMED_PLACES,
  USER_FILE_PLACES,
  USER_FOLDER_PLACES,
} from "./instruction-places.ts";
import { claudeLoadsAgentsFiles } from "./loaded-by.ts";
import { readTextFile } from "./read-text-file.ts";
import { type DiscoverMemo, searchTree } from "./search-tree.ts";
import { type ReadFolder, type WalkBounds, walkTree } from "./walk-tree.ts";

export interface DiscoverRequest {
  /** Top folder of the checkout, without symbolic links. */
  readonly root: string;
  /** Default: the home folder of this process. */
  readonly home?: string;
  /** Git's shared folder, for its `info/exclude`. */
  readonly commonDir?: string | null;
  /** Top folders of all checkouts of the project: hosts keep their own memories by folder. Default: `root`. */
  readonly checkouts?: readonly string[];
  /** Patterns of the config: more files to index, and files to leave out. */
  readonly globs?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxBytes: number;
  /** Folders that hosts keep elsewhere than in the home folder, by their usual name: `.claude`, `.codex`. */
  readonly hostFolders?: Readonly<Record<string, string | undefined>>;
  readonly bounds?: Partial<WalkBounds>;
  /** Speeds up a process that looks again and again; see `DiscoverMemo`. */
  readonly memo?: DiscoverMemo;
}

export interface Discovery {
  /** By path. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Folders that the walk opened. */
  readonly folders: number;
  /** A bound ended the walk: files that were not found may still be there. */
  readonly truncated: boolean;
}

/** Ten thousand folders take about a tenth of a second; deeper than 24 lies nothing that people wrote for agents. */
const DEFAULT_BOUNDS: WalkBounds = { maxFolders: 10_000, maxDepth: 24 };
const RULE_BOUNDS: WalkBounds = { maxFolders: 200, maxDepth: 6 };

interface Context {
  readonly request: DiscoverRequest;
  readonly root: string;
  readonly home: string;
  readonly rules: IgnoreRules;
  readonly collector: FileCollector;
}

/**
 * All files of tier 1 of a project.
 *
 * @throws {ArcticMemError} `FILE_NOT_FOUND` where the root is gone: then nothing is known about its files.
 */
export function discoverFiles(request: DiscoverRequest): Discovery {
  const root = existingFolder(request.root);
  if (root === undefined) {
    throw new ArcticMemError("FILE_NOT_FOUND", `The project's folder is not there: ${request.root}`);
  }
  const home = existingFolder(request.home ?? homedir()) ?? request.home ?? homedir();
  const isExcluded = createPathMatcher(request.exclude ?? []);
  const collector = createFileCollector({ root, home, maxBytes: request.maxBytes, isExcluded });
  const context: Context = { request, root, home, rules: treeRules(request, home), collector };
  probeProject(context);
  probeUser(context);
  const walk = isWalkable(context) ? searchProject(context) : { folders: 0, truncated: false };
  addAiderReads(context);
  addImports(context);
  const { files, skipped } = collector.finish({
    claudeLoadsAgents: claudeLoadsAgentsFiles(collector.paths(), context),
  });
  const limit = walk.truncated ? [{ path: ".", reason: `only ${walk.folders} folders were looked through` }] : [];
  return { files, skipped: [...skipped, ...limit], ...walk };
}

function existingFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync.native(path) : undefined;
  } catch {
    return undefined; // gone, or closed to us: the caller decides what that means
  }
}

/** A session that starts in the home folder, or at the top of the disk, is in no project whose tree could be walked. */
function isWalkable({ root, home }: Context): boolean {
  return !liesIn(home, root);
}

function treeRules({ commonDir, root }: DiscoverRequest, home: string): IgnoreRules {
  const lists = [join(home, ".config", "git", "ignore"), join(commonDir ?? join(root, ".git"), "info", "exclude")];
  return createIgnoreRules(lists.map((file) => readTextFile(file)).filter((text) => text !== undefined));
}

function probeProject(context: Context): void {
  const { root, collector } = context;
  const ignoreFile = readTextFile(join(root, ".gitignore"));
  const rules = ignoreFile === undefined ? context.rules : context.rules.with("", ignoreFile);
  const isWanted = (path: string, evenIfIgnored = false): boolean => evenIfIgnored || !rules.isIgnored(path, false);
  for (const place of NAMED_PLACES) collector.add({ ...place, file: join(root, place.name) });
  for (const place of FILE_PLACES) {
    if (isWanted(place.file, place.evenIfIgnored)) collector.add({ ...place, file: join(root, place.file) });
  }
  for (const place of FOLDER_PLACES) {
    if (isWanted(`${place.folder}/x`, place.evenIfIgnored)) collectFolder(context, place, join(root, place.folder));
  }
}

function probeUser(context: Context): void {
  const { collector, request } = context;
  for (const place of USER_FILE_PLACES) collector.add({ ...place, file: userPath(context, place.file) });
  for (const place of USER_FOLDER_PLACES) collectFolder(context, place, userPath(context, place.folder));
  for (const checkout of request.checkouts ?? [request.root]) {
    const folder = claudeMemoryFolder(checkout);
    if (folder === undefined) continue;
    const memory = userPath(context, folder);
    collector.add({ file: join(memory, CLAUDE_MEMORY_INDEX), loadedBy: ["claude-code"] });
    collectFolder(context, { endings: [".md"] }, memory);
  }
}

function userPath({ home, request }: Context, place: string): string {
  const [first = "", ...rest] = place.split("/");
  return join(request.hostFolders?.[first] || join(home, first), ...rest);
}

/** Everything with the right ending below a folder. Links to folders are followed, each real folder once. */
function collectFolder(
  { collector }: Context,
  { endings, loadedBy = [] }: Pick<FolderPlace, "endings" | "loadedBy">,
  top: string,
): void {
  const hasEnding = (name: string): boolean => endings.some((ending) => name.toLowerCase().endsWith(ending));
  const select = ({ entries }: ReadFolder): string[] =>
    entries
      .filter((entry) => entry.isSymbolicLink() || (hasEnding(entry.name) && !entry.isDirectory()))
      .map(({ name }) => name);
  const pending = [top];
  const seen = new Set<string>();
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const root = existingFolder(folder);
    if (root === undefined || seen.has(root) || seen.size >= RULE_BOUNDS.maxFolders) continue;
    seen.add(root);
    walkTree({ root, rules: createIgnoreRules([]), bounds: RULE_BOUNDS, select }, (path, names) => {
      for (const file of names.map((name) => join(root, path, name))) {
        if (hasEnding(file)) collector.add({ file, loadedBy });
        pending.push(file);
      }
    });
  }
}

function searchProject(context: Context): { readonly folders: number; readonly truncated: boolean } {
  const { request, root, rules, collector } = context;
  const bounds = { ...DEFAULT_BOUNDS, ...request.bounds };
  const { globs = [], memo } = request;
  return searchTree({ root, rules, bounds, globs, ...(memo ? { memo } : {}) }, (found) => {
    if ("place" in found) collectFolder(context, found.place, found.folder);
    else collector.add(found);
  });
}

function addAiderReads({ root, home, collector }: Context): void {
  const settings = join(root, ".aider.conf.yml");
  for (const path of findAiderReads(readTextFile(settings) ?? "")) {
    collector.add({ file: importTarget(path, settings, home), mustLieIn: root });
  }
}

/**
 * Follows `@path`. A project's file may pull in what lies in the project, a file of the user what lies in the home
 * folder: an import that came with a clone must not carry private files into the index.
 */
function addImports({ root, home, collector }: Context): void {
  let importers = collector.importers();
  const seen = new Set(importers.map(({ file }) => file));
  for (let depth = 0; depth < MAX_IMPORT_DEPTH; depth++) {
    importers = importers.flatMap(({ file, importedBy }) => {
      const mustLieIn = liesIn(file, root) ? root : home;
      return findImports(readTextFile(file) ?? "").flatMap((path) => {
        const target = importTarget(path, file, home);
        const imported = collector.add({ file: target, loadedBy: importedBy, importedBy, mustLieIn });
        if (imported === undefined || seen.has(imported)) return [];
        seen.add(imported);
        return [{ file: imported, importedBy }];
      });
    });
  }
}
