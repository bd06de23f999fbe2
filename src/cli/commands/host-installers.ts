/** The hosts that we can be installed in, and where their launcher stands. */
import { join } from "node:path";
import { Argument } from "commander";
import { homeFolder, resolvePaths } from "../../config/paths.ts";
import { ArcticMemError } from "../../core/errors.ts";
import { claudeCodeInstaller } from "../../hosts/claude-code/install.ts";
import type { HostInstaller, HostName } from "../../hosts/host.ts";
import type { CliContext } from "../context.ts";
import type { LauncherPlace } from "../launcher.ts";

export interface NamedInstaller extends HostInstaller {
  readonly host: HostName;
}

const INSTALLERS: Readonly<Partial<Record<HostName, HostInstaller>>> = { "claude-code": claudeCodeInstaller };

export function hostArgument(): Argument {
  return new Argument("<host>", "agent host").choices(Object.keys(INSTALLERS));
}

/** @throws {ArcticMemError} `USAGE` for a host that we can't be installed in. */
export function installerOf(name: string): NamedInstaller {
  const found = namedInstallers().find(({ host }) => host === name);
  if (found === undefined) throw new ArcticMemError("USAGE", `${name} is no host that ArcticMem can be installed in.`);
  return found;
}

/** The hosts that use the memory now. */
export async function installedHosts(context: CliContext): Promise<HostName[]> {
  const hosts: HostName[] = [];
  for (const installer of namedInstallers()) {
    if (await installer.isInstalled(context.environment)) hosts.push(installer.host);
  }
  return hosts;
}

/** @throws {ArcticMemError} `CONFIG_INVALID` where there is no home folder: hosts keep their settings there. */
export function launcherPlace(context: CliContext): LauncherPlace {
  const environment = { platform: process.platform, variables: context.environment.variables };
  homeFolder(environment);
  return { directory: join(resolvePaths(environment).dataDir, "bin"), platform: process.platform };
}

function namedInstallers(): NamedInstaller[] {
  return Object.entries(INSTALLERS).map(([host, installer]) => ({
    host: host as HostName,
    install: (commands, environment) => installer.install(commands, environment),
    uninstall: (environment) => installer.uninstall(environment),
    isInstalled: (environment) => installer.isInstalled(environment),
  }));
}
