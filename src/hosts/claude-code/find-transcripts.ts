/**
 * Finds the transcripts of a project. The folder's name is made from the directory and can't be turned back into it, so
 * that each file is asked in which directory its session ran.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { firstTextIn } from "../../core/json/json-values.ts";
import type { FoundTranscript, TranscriptFinder } from "../host.ts";
import { claudeLocations } from "./locations.ts";
import { headOf, isAgentFile } from "./subagents.ts";

/** The directory stands in the first records; the second size is for files that begin with a large snapshot. */
const HEAD_BYTES = [16 * 1024, 1024 * 1024] as const;
/** Files that are open at once. */
const BATCH = 16;

export const claudeCodeFinder: TranscriptFinder = {
  async find(roots, environment) {
    const { projects } = claudeLocations(environment);
    const wanted = await spellings(roots);
    const folders = await listFolder(projects);
    const paths = (await Promise.all(folders.map((folder) => transcriptsIn(join(projects, folder))))).flat();
    const found: FoundTranscript[] = [];
    for (let at = 0; at < paths.length; at += BATCH) {
      const batch = await Promise.all(paths.slice(at, at + BATCH).map((path) => look(path, wanted)));
      found.push(...batch.filter((transcript) => transcript !== undefined));
    }
    return found.sort((a, b) => b.modifiedAtMs - a.modifiedAtMs);
  },
};

/** Roots as they were given and with links resolved: a session records either. */
async function spellings(roots: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(
    roots.map(async (root) => [resolve(root), await realpath(root).catch(() => resolve(root))]),
  );
  return [...new Set(all.flat())];
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    // No such folder, or a file in its place: nothing is found there.
    return [];
  }
}

async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await listFolder(folder);
  return names.filter((name) => name.endsWith(".jsonl") && !isAgentFile(name)).map((name) => join(folder, name));
}

async function look(path: string, roots: readonly string[]): Promise<FoundTranscript | undefined> {
  const cwd = await startingDirectory(path);
  if (cwd === undefined || !roots.some((root) => isWithin(cwd, root))) return undefined;
  try {
    const { size, mtimeMs } = await stat(path);
    return { session: basename(path, ".jsonl"), path, bytes: size, modifiedAtMs: mtimeMs };
  } catch {
    // Gone since it was listed.
    return undefined;
  }
}

async function startingDirectory(path: string): Promise<string | undefined> {
  for (const bytes of HEAD_BYTES) {
    const head = await headOf(path, bytes);
    const cwd = firstTextIn(head, "cwd");
    if (cwd !== undefined || head.length < bytes) return cwd;
  }
  return undefined;
}

function isWithin(path: string, root: string): boolean {
  const full = resolve(path);
  return full === root || full.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
