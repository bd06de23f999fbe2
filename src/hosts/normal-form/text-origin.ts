/** Whether what a command or a file showed came from the project or from outside. The same for all hosts. */
import { isAbsolute, join, normalize } from "node:path";
import type { TurnOrigin } from "../../core/session.ts";

/** Programs that bring text from elsewhere, at the start of a command or after a separator. */
const FETCHING =
  /(?:^|[;&|(`]|\$\()\s*(?:sudo\s+)?(?:[\w./-]*\/)?(?:curl|wget|gh|glab|http|https|xh|aria2c|lynx|w3m|ftp|sftp|scp|rsync|ssh|nc|(?:npm|pnpm|yarn)\s+(?:view|info|show|search)|pip\s+(?:download|search|index)|git\s+(?:clone|fetch|pull|ls-remote)|docker\s+(?:pull|search)|az|aws|gcloud)(?![\w-])/;
const LOOPBACK = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)\b/;
const ANY_URL = /\bhttps?:\/\/[^\s"']+/g;
const OUR_COMMAND = /(?:^|[;&|]\s*)(?:npx\s+(?:-y\s+)?)?arcticmem\s/;
const SHOWING =
  /(?:^|[;&|(`]|\$\()\s*(?:cat|bat|head|tail|less|more|grep|egrep|rg|ag|sed|awk|jq|strings|xxd|nl|tac|diff)\b[^;&|]*/g;
const PATTERN_FIRST = /^(?:grep|egrep|rg|ag|sed|awk|jq)$/;
const PATH = /^[\w@~.+:\\/-]*[/\\][\w@~.+:\\/-]*$/;
/** Trees of dependencies and of what was built or fetched: they lie in the project and are not of it. */
const FOREIGN_TREE =
  /(?:^|[/\\\s"'=])(?:node_modules|vendor|site-packages|\.venv|venv|third_party|bower_components|\.cargo|\.pnpm|Pods|Downloads)(?:[/\\]|$)/;

/** @param cwd - Directory in which the session started. */
export function commandOrigin(command: string, cwd: string | undefined): TurnOrigin {
  if (OUR_COMMAND.test(command)) return "injected";
  if (FETCHING.test(command) && !onlyLoopback(command)) return "tool_external";
  const shown = (command.match(SHOWING) ?? []).flatMap(shownPaths);
  return shown.some((path) => isForeignPath(path, cwd)) ? "tool_external" : "tool_local";
}

/** What may be a path among the words of a command that shows files; patterns and programs are none. */
function shownPaths(command: string): string[] {
  const [program = "", ...words] = command
    .replace(/^[\s;&|(`$]+/, "")
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["']$/g, ""));
  const plain = words.filter((word) => !word.startsWith("-"));
  return (PATTERN_FIRST.test(program) ? plain.slice(1) : plain).filter((word) => PATH.test(word));
}

function onlyLoopback(command: string): boolean {
  const urls = command.match(ANY_URL) ?? [];
  return urls.length > 0 && urls.every((url) => LOOPBACK.test(url));
}

/** Outside the directory that the session runs in, or in a tree of dependencies. */
export function isForeignPath(path: string, cwd: string | undefined): boolean {
  if (FOREIGN_TREE.test(path)) return true;
  if (cwd === undefined) return false;
  const isHome = path.startsWith("~");
  if (!isHome && !isAbsolute(path) && !/^[A-Za-z]:[/\\]/.test(path) && !path.startsWith("..")) return false;
  if (isHome) return true;
  const full = isAbsolute(path) || /^[A-Za-z]:/.test(path) ? normalize(path) : join(cwd, path);
  const base = normalize(cwd).replace(/[/\\]+$/, "");
  return full !== base && !full.startsWith(`${base}/`) && !full.startsWith(`${base}\\`);
}
