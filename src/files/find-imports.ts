/** The files that an instruction file pulls in: `@path`, as Claude Code, Gemini and Copilot write it. */
import { dirname, isAbsolute, join, resolve } from "node:path";

/** As in Claude Code's documentation: an import in an import in an import in an import. */
export const MAX_IMPORT_DEPTH = 4;

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const CODE_SPAN = /(`+)(?:(?!\1)[^\n])*?\1(?!`)/g;
/** Blanks in a path are written `\ `. */
const IMPORT = /(?<=^|\s)@((?:~\/|\.{0,2}\/)?(?:\\ |[^\s`@*<>|"'])+)/g;

/** The paths as written, each once, in their order. Code spans and fences hold none. */
export function findImports(text: string): string[] {
  const found: string[] = [];
  let fence = "";
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence === "" && mark === "") found.push(...importsIn(line));
    else if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
  }
  return [...new Set(found)];
}

function importsIn(line: string): string[] {
  return Array.from(line.replace(CODE_SPAN, " ").matchAll(IMPORT), ([, path = ""]) =>
    path.replace(/[.,;:!?)\]}]+$/, "").replaceAll("\\ ", " "),
  ).filter((path) => path !== "");
}

/** Where an import points, absolute. */
export function importTarget(path: string, importer: string, home: string): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(dirname(importer), path);
}

/**
 * The files that `.aider.conf.yml` has aider read: `read: name`, `read: [a, b]` or a list below. Read by hand, since
 * the one key does not pay for a YAML parser at session start.
 */
export function findAiderReads(yaml: string): string[] {
  const lines = yaml.split(/\r?\n/);
  const at = lines.findIndex((line) => /^read\s*:/.test(line));
  if (at === -1) return [];
  const inline = withoutComment(lines[at]?.replace(/^read\s*:/, "") ?? "");
  if (inline !== "")
    return inline
      .replace(/^\[|\]$/g, "")
      .split(",")
      .map(unquoted)
      .filter(Boolean);
  const items: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push(unquoted(withoutComment(item)));
    else if (withoutComment(line) !== "") break;
  }
  return items.filter(Boolean);
}

function withoutComment(text: string): string {
  return text.replace(/(?:^|\s)#.*$/, "").trim();
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}
