/**
 * The work at hand where git does not tell of it: the notebook that was saved last, the ticket's subject, the research
 * question. The domain's profile says which files and variables to look at; nothing is searched for.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OtherFacet } from "../core/facets.ts";
import type { ProfileFacet } from "../core/profile.ts";
import { readSmallFile } from "./git-config.ts";

export interface FacetPlace {
  /** Folder of the project. */
  readonly root: string;
  /** Of the agent's process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Looking must stay cheap in a folder of any size. */
const MOST_FOLDERS = 40;
const MOST_FILES = 200;
const MOST_LINES = 6;
const MOST_TABLES = 8;
const LINE_CHARACTERS = 160;
const TEXT_CHARACTERS = 600;
const READ_CHARACTERS = 100_000;

/** Never throws; a facet without words is left out. */
export function readProfileFacets(facets: readonly ProfileFacet[], { root, variables }: FacetPlace): OtherFacet[] {
  const needsFiles = facets.some(({ files }) => files.length > 0);
  const names = needsFiles ? namesNear(root) : [];
  return facets.flatMap((facet) => {
    const told = facet.variables.flatMap((name) => variables[name]?.trim() || []);
    const file = newest(root, names.filter(matcher(facet.files)));
    const lines = file === undefined ? [] : linesOf(join(root, file));
    const text = [...told, ...(file === undefined ? [] : [file, ...lines])].join(". ").slice(0, TEXT_CHARACTERS);
    return text === "" ? [] : [{ name: facet.name, weight: facet.weight, text, file: file?.split("/").at(-1) ?? "" }];
  });
}

/** Names of files in the folder and in those directly below it, relative, with forward slashes. */
function namesNear(root: string): string[] {
  const entries = entriesOf(root);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  const below = folders
    .slice(0, MOST_FOLDERS)
    .flatMap(({ name }) => filesAmong(entriesOf(join(root, name))).map((file) => `${name}/${file}`));
  return [...filesAmong(entries), ...below];
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or closed to us
  }
}

const filesAmong = (entries: readonly Dirent[]): string[] =>
  entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const sources = patterns.map((pattern) => pattern.replace(/[^*]/g, "\\$&").replace(/\\(\w)/g, "$1"));
  const whole = new RegExp(`(?:^|/)(?:${sources.map((source) => source.replaceAll("*", "[^/]*")).join("|")})$`, "i");
  return (path) => patterns.length > 0 && whole.test(path);
}

function newest(root: string, names: readonly string[]): string | undefined {
  const dated = names.slice(0, MOST_FILES).map((name) => ({ name, at: modifiedAt(join(root, name)) }));
  return dated.sort((a, b) => b.at - a.at)[0]?.name;
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0; // gone since
  }
}

/** What a text is about: its first lines, and the tables that it asks. */
function linesOf(path: string): string[] {
  const text = (path.endsWith(".ipynb") ? notebookText(readSmallFile(path)) : readSmallFile(path))?.slice(
    0,
    READ_CHARACTERS,
  );
  if (text === undefined) return [];
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^[\s#>*\-/]+/, "").trim());
  const spoken = lines.filter((line) => /\p{L}{3}/u.test(line)).map((line) => line.slice(0, LINE_CHARACTERS));
  const tables = [...text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]\w*(?:\.\w+){0,2})/gi)].map(
    ([, name = ""]) => name,
  );
  return [...spoken.slice(0, MOST_LINES), ...new Set(tables.slice(0, MOST_TABLES))];
}

/** The cells of a notebook, one after the other; undefined for what is none. */
function notebookText(json: string | undefined): string | undefined {
  try {
    const { cells } = JSON.parse(json ?? "") as { cells?: { source?: string | string[] }[] };
    return cells?.map(({ source = "" }) => [source].flat().join("")).join("\n");
  } catch {
    return undefined; // half written, or no notebook
  }
}
