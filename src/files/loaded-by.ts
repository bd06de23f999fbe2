/** Which host puts a file into its prompt by itself, where that depends on more than the file's place. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLoadedUnasked, readFrontMatter } from "./front-matter.ts";

const CLAUDE_FILES = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];

/**
 * Whether Claude Code reads `AGENTS.md` here: only where no file of its own lies at the root or above it.
 *
 * @param paths - Files found in the project, relative to the root.
 */
export function claudeLoadsAgentsFiles(
  paths: ReadonlySet<string>,
  { root, home }: { readonly root: string; readonly home: string },
): boolean {
  if (CLAUDE_FILES.some((path) => paths.has(path))) return false;
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const own = folder === home ? ["CLAUDE.md", "CLAUDE.local.md"] : CLAUDE_FILES;
    if (own.some((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * The hosts that load the file at `path`, corrected by what stands in the folder and in the file: Codex reads the
 * override instead of `AGENTS.md`, Cursor loads only the rules that say so.
 */
export function hostsThatLoad(
  path: string,
  hosts: readonly string[],
  facts: {
    readonly paths: ReadonlySet<string>;
    readonly claudeLoadsAgents: boolean;
    readonly readHead: () => string;
  },
): string[] {
  const loaded = new Set(hosts);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, path.length - name.length);
  // Those in the folders of other tools are in no list but their own tool's.
  const isShared = name === "AGENTS.md" && (loaded.has("cursor") || path === ".claude/AGENTS.md");
  if (isShared && facts.claudeLoadsAgents) loaded.add("claude-code");
  if (name === "AGENTS.md" && facts.paths.has(`${folder}AGENTS.override.md`)) loaded.delete("codex");
  if (name.endsWith(".mdc") && !isLoadedUnasked(readFrontMatter(facts.readHead()))) loaded.delete("cursor");
  return [...loaded].sort();
}
