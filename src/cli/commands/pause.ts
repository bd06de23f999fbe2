/** `arcticmem pause` and `resume`: nothing is learned from sessions meanwhile. */
import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson } from "../output.ts";

export function pauseCommand(context: CliContext): Command {
  return new Command("pause")
    .summary("stop learning from sessions, until `resume`")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      await memory.ingest.pause();
      if (options.json === true) writeJson(context, { paused: true });
      else tell(context, "Paused: nothing is learned from sessions until `arcticmem resume`.");
    });
}

export function resumeCommand(context: CliContext): Command {
  return new Command("resume")
    .summary("learn from sessions again")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      await memory.ingest.resume();
      if (options.json === true) writeJson(context, { paused: false });
      else tell(context, "Learning from sessions again.");
    });
}
