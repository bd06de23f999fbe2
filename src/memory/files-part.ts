/** Tier 1 in step with the workspace: by a whole pass when asked, by a cheap look before a search. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { SourceFile } from "../core/chunk.ts";
import type { FilesPart, FileWatch, Progress, PutFile } from "../core/memory.ts";
import type { IndexReport } from "../core/report.ts";
import type { DiscoverMemo } from "../files/search-tree.ts";
import { lookForConflicts } from "./conflicts/file-conflicts.ts";
import { buildVectors, embedServing } from "./models/build-vectors.ts";
import type { Workbench } from "./workbench.ts";

/** A burst of searches looks at the tree once. */
const LOOK_AGAIN_MS = 500;
/** Texts that are embedded before a search answers; more than that is the worker's, words find them meanwhile. */
const EMBED_BEFORE_SEARCH = 16;
/** Changed passages that are held against the memories before a search answers. */
const CONFLICTS_BEFORE_SEARCH = 32;

export interface FilesDoor extends FilesPart {
  /** Before a search: changed files are read again, a few new pieces embedded. Trouble is left to the search. */
  refresh(): Promise<void>;
  /** Ends all watching. */
  close(): Promise<void>;
}

export function openFilesPart(bench: Workbench): FilesDoor {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const memo: DiscoverMemo = { folders: new Map(), key: "", madeAt: 0 };
  const watches: FileWatch[] = [];
  const index: FilesPart["index"] = async (options = {}) => {
    const report = await indexWorkspace(bench, options);
    await lookForConflicts(bench);
    return report;
  };
  return {
    index,
    watch: async () => {
      const { watchWorkspace } = await import("./watch/watch-workspace.ts");
      const watch = await watchWorkspace(bench, index);
      watches.push(watch);
      return watch;
    },
    put: (put, options) => putFiles(bench, put, options),
    close: async () => {
      await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
    },
    refresh: async () => {
      if (performance.now() - lookedAtMs < LOOK_AGAIN_MS) return;
      lookedAtMs = performance.now();
      const report = await indexWorkspace(bench, { most: EMBED_BEFORE_SEARCH, memo }).catch(() => undefined);
      if (report !== undefined && hasMoved(report)) await lookForConflicts(bench, CONFLICTS_BEFORE_SEARCH);
    },
  };
}

/** The conflicts of what was put are looked for by the next pass over the files. */
async function putFiles(
  bench: Workbench,
  put: readonly PutFile[],
  { embed = true }: { readonly embed?: boolean } = {},
): Promise<number> {
  const [{ putPieces }, { redactPatterns }] = await Promise.all([
    import("../files/index-files.ts"),
    import("../text/redact.ts"),
  ]);
  const { files } = await bench.store();
  const project = await bench.registerProject();
  let kept = 0;
  for (const file of put) kept += await putPieces({ files, redact: redactPatterns }, project, file);
  if (embed) await embedServing(bench);
  return kept;
}

function hasMoved({ added, changed, removed }: IndexReport): boolean {
  return added.length + changed.length + removed.length > 0;
}

interface IndexOptions {
  readonly onProgress?: Progress;
  readonly embed?: boolean;
  readonly signal?: AbortSignal;
  readonly most?: number;
  /** What earlier looks saw of the folders. */
  readonly memo?: DiscoverMemo;
}

async function indexWorkspace(bench: Workbench, options: IndexOptions): Promise<IndexReport> {
  const { onProgress, signal, embed = true, most, memo } = options;
  const { variables } = bench.environment;
  const [{ indexFiles }, { redactPatterns }, { listCheckouts }] = await Promise.all([
    import("../files/index-files.ts"),
    import("../text/redact.ts"),
    import("../project/find-repository.ts"),
  ]);
  const { files: settings } = await bench.config();
  const identity = await bench.identity();
  const store = await bench.store();
  const report = await indexFiles(
    { files: store.files, redact: redactPatterns, now: () => bench.now().getTime() },
    {
      ...settings,
      project: await bench.registerProject(identity),
      root: identity.root,
      home: bench.environment.home,
      hostFolders: { ".claude": variables.CLAUDE_CONFIG_DIR, ".codex": variables.CODEX_HOME },
      commonDir: identity.repository?.commonDir ?? null,
      checkouts: identity.repository === null ? [identity.root] : listCheckouts(identity.repository),
      ...(memo === undefined ? {} : { memo }),
      ...(onProgress === undefined ? {} : { onProgress: (done, total) => onProgress("reading", done, total) }),
    },
  );
  if (!embed) return report;
  const embedded =
    most === undefined ? await buildVectors(bench, { onProgress, signal }) : await embedServing(bench, { most });
  return { ...report, embedded };
}

/** Whether a file that was indexed has moved on or is gone: one `stat` a file. New files are found by a whole pass. */
export async function filesMoved(bench: Workbench, files: readonly SourceFile[]): Promise<boolean> {
  const { root } = await bench.identity();
  const looks = files.map(async ({ path, bytes, modifiedAtMs }) => {
    const place = path.startsWith("~/") ? join(bench.environment.home, path.slice(2)) : join(root, path);
    const found = await stat(place).catch(() => undefined);
    return found === undefined || found.size !== bytes || Math.abs(found.mtimeMs - modifiedAtMs) > 1;
  });
  return (await Promise.all(looks)).some((moved) => moved);
}
