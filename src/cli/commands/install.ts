/** `arcticmem install`: makes an agent host use the memory: hooks and MCP server, through the launcher. */
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type { InstallChange } from "../../hosts/host.ts";
import type { CliContext } from "../context.ts";
import { launcherCommands, writeLauncher } from "../launcher.ts";
import { columns, type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { hostArgument, INSTALLERS, type InstallableHost, launcherPlace } from "./host-installers.ts";

/** What npm calls the folders of packages that it runs without installing them. */
const UNINSTALLED = `${sep}_npx${sep}`;

export function installCommand(context: CliContext): Command {
  return new Command("install")
    .summary("make an agent host use the memory")
    .addArgument(hostArgument())
    .option("--json", "print what was changed as JSON")
    .action(async (host: InstallableHost, options: JsonOption) => {
      const place = launcherPlace(context);
      const packageRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
      writeLauncher(place, { node: process.execPath, packageRoot });
      const changes = await INSTALLERS[host].install(launcherCommands(place, host), context.environment);
      if (options.json === true) writeJson(context, { host, changes });
      else writeLines(context, changeLines(changes));
      if (packageRoot.includes(UNINSTALLED)) {
        tell(
          context,
          "warning: this copy of the package is temporary: `npm install --global arcticmem`, then install again.",
        );
      }
      tell(
        context,
        `Sessions of ${host} that start from now on use the memory. \`arcticmem uninstall ${host}\` takes it back.`,
      );
    });
}

export function changeLines(changes: readonly InstallChange[]): string[] {
  return columns(
    changes.map(({ action, file, backup }) => [action, file, backup === null ? "" : `(before: ${backup})`]),
  );
}
