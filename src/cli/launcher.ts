/**
 * The launcher: the one path that hosts are told. It stands in the data folder, outlives updates of Node and of the
 * package, and finds both again when they have moved. A hook for which nothing is found ends with 0 and says nothing:
 * the host must not notice that a memory was uninstalled.
 */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostName, InstallCommands } from "../hosts/host.ts";

export interface LauncherPlace {
  /** Folder of the launcher; made where it is missing. */
  readonly directory: string;
  readonly platform: NodeJS.Platform;
}

export interface LauncherTargets {
  /** Absolute path of the Node that runs now. */
  readonly node: string;
  /** Absolute path of the installed package's root. */
  readonly packageRoot: string;
}

const SHELL_NAME = "arcticmem-launch";
const SCRIPT_NAME = "arcticmem-launch.cjs";

/** Least Node that the package runs on, as in `engines`. */
const LEAST_NODE = { major: 20, minor: 19 };

/** Writes the launcher, replacing an older one in one step. */
export function writeLauncher({ directory, platform }: LauncherPlace, targets: LauncherTargets): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (platform === "win32") replaceFile(join(directory, SCRIPT_NAME), launcherScript(targets), 0o600);
  else replaceFile(join(directory, SHELL_NAME), shellLauncher(targets), 0o700);
}

/** Takes the launcher away, whichever kind it is. */
export function removeLauncher({ directory }: Pick<LauncherPlace, "directory">): void {
  for (const name of [SHELL_NAME, SCRIPT_NAME]) rmSync(join(directory, name), { force: true });
}

export function isLauncherThere({ directory, platform }: LauncherPlace): boolean {
  return existsSync(join(directory, platform === "win32" ? SCRIPT_NAME : SHELL_NAME));
}

/**
 * What a host is told to run. On Windows it is `node` from the PATH with a script, never a shell: shells flash windows
 * and break paths with spaces.
 */
export function launcherCommands({ directory, platform }: LauncherPlace, host: HostName): InstallCommands {
  const start = platform === "win32" ? ["node", join(directory, SCRIPT_NAME)] : [join(directory, SHELL_NAME)];
  return { hook: [...start, "hook", host], mcp: [...start, "mcp"] };
}

function replaceFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

/** POSIX shell. The recorded Node and package are used as they are; only a missing one is looked for. */
function shellLauncher({ node, packageRoot }: LauncherTargets): string {
  const check = `const [a,b]=process.versions.node.split(".");process.exit(a>${LEAST_NODE.major}||(a==${LEAST_NODE.major}&&b>=${LEAST_NODE.minor})?0:1)`;
  return `#!/bin/sh
# Written by \`arcticmem install\`; \`arcticmem uninstall\` removes it. Finds Node and the package after updates.
node=${shellQuote(node)}
package=${shellQuote(packageRoot)}

if [ "$1" = hook ]; then
  case "\${ARCTICMEM_DISABLE:-}" in "" | 0 | false | no | off) ;; *) exit 0 ;; esac
  script=dist/hooks/run-hook.js command=arcticmem-hook
  shift
else
  script=dist/cli/main.js command=arcticmem
fi

if [ ! -x "$node" ]; then
  node=
  for found in "$(command -v node)" /usr/local/bin/node /opt/homebrew/bin/node /usr/bin/node "$HOME"/.volta/bin/node "$HOME"/.nvm/versions/node/*/bin/node; do
    if [ -x "$found" ] && "$found" -e '${check}' 2>/dev/null; then node=$found && break; fi
  done
fi

if [ "$command" = arcticmem-hook ]; then
  if [ -n "$node" ] && [ -f "$package/$script" ]; then
    "$node" "$package/$script" "$@"
  elif command -v "$command" >/dev/null 2>&1; then
    "$command" "$@"
  fi
  exit 0
fi

if [ -n "$node" ] && [ -f "$package/$script" ]; then exec "$node" "$package/$script" "$@"; fi
if command -v "$command" >/dev/null 2>&1; then exec "$command" "$@"; fi
echo "arcticmem: Node or the package is gone from where it was installed." >&2
echo "hint: npm install --global arcticmem && arcticmem install claude-code" >&2
exit 1
`;
}

/** CommonJS, for hosts that start programs without a shell. Node is already found: the host has started it. */
function launcherScript({ packageRoot }: LauncherTargets): string {
  return `// Written by \`arcticmem install\`; \`arcticmem uninstall\` removes it. Finds the package after updates.
"use strict";
const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");

const isHook = process.argv[2] === "hook";
const [major, minor] = process.versions.node.split(".").map(Number);
const isNewEnough = major > ${LEAST_NODE.major} || (major === ${LEAST_NODE.major} && minor >= ${LEAST_NODE.minor});
const script = isHook ? "dist/hooks/run-hook.js" : "dist/cli/main.js";
const bin = dirname(process.execPath);
const roots = [
  ${JSON.stringify(packageRoot)},
  join(bin, "node_modules", "arcticmem"),
  join(bin, "..", "lib", "node_modules", "arcticmem"),
  join(process.env.APPDATA || bin, "npm", "node_modules", "arcticmem"),
];
const root = isNewEnough ? roots.find((candidate) => existsSync(join(candidate, script))) : undefined;

function giveUp(reason) {
  if (isHook) process.exit(0);
  console.error("arcticmem: " + reason);
  console.error("hint: npm install --global arcticmem && arcticmem install claude-code");
  process.exit(1);
}

if (root === undefined) giveUp("Node is too old, or the package is gone from where it was installed.");
else {
  const path = join(root, script);
  process.argv.splice(1, isHook ? 2 : 1, path);
  import(pathToFileURL(path).href).catch((error) => giveUp(String(error)));
}
`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
