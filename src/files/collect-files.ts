/**
 * Gathers candidates into a list without doubles: each real file once, under its own name even where a link led to it,
 * with all hosts that load it, or a reason why it is left out.
 */
import { realpathSync, type Stats, statSync } from "node:fs";
import { relative, sep } from "node:path";
import { hostsThatLoad } from "./loaded-by.ts";
import { readTextFile } from "./read-text-file.ts";

export interface FoundFile {
  /** Relative to the root with forward slashes; `~/…` below the home folder. */
  readonly path: string;
  readonly absolutePath: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** Hosts that put it into the prompt themselves, sorted. */
  readonly loadedBy: readonly string[];
}

/** A place where a file may be. */
export interface Candidate {
  /** Absolute. */
  readonly file: string;
  readonly loadedBy?: readonly string[];
  /** Hosts that expand the imports in it. */
  readonly importedBy?: readonly string[];
  /** The folder that the real file may not lie outside of. Absent: the root, the home folder. */
  readonly mustLieIn?: string;
}

export interface Importer {
  readonly file: string;
  readonly importedBy: readonly string[];
}

export interface FileCollector {
  /** @returns The real file, where there is one and it is in the list (now or before). */
  add(candidate: Candidate): string | undefined;
  /** Paths found so far. */
  paths(): ReadonlySet<string>;
  importers(): Importer[];
  finish(facts: { readonly claudeLoadsAgents: boolean }): {
    readonly files: FoundFile[];
    readonly skipped: { readonly path: string; readonly reason: string }[];
  };
}

export interface CollectorOptions {
  readonly root: string;
  readonly home: string;
  readonly maxBytes: number;
  readonly isExcluded: (path: string) => boolean;
}

/** More instruction files than this in one project are no instructions any more. */
const MAX_FILES = 2_000;
const TEXT_ENDING = /\.(?:md|mdc|markdown|mdx|txt|rst|adoc)$/i;

interface RealFile {
  /** Without symbolic links. */
  readonly absolutePath: string;
  readonly stats: Stats;
}

interface Entry extends RealFile {
  readonly path: string;
  readonly loadedBy: ReadonlySet<string>;
  readonly importedBy: ReadonlySet<string>;
}

export function createFileCollector(options: CollectorOptions): FileCollector {
  const entries = new Map<string, Entry>();
  const skipped = new Map<string, string>();
  return {
    add(candidate) {
      const file = resolveFile(candidate.file);
      if (file === undefined) return undefined;
      const known = entries.get(file.absolutePath);
      if (known === undefined) {
        if (isLeftOut(candidate.file, options) || isLeftOut(file.absolutePath, options)) return undefined;
        const reason = entries.size >= MAX_FILES ? "too many files" : objection(file, candidate, options);
        if (reason !== undefined) {
          skipped.set(displayPath(candidate.file, options), reason);
          return undefined;
        }
      }
      const path = displayPath(file.absolutePath, options);
      const entry = known ?? { ...file, path, loadedBy: new Set(), importedBy: new Set() };
      entries.set(file.absolutePath, merged(entry, candidate));
      return file.absolutePath;
    },
    paths: () => new Set(Array.from(entries.values(), ({ path }) => path)),
    importers: () =>
      [...entries.values()]
        .filter(({ importedBy }) => importedBy.size > 0)
        .map(({ absolutePath, importedBy }) => ({ file: absolutePath, importedBy: [...importedBy] })),
    finish({ claudeLoadsAgents }) {
      const paths = this.paths();
      const files = Array.from(entries.values(), (entry) => {
        const readHead = (): string => readTextFile(entry.absolutePath) ?? "";
        const loadedBy = hostsThatLoad(entry.path, [...entry.loadedBy], { paths, claudeLoadsAgents, readHead });
        return foundFile(entry, loadedBy);
      });
      files.sort((one, other) => (one.path < other.path ? -1 : 1));
      return { files, skipped: Array.from(skipped, ([path, reason]) => ({ path, reason })) };
    },
  };
}

function foundFile({ path, absolutePath, stats }: Entry, loadedBy: readonly string[]): FoundFile {
  return { path, absolutePath, bytes: stats.size, modifiedAtMs: stats.mtimeMs, loadedBy };
}

function merged(entry: Entry, { loadedBy = [], importedBy = [] }: Candidate): Entry {
  return {
    ...entry,
    loadedBy: new Set([...entry.loadedBy, ...loadedBy]),
    importedBy: new Set([...entry.importedBy, ...importedBy]),
  };
}

function isLeftOut(file: string, options: CollectorOptions): boolean {
  return file !== options.root && liesIn(file, options.root) && options.isExcluded(displayPath(file, options));
}

/** Why a file is left out, if it is. */
function objection(
  { absolutePath, stats }: RealFile,
  { file, mustLieIn }: Candidate,
  { root, maxBytes }: CollectorOptions,
): string | undefined {
  if (!stats.isFile()) return "not a regular file";
  if (stats.size > maxBytes) return `larger than ${maxBytes} bytes`;
  if (mustLieIn !== undefined && !liesIn(absolutePath, mustLieIn)) return "outside the project";
  const isLinkedOut = liesIn(file, root) && !liesIn(absolutePath, root);
  return isLinkedOut && !TEXT_ENDING.test(absolutePath) ? "a link to something that is no text" : undefined;
}

/** Whether a path is the folder's or lies below it. */
export function liesIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function displayPath(path: string, { root, home }: CollectorOptions): string {
  if (liesIn(path, root)) return relative(root, path).replaceAll(sep, "/");
  if (liesIn(path, home)) return `~/${relative(home, path).replaceAll(sep, "/")}`;
  return path.replaceAll(sep, "/");
}

/** The file behind a path; undefined for folders and for what can't be reached. */
function resolveFile(path: string): RealFile | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return undefined;
    return { absolutePath: realpathSync.native(path), stats };
  } catch {
    return undefined; // a loop of links, a name that is too long, a folder closed to us, gone in between
  }
}
