/** `arcticmem mcp`: the MCP server over standard input and output. */
import { Command } from "commander";
import { packageVersion } from "../../config/package-version.ts";
import { serve } from "../../mcp/server.ts";
import type { CliContext } from "../context.ts";

export function mcpCommand(_context: CliContext): Command {
  return new Command("mcp")
    .summary("serve the memory to an agent over MCP (stdio)")
    .action(() => serve(packageVersion()));
}
