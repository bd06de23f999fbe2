/**
 * Every command, in the order of the help, with the module that holds it. Modules are loaded one at a time, when their
 * command is asked for: a start must not pay for thirty commands.
 */
import type { Command } from "commander";
import type { CliContext } from "./context.ts";

export type MakeCommand = (context: CliContext) => Command;

export interface CommandEntry {
  readonly name: string;
  /** Heading in the help. */
  readonly group: string;
  readonly load: () => Promise<MakeCommand>;
}

const SETUP = "Set up:";
const LEARN = "Learn:";
const FIND = "Find:";
const KEEP = "Keep in order:";
const LOOK = "Look inside:";

export const COMMANDS: readonly CommandEntry[] = [
  { name: "init", group: SETUP, load: async () => (await import("./commands/init.ts")).initCommand },
  { name: "install", group: SETUP, load: async () => (await import("./commands/install.ts")).installCommand },
  { name: "uninstall", group: SETUP, load: async () => (await import("./commands/uninstall.ts")).uninstallCommand },
  { name: "config", group: SETUP, load: async () => (await import("./commands/config.ts")).configCommand },
  { name: "model", group: SETUP, load: async () => (await import("./commands/model.ts")).modelCommand },
  { name: "calibrate", group: SETUP, load: async () => (await import("./commands/calibrate.ts")).calibrateCommand },
  { name: "project", group: SETUP, load: async () => (await import("./commands/project.ts")).projectCommand },

  { name: "index", group: LEARN, load: async () => (await import("./commands/index-files.ts")).indexCommand },
  { name: "ingest", group: LEARN, load: async () => (await import("./commands/ingest.ts")).ingestCommand },
  { name: "add", group: LEARN, load: async () => (await import("./commands/add.ts")).addCommand },
  { name: "work", group: LEARN, load: async () => (await import("./commands/work.ts")).workCommand },
  { name: "pause", group: LEARN, load: async () => (await import("./commands/pause.ts")).pauseCommand },
  { name: "resume", group: LEARN, load: async () => (await import("./commands/pause.ts")).resumeCommand },

  { name: "search", group: FIND, load: async () => (await import("./commands/search.ts")).searchCommand },
  { name: "list", group: FIND, load: async () => (await import("./commands/list.ts")).listCommand },
  { name: "show", group: FIND, load: async () => (await import("./commands/show.ts")).showCommand },
  { name: "mcp", group: FIND, load: async () => (await import("./commands/mcp.ts")).mcpCommand },

  { name: "edit", group: KEEP, load: async () => (await import("./commands/edit.ts")).editCommand },
  { name: "pin", group: KEEP, load: async () => (await import("./commands/pin.ts")).pinCommand },
  { name: "unpin", group: KEEP, load: async () => (await import("./commands/pin.ts")).unpinCommand },
  { name: "confirm", group: KEEP, load: async () => (await import("./commands/confirm.ts")).confirmCommand },
  { name: "feedback", group: KEEP, load: async () => (await import("./commands/feedback.ts")).feedbackCommand },
  { name: "forget", group: KEEP, load: async () => (await import("./commands/forget.ts")).forgetCommand },
  { name: "restore", group: KEEP, load: async () => (await import("./commands/restore.ts")).restoreCommand },
  { name: "undo", group: KEEP, load: async () => (await import("./commands/undo.ts")).undoCommand },
  { name: "purge", group: KEEP, load: async () => (await import("./commands/purge.ts")).purgeCommand },

  { name: "status", group: LOOK, load: async () => (await import("./commands/status.ts")).statusCommand },
  { name: "why", group: LOOK, load: async () => (await import("./commands/why.ts")).whyCommand },
  { name: "runs", group: LOOK, load: async () => (await import("./commands/runs.ts")).runsCommand },
  { name: "doctor", group: LOOK, load: async () => (await import("./commands/doctor.ts")).doctorCommand },
  { name: "reindex", group: LOOK, load: async () => (await import("./commands/reindex.ts")).reindexCommand },
];
