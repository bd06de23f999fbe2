/** `arcticmem uninstall`: takes back exactly what `install` wrote; memories stay. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { removeLauncher } from "../launcher.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { hostArgument, INSTALLERS, type InstallableHost, installedHosts, launcherPlace } from "./host-installers.ts";
import { changeLines } from "./install.ts";

export function uninstallCommand(context: CliContext): Command {
  return new Command("uninstall")
    .summary("take the memory out of an agent host")
    .addArgument(hostArgument())
    .option("--json", "print what was changed as JSON")
    .action(async (host: InstallableHost, options: JsonOption) => {
      const place = launcherPlace(context);
      const changes = await INSTALLERS[host].uninstall(context.environment);
      if ((await installedHosts(context)).length === 0) removeLauncher(place);
      if (options.json === true) writeJson(context, { host, changes });
      else writeLines(context, changeLines(changes));
      tell(context, "Memories are kept; `arcticmem purge` deletes them.");
    });
}
