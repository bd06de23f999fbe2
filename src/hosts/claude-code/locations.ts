/** Where Claude Code keeps its files. `CLAUDE_CONFIG_DIR` moves them all, the state file into the folder itself. */
import { join } from "node:path";
import type { HostEnvironment } from "../host.ts";

export interface ClaudeLocations {
  readonly settings: string;
  /** Holds the user's MCP servers. */
  readonly state: string;
  readonly projects: string;
}

export function claudeLocations({ home, variables }: HostEnvironment): ClaudeLocations {
  const moved = variables.CLAUDE_CONFIG_DIR;
  const isMoved = moved !== undefined && moved.trim() !== "";
  const folder = isMoved ? moved : join(home, ".claude");
  return {
    settings: join(folder, "settings.json"),
    state: isMoved ? join(folder, ".claude.json") : join(home, ".claude.json"),
    projects: join(folder, "projects"),
  };
}
