/**
 * Watches the places of tier 1 in a process that lives long, so that a changed rule is indexed before anybody asks. It is
 * a help and never a need: each search looks at the files itself. Where the system has no watches left, or none for this
 * drive, the folders are looked at every few seconds; whatever else goes wrong (a huge folder, a drive that does not answer)
 * ends the watching, says why, and costs nothing else.
 */
import { accessSync, constants, statSync } from "node:fs";
import { type FSWatcher, watch } from "chokidar";
import { messageOf, systemCodeOf } from "../../core/errors.ts";

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
  /** Between two looks where nothing tells of changes; default 3,000. */
  readonly pollMs?: number;
}

export interface FolderWatch {
  readonly folders: number;
  /** Why it no longer watches; null while it does. */
  readonly stopped: string | null;
  /** Why it looks every few seconds instead of being told; null while it is told. */
  readonly polls: string | null;
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
const POLL_MS = 3_000;
/** No watches or handles left, or the drive knows none: looking still works. */
const UNWATCHABLE: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EMFILE",
  "ENFILE",
  "EPERM",
  "EACCES",
  "ENOSYS",
  "ENOTSUP",
]);
/** What tier 1 may consist of: text files, files without an ending, and settings that name others. */
const OF_TIER_ONE = /(?:\.(?:md|mdc|mdx|markdown|txt|rst|adoc|ya?ml|json)|rules|ignore|[/\\][^./\\]+)$/i;

/** Resolves when all folders are watched, or when that has failed. Never rejects. */
export async function watchFiles(options: WatchFilesOptions): Promise<FolderWatch> {
  const watching = new FolderWatching(options);
  watching.add(options.folders);
  await watching.start();
  return watching;
}

class FolderWatching implements FolderWatch {
  stopped: string | null = null;
  polls: string | null = null;
  readonly #options: WatchFilesOptions;
  readonly #watched = new Set<string>();
  readonly #files = new Set<string>();
  readonly #changed: Debounced;
  #watcher: FSWatcher | undefined;

  constructor(options: WatchFilesOptions) {
    this.#options = options;
    this.#changed = debounce(options.onChange, options.settleMs ?? SETTLE_MS);
  }

  get folders(): number {
    return this.#watched.size;
  }

  add(folders: readonly string[]): void {
    const room = (this.#options.maxFolders ?? MAX_FOLDERS) - this.#watched.size;
    const fresh = [...new Set(folders)].filter((folder) => !this.#watched.has(folder) && isFolder(folder));
    const chosen = fresh.slice(0, Math.max(0, room));
    for (const folder of chosen) this.#watched.add(folder);
    if (this.stopped === null && chosen.length > 0) this.#watcher?.add(chosen);
  }

  close(): Promise<void> {
    return this.#stop("closed");
  }

  /** The process is held until `close`: without that, the system's errors about a watch would reach nobody and end it. */
  async start(): Promise<void> {
    const watcher = watch([...this.#watched], {
      depth: 0,
      ignoreInitial: false,
      persistent: true,
      usePolling: this.polls !== null,
      interval: this.#options.pollMs ?? POLL_MS,
      ignored: (path, stats) => stats?.isFile() === true && !OF_TIER_ONE.test(path),
    });
    this.#watcher = watcher;
    let isReady = false;
    watcher.on("all", (event, path) => {
      if (event === "add") this.#files.add(path);
      const { maxFiles = MAX_FILES } = this.#options;
      if (this.#files.size > maxFiles) void this.#stop(`more than ${maxFiles} files`);
      else if (isReady) this.#changed.call();
    });
    const failed = new Promise<void>((resolve) => {
      watcher.on("error", (error) => {
        if (this.#watcher === watcher) void this.#failed(error).then(resolve);
      });
    });
    const late = (): Promise<void> => this.#stop(`not watching after ${READY_MS} ms`);
    await Promise.race([failed, readyOrLate(watcher, late, () => this.stopped !== null)]);
    isReady = true;
  }

  /** Once from being told to looking; a second failure ends it. */
  async #failed(error: unknown): Promise<void> {
    if (this.polls !== null || !UNWATCHABLE.has(systemCodeOf(error))) return this.#stop(messageOf(error));
    this.polls = messageOf(error);
    const before = this.#watcher;
    this.#watcher = undefined;
    await before?.close();
    if (this.stopped !== null) return;
    await this.start();
    this.#changed.call();
  }

  async #stop(reason: string): Promise<void> {
    this.stopped ??= reason;
    this.#changed.cancel();
    await this.#watcher?.close();
  }
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
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
