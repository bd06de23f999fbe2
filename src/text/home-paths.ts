/** Absolute paths name a machine and its user; what is kept names them relative to the project or to `~`. */

/** Characters that end a path, so that `/home/ann` does not rewrite `/home/anna`. */
const BOUNDARY = "(?=[/\\\\\\s\"'`:;,)\\]}>]|\\.(?:\\s|$)|$)";
/** A path does not begin in the middle of another one or of a word. */
const NOT_INSIDE = "(?<![\\w./\\\\-])";

export interface PathRoots {
  readonly home?: string;
  /** The project's root; its paths become relative to it. */
  readonly root?: string;
}

/**
 * Rewrites paths below the project's root to repository-relative ones, and those below the home directory to `~/…`.
 * Both separators and Claude's doubled backslashes in JSON are understood. Idempotent.
 */
export function rewriteHome(text: string, { home, root }: PathRoots): string {
  let result = text;
  if (root !== undefined && isDeep(root)) {
    result = result.replace(pathPattern(root, "(?:[/\\\\]+)"), "").replace(pathPattern(root, BOUNDARY), ".");
  }
  if (home !== undefined && isDeep(home)) result = result.replace(pathPattern(home, BOUNDARY), "~");
  return result;
}

/** `/` and the like would rewrite everything. */
function isDeep(path: string): boolean {
  return path.split(/[/\\]/).filter((part) => part !== "" && !/^[A-Za-z]:$/.test(part)).length > 0;
}

function pathPattern(path: string, end: string): RegExp {
  const parts = path.replace(/[/\\]+$/, "").split(/[/\\]+/);
  return new RegExp(NOT_INSIDE + parts.map(escapePattern).join("[/\\\\]+") + end, "g");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[/\\]Users[/\\][^/\\]+)(?=[/\\]|$)/;

/** The home directory that a path lies in, by the platforms' custom: a transcript may come from another machine. */
export function homeFromPath(path: string): string | undefined {
  return HOME.exec(path)?.[0];
}
