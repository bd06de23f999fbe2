/**
 * Reads git's config files without starting git, which would cost a hook more than everything else it does. Follows
 * `include.path`; conditional includes are left out, since none of what we ask for may depend on them.
 */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** One `key = value` line. Section and key are in lower case, the subsection as written. */
export interface GitConfigEntry {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
  readonly value: string;
}

/** As git's own limit. */
const MAX_INCLUDE_DEPTH = 10;
const MAX_CONFIG_BYTES = 1024 * 1024;

const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const KEY = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s;

/**
 * All entries of a config file and of the files that it includes, in git's order. A file that can't be read counts as
 * empty; a line that git would refuse is passed over.
 */
export function readGitConfig(path: string, depth = 0): GitConfigEntry[] {
  const text = readSmallFile(path);
  if (text === undefined) return [];
  return parseGitConfig(text).flatMap((entry) => {
    const includes = entry.section === "include" && entry.subsection === "" && entry.key === "path";
    if (!includes || depth >= MAX_INCLUDE_DEPTH || entry.value === "") return [entry];
    return readGitConfig(includedPath(entry.value, path), depth + 1);
  });
}

/** The entries of one config text. Total: any text gives a list. */
export function parseGitConfig(text: string): GitConfigEntry[] {
  const entries: GitConfigEntry[] = [];
  let section = "";
  let subsection = "";
  for (const line of joinContinuations(text)) {
    let rest = line.trim();
    const header = SECTION.exec(rest);
    if (header) {
      const [name = "", ...dotted] = (header[1] ?? "").split(".");
      section = name.toLowerCase();
      subsection = header[2]?.replace(/\\(.)/gs, "$1") ?? dotted.join(".").toLowerCase();
      rest = rest.slice(header[0].length).trim();
    }
    const assignment = KEY.exec(rest);
    if (!assignment || section === "") continue;
    const key = (assignment[1] ?? "").toLowerCase();
    const value = assignment[2];
    entries.push({ section, subsection, key, value: value === undefined ? "true" : parseValue(value) });
  }
  return entries;
}

/** The last value of a key, which is the one that counts. */
export function configValue(
  entries: readonly GitConfigEntry[],
  name: { readonly section: string; readonly subsection?: string; readonly key: string },
): string | undefined {
  return entries.findLast(
    (entry) => entry.section === name.section && entry.subsection === (name.subsection ?? "") && entry.key === name.key,
  )?.value;
}

/** Git's config files of the user, which all repositories share. */
export function userConfigFiles(home: string): string[] {
  return [join(home, ".gitconfig"), join(home, ".config", "git", "config")];
}

/** Content of a file of at most 1 MB; undefined where it is not there, not readable, larger, or a pipe that would hang us. */
export function readSmallFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_CONFIG_BYTES) return undefined;
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch {
    return undefined; // absent and unreadable are the same here: nothing is known
  }
}

function includedPath(value: string, from: string): string {
  if (value.startsWith("~/")) return join(homedir(), value.slice(2));
  return isAbsolute(value) ? value : resolve(dirname(from), value);
}

/** A line that ends in an odd number of backslashes goes on in the next. */
function joinContinuations(text: string): string[] {
  const lines: string[] = [];
  let open = "";
  for (const line of text.split(/\r?\n/)) {
    const slashes = /\\*$/.exec(line)?.[0].length ?? 0;
    if (slashes % 2 === 1 && !/^\s*[#;]/.test(open + line)) {
      open += line.slice(0, -1);
    } else {
      lines.push(open + line);
      open = "";
    }
  }
  return open === "" ? lines : [...lines, open];
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Takes quotes, escapes and comments out of a value. */
function parseValue(text: string): string {
  let value = "";
  let quoted = false;
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (character === "\\") {
      at++;
      value += ESCAPES[text.charAt(at)] ?? text.charAt(at);
      kept = value.length;
    } else if (!quoted && (character === "#" || character === ";")) {
      break;
    } else {
      value += character;
      if (quoted || character.trim() !== "") kept = value.length;
    }
  }
  return value.slice(0, kept);
}
