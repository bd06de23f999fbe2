/** The tools as clients see them, and the texts that go with them. */
import type { InputSchema, Tool, ToolAnnotations } from "./tool.ts";
import { memoryAdd } from "./tools/memory-add.ts";
import { memoryExplain } from "./tools/memory-explain.ts";
import { memoryFeedback } from "./tools/memory-feedback.ts";
import { memoryForget } from "./tools/memory-forget.ts";
import { memoryGet } from "./tools/memory-get.ts";
import { memorySearch } from "./tools/memory-search.ts";

export const TOOLS: readonly Tool[] = [memorySearch, memoryGet, memoryAdd, memoryForget, memoryFeedback, memoryExplain];

/** Said once a session, by hosts that pass it on; many show it beside tools that they hold back. */
export const INSTRUCTIONS =
  "Memory of earlier sessions and of the project's rule files. Call memory_search before debugging or a familiar task.";

/** Keeps the tools visible where a host otherwise shows only their names. */
export const TOOL_META = { "anthropic/alwaysLoad": true } as const;

/** One tool as `tools/list` answers it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: ToolAnnotations;
  readonly _meta: typeof TOOL_META;
}

export function listTools(): ListedTool[] {
  return TOOLS.map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema,
    annotations,
    _meta: TOOL_META,
  }));
}
