/**
 * Where agent tools look for what people wrote for them, as data. A row's paths are relative to the project's root or to
 * the home folder; hosts are named as in `hosts/`. A host stands in `loadedBy` only where it is known to put the file
 * into its prompt by itself: what is listed there is not injected a second time.
 */

interface Place {
  /** Hosts that load it at the project's root. */
  readonly loadedBy?: readonly string[];
  /**
   * Wanted although `.gitignore` leaves it out: files that a tool reads for what they are, tracked or not, and that
   * people often keep out of the repository on purpose.
   */
  readonly evenIfIgnored?: boolean;
  /** Hosts that expand `@path` in it. */
  readonly importedBy?: readonly string[];
}

/** A file of this name in any folder of the project. */
export interface NamedPlace extends Place {
  readonly name: string;
  /** Hosts that load it below the root too, when work touches that folder. */
  readonly loadedBelowBy?: readonly string[];
}

/** One file. */
export interface FilePlace extends Place {
  readonly file: string;
}

/** Files with these endings below a folder, at any depth. */
export interface FolderPlace extends Place {
  readonly folder: string;
  readonly endings: readonly string[];
  /** In any folder of the project, not only at its root. */
  readonly anywhere?: boolean;
}

const MARKDOWN = [".md", ".markdown"];
const CLAUDE = { loadedBy: ["claude-code"], evenIfIgnored: true, importedBy: ["claude-code"] } as const;
const OWN = { evenIfIgnored: true } as const;

export const NAMED_PLACES: readonly NamedPlace[] = [
  {
    name: "AGENTS.md",
    loadedBy: ["codex", "cursor", "copilot", "opencode", "cortex"],
    loadedBelowBy: ["cursor"],
    evenIfIgnored: true,
  },
  { name: "AGENTS.override.md", loadedBy: ["codex"], evenIfIgnored: true },
  {
    name: "CLAUDE.md",
    loadedBy: ["claude-code", "copilot"],
    loadedBelowBy: ["claude-code"],
    importedBy: ["claude-code", "copilot"],
    evenIfIgnored: true,
  },
  { name: "CLAUDE.local.md", ...CLAUDE, loadedBelowBy: ["claude-code"] },
  {
    name: "GEMINI.md",
    loadedBy: ["gemini", "copilot"],
    loadedBelowBy: ["gemini"],
    importedBy: ["gemini", "copilot"],
    evenIfIgnored: true,
  },
];

export const FILE_PLACES: readonly FilePlace[] = [
  { file: ".claude/CLAUDE.md", ...CLAUDE },
  { file: ".claude/AGENTS.md", ...OWN },
  { file: ".github/copilot-instructions.md", loadedBy: ["copilot"], ...OWN },
  { file: ".cursorrules", loadedBy: ["cursor"], ...OWN },
  { file: "QWEN.md", ...OWN },
  { file: "QWEN.local.md", ...OWN },
  { file: ".clinerules", ...OWN },
  { file: ".roorules", ...OWN },
  { file: ".windsurfrules", ...OWN },
  { file: ".continuerules", ...OWN },
  { file: ".junie/AGENTS.md", ...OWN },
  { file: ".junie/guidelines.md", ...OWN },
  { file: ".augment-guidelines", ...OWN },
  { file: ".rules", ...OWN },
  { file: ".goosehints", ...OWN },
  { file: "WARP.md", ...OWN },
  { file: "replit.md", ...OWN },
  { file: "RULES.md" },
  { file: "MEMORY.md" },
  { file: "memory-bank/projectbrief.md" },
  { file: "memory-bank/productContext.md" },
  { file: "memory-bank/activeContext.md" },
  { file: "memory-bank/systemPatterns.md" },
  { file: "memory-bank/techContext.md" },
  { file: "memory-bank/progress.md" },
];

export const FOLDER_PLACES: readonly FolderPlace[] = [
  { folder: ".claude/rules", endings: MARKDOWN, loadedBy: ["claude-code"], ...OWN },
  { folder: ".cursor/rules", endings: [".mdc"], loadedBy: ["cursor"], anywhere: true, ...OWN },
  { folder: ".github/instructions", endings: [".instructions.md"], loadedBy: ["copilot"], ...OWN },
  { folder: ".clinerules", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".roo/rules", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".roo/rules-architect", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".roo/rules-ask", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".roo/rules-code", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".roo/rules-debug", endings: [...MARKDOWN, ".txt"], ...OWN },
  { folder: ".kilo/rules", endings: MARKDOWN, ...OWN },
  { folder: ".windsurf/rules", endings: MARKDOWN, ...OWN },
  { folder: ".devin/rules", endings: MARKDOWN, ...OWN },
  { folder: ".continue/rules", endings: MARKDOWN, ...OWN },
  { folder: ".kiro/steering", endings: MARKDOWN, ...OWN },
  { folder: ".augment/rules", endings: MARKDOWN, ...OWN },
  { folder: ".agents/rules", endings: MARKDOWN, ...OWN },
  { folder: ".agents/memories", endings: MARKDOWN },
  { folder: ".amazonq/rules", endings: MARKDOWN, ...OWN },
];

/** Below the home folder. */
export const USER_FILE_PLACES: readonly FilePlace[] = [
  { file: ".claude/CLAUDE.md", ...CLAUDE },
  { file: ".codex/AGENTS.override.md", loadedBy: ["codex"] },
  { file: ".codex/AGENTS.md", loadedBy: ["codex"] },
  { file: ".gemini/GEMINI.md", loadedBy: ["gemini"], importedBy: ["gemini"] },
  { file: ".config/opencode/AGENTS.md", loadedBy: ["opencode"] },
];

export const USER_FOLDER_PLACES: readonly FolderPlace[] = [
  { folder: ".claude/rules", endings: MARKDOWN, loadedBy: ["claude-code"] },
  { folder: "Documents/Cline/Rules", endings: MARKDOWN },
  { folder: ".codeium/windsurf/memories", endings: MARKDOWN },
  { folder: ".continue/rules", endings: MARKDOWN },
];

/** Claude Code's memory of one project: only the index is loaded, and of it the beginning. */
export const CLAUDE_MEMORY_INDEX = "MEMORY.md";

/**
 * Folder of Claude Code's memory of the project that was started in `root`, relative to the home folder. Each
 * character of the path that is no letter or digit becomes a hyphen; longer names end in a hash that only the host
 * knows.
 *
 * @returns undefined where the name would be too long to know.
 */
export function claudeMemoryFolder(root: string): string | undefined {
  const slug = root.replace(/[^A-Za-z0-9]/g, "-");
  return slug.length > 200 ? undefined : `.claude/projects/${slug}/memory`;
}

/** Folders that hold other people's work, or none: never entered. */
export const CLOSED_FOLDERS: ReadonlySet<string> = new Set(
  (
    ".git .hg .svn .jj node_modules bower_components jspm_packages .pnpm-store .yarn .venv venv site-packages " +
    "__pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .gradle .m2 .next .nuxt .svelte-kit .turbo " +
    ".parcel-cache .cache .terraform .serverless .dart_tool Pods DerivedData .arcticmem"
  ).split(" "),
);
