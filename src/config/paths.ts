/**
 * Where everything of ours lies: by the platform's convention, or all under `ARCTICMEM_HOME`. Also the one switch that
 * turns everything off. Read by every process that we start, so nothing here loads more than `node:path`.
 */
import { posix, sep, win32 } from "node:path";
import { isOn } from "../core/environment/is-on.ts";
import { ArcticMemError } from "../core/errors.ts";

/** What the location of our folders depends on; tests pass their own. */
export interface PathEnvironment {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Absolute paths. None of them needs to exist; see `ensurePrivateFolder`. */
export interface Paths {
  readonly dataDir: string;
  readonly configDir: string;
  readonly stateDir: string;
  /** The SQLite database. */
  readonly store: string;
  /** Downloaded models. */
  readonly models: string;
  readonly configFile: string;
  /** Validated copy of the config, so that hooks need no schema library. */
  readonly configCache: string;
  /** Profiles of the user, which override the bundled ones. */
  readonly profiles: string;
  /** Sessions that wait to be ingested. */
  readonly spool: string;
  readonly log: string;
}

/** Whether `ARCTICMEM_DISABLE` switches everything off: any value but empty, `0`, `false`, `no` and `off`. */
export function isDisabled(variables: PathEnvironment["variables"]): boolean {
  return isOn(variables.ARCTICMEM_DISABLE);
}

/**
 * The folder that this process works in. A shell may stand in one that was removed, a worktree say: its memories are known
 * under its name all the same.
 */
export function workingFolder(variables: PathEnvironment["variables"] = process.env): string {
  try {
    return process.cwd();
  } catch {
    return variables.PWD ?? sep;
  }
}

/**
 * The user's home folder, by `HOME` (`USERPROFILE` on Windows).
 *
 * @throws {ArcticMemError} `CONFIG_INVALID` where it is not set or not absolute.
 */
export function homeFolder({ platform, variables }: PathEnvironment): string {
  const path = platform === "win32" ? win32 : posix;
  const name = platform === "win32" ? "USERPROFILE" : "HOME";
  const home = variables[name];
  if (home !== undefined && path.isAbsolute(home)) return home;
  throw new ArcticMemError("CONFIG_INVALID", `${name} is ${home ? "not an absolute path" : "not set"}.`, {
    hint: `Set ${name} to your home folder, or ARCTICMEM_HOME to a folder for everything that ArcticMem keeps.`,
  });
}

/**
 * All our paths.
 *
 * @throws {ArcticMemError} `CONFIG_INVALID` where `ARCTICMEM_HOME` is relative (hooks start in any folder), where
 *   there is no home folder and no override, or where one of them keeps no files.
 */
export function resolvePaths(environment: PathEnvironment): Paths {
  const { join, isAbsolute } = environment.platform === "win32" ? win32 : posix;
  const override = environment.variables.ARCTICMEM_HOME;
  if (override) {
    if (!isAbsolute(override)) {
      throw new ArcticMemError("CONFIG_INVALID", `ARCTICMEM_HOME is not an absolute path: ${override}`, {
        hint: "Hooks start in any folder: give the full path, without ~.",
      });
    }
    const log = join(override, "arcticmem.log");
    return assemble(
      keepingFiles({ dataDir: override, configDir: override, stateDir: override, log }, environment),
      join,
    );
  }
  return assemble(keepingFiles(conventionalFolders(environment), environment), join);
}

/** Below these the kernel shows itself: Node tries for ever to make a folder there. */
const SHOWN_BY_KERNEL = /^\/+(?:proc|sys)(?:\/|$)/;

function keepingFiles(folders: Folders, { platform }: PathEnvironment): Folders {
  const wrong = Object.values(folders).find((folder) => SHOWN_BY_KERNEL.test(folder));
  if (platform === "win32" || wrong === undefined) return folders;
  throw new ArcticMemError("CONFIG_INVALID", `${wrong} can't hold files.`, {
    hint: "Set ARCTICMEM_HOME (or HOME) to a folder on a disk.",
  });
}

type Folders = Pick<Paths, "dataDir" | "configDir" | "stateDir" | "log">;

function conventionalFolders(environment: PathEnvironment): Folders {
  if (environment.platform === "win32") return windowsFolders(environment);
  if (environment.platform === "darwin") {
    const library = posix.join(homeFolder(environment), "Library");
    const support = posix.join(library, "Application Support", "arcticmem");
    const log = posix.join(library, "Logs", "arcticmem", "arcticmem.log");
    return { dataDir: support, configDir: support, stateDir: support, log };
  }
  return xdgFolders(environment);
}

function windowsFolders(environment: PathEnvironment): Folders {
  const local = environment.variables.LOCALAPPDATA;
  const base = local && win32.isAbsolute(local) ? local : win32.join(homeFolder(environment), "AppData", "Local");
  const folder = win32.join(base, "arcticmem");
  return { dataDir: folder, configDir: folder, stateDir: folder, log: win32.join(folder, "arcticmem.log") };
}

/** XDG Base Directory Specification 0.8: relative values are invalid and ignored. */
function xdgFolders(environment: PathEnvironment): Folders {
  const folder = (name: string, ...fallback: string[]): string => {
    const value = environment.variables[name];
    const base = value && posix.isAbsolute(value) ? value : posix.join(homeFolder(environment), ...fallback);
    return posix.join(base, "arcticmem");
  };
  const stateDir = folder("XDG_STATE_HOME", ".local", "state");
  return {
    dataDir: folder("XDG_DATA_HOME", ".local", "share"),
    configDir: folder("XDG_CONFIG_HOME", ".config"),
    stateDir,
    log: posix.join(stateDir, "arcticmem.log"),
  };
}

function assemble(folders: Folders, join: (...parts: string[]) => string): Paths {
  return {
    ...folders,
    store: join(folders.dataDir, "memory.db"),
    models: join(folders.dataDir, "models"),
    configFile: join(folders.configDir, "config.json"),
    configCache: join(folders.configDir, "config.validated.json"),
    profiles: join(folders.configDir, "profiles"),
    spool: join(folders.stateDir, "spool"),
  };
}
