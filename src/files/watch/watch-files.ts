/**
 * Watches the places of tier 1 in a process that lives long, so that a changed rule is indexed before anybody asks. It is
 * a help and never a need: each search looks at the files itself. So whatever goes wrong here (no watches left, a network
 * drive, a huge folder) ends the watching, says why, and costs nothing else.
 */
import { statSync } from "node:fs";
import { watch } from "chokidar";
import { messageOf } from "../../core/errors.ts";

export interface WatchFilesOptions {
  /** Absolute. Each is watched itself, without what lies below its own folders. */
  readonly folders: readonly string[];
  /** Called some time after something has changed, never twice at once. */
  readonly onChange: () => Promise<void>;
  /** Quiet time after the last change; default 300. */
  readonly settleMs?: number;
  /** Default 256. */
  readonly maxFolders?: number;
  /** Files in all folders together; default 2,000. */
  readonly maxFiles?: number;
}

export interface FolderWatch {
  readonly folders: number;
  /** Why it no longer watches; null while it does. */
  readonly stopped: string | null;
  /** Watches these as well, as far as there is room. Those that are gone are passed over. */
  add(folders: readonly string[]): void;
  close(): Promise<void>;
}

const SETTLE_MS = 300;
/** Somebody who writes without pause is answered in between. */
const MOST_SETTLES = 10;
const READY_MS = 10_000;
const MAX_FOLDERS = 256;
const MAX_FILES = 2_000;
/** What tier 1 may consist of: text files, files without an ending, and settings that name others. */
const OF_TIER_ONE = /(?:\.(?:md|mdc|mdx|markdown|txt|rst|adoc|ya?ml|json)|rules|ignore|[/\\][^./\\]+)$/i;

/** Resolves when all folders are watched, or when that has failed. */
export async function watchFiles(options: WatchFilesOptions): Promise<FolderWatch> {
  const { maxFolders = MAX_FOLDERS, maxFiles = MAX_FILES } = options;
  const state: { stopped: string | null; folders: Set<string> } = { stopped: null, folders: new Set() };
  const choose = (folders: readonly string[]): string[] => {
    const fresh = [...new Set(folders)].filter((folder) => !state.folders.has(folder) && isFolder(folder));
    const chosen = fresh.slice(0, Math.max(0, maxFolders - state.folders.size));
    for (const folder of chosen) state.folders.add(folder);
    return chosen;
  };
  const debounced = debounce(options.onChange, options.settleMs ?? SETTLE_MS);
  const files = new Set<string>();
  const watcher = watch(choose(options.folders), {
    depth: 0,
    ignoreInitial: false,
    persistent: false,
    ignorePermissionErrors: true,
    ignored: (path, stats) => stats?.isFile() === true && !OF_TIER_ONE.test(path),
  });
  const stop = async (reason: string): Promise<void> => {
    state.stopped ??= reason;
    debounced.cancel();
    await watcher.close();
  };
  let isReady = false;
  watcher.on("all", (event, path) => {
    if (event === "add") files.add(path);
    if (files.size > maxFiles) void stop(`more than ${maxFiles} files`);
    else if (isReady) debounced.call();
  });
  watcher.on("error", (error) => void stop(messageOf(error)));
  await readyOrLate(
    watcher,
    () => stop(`not watching after ${READY_MS} ms`),
    () => state.stopped !== null,
  );
  isReady = true;
  return {
    get folders() {
      return state.folders.size;
    },
    get stopped() {
      return state.stopped;
    },
    add: (folders) => {
      const fresh = choose(folders);
      if (state.stopped === null && fresh.length > 0) watcher.add(fresh);
    },
    close: () => stop("closed"),
  };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // gone, or closed to us: there is nothing to watch
  }
}

interface Ready {
  once(event: "ready", listener: () => void): unknown;
}

async function readyOrLate(watcher: Ready, late: () => Promise<void>, isStopped: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const started = performance.now();
    const look = setInterval(() => {
      if (isStopped()) finish();
      else if (performance.now() - started > READY_MS) void late().then(finish);
    }, 50);
    const finish = (): void => {
      clearInterval(look);
      resolve();
    };
    watcher.once("ready", finish);
  });
}

interface Debounced {
  call(): void;
  cancel(): void;
}

/** Runs `work` when calls have stopped for a while; what comes while it runs, runs it once more. */
function debounce(work: () => Promise<void>, settleMs: number): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let calls = 0;
  let running = false;
  const run = async (): Promise<void> => {
    calls = 0;
    running = true;
    await work().catch(() => undefined); // the next search looks itself
    running = false;
    if (calls > 0) schedule();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), settleMs);
    timer.unref();
  };
  return {
    call: () => {
      calls += 1;
      if (!running && calls <= MOST_SETTLES) schedule();
    },
    cancel: () => clearTimeout(timer),
  };
}
