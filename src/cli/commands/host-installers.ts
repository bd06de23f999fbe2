/** The hosts that we can be installed in, and where their launcher stands. */
import { join } from "node:path";
import { Argument } from "commander";
import { homeFolder, resolvePaths } from "../../config/paths.ts";
import { claudeCodeInstaller } from "../../hosts/claude-code/install.ts";
import type { HostInstaller, HostName } from "../../hosts/host.ts";
import type { CliContext } from "../context.ts";
import type { LauncherPlace } from "../launcher.ts";

export const INSTALLERS = { "claude-code": claudeCodeInstaller } as const satisfies Partial<
  Record<HostName, HostInstaller>
>;

export type InstallableHost = keyof typeof INSTALLERS;

const HOSTS = Object.keys(INSTALLERS) as InstallableHost[];

export function hostArgument(): Argument {
  return new Argument("<host>", "agent host").choices(HOSTS);
}

/** The hosts that use the memory now. */
export async function installedHosts(context: CliContext): Promise<InstallableHost[]> {
  const hosts: InstallableHost[] = [];
  for (const host of HOSTS) if (await INSTALLERS[host].isInstalled(context.environment)) hosts.push(host);
  return hosts;
}

/** @throws {ArcticMemError} `CONFIG_INVALID` where there is no home folder: hosts keep their settings there. */
export function launcherPlace(context: CliContext): LauncherPlace {
  const environment = { platform: process.platform, variables: context.environment.variables };
  homeFolder(environment);
  return { directory: join(resolvePaths(environment).dataDir, "bin"), platform: process.platform };
}
