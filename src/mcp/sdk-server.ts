/** The server proper: the protocol's SDK, answering clients of every revision, with our tools. */
import type { Readable, Writable } from "node:stream";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServerOffer } from "./first-answers.ts";
import type { Tool } from "./tool.ts";
import { INSTRUCTIONS, TOOL_META, TOOLS } from "./tool-list.ts";

/** What a call answers; an error is an answer too. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a tool whose input has been checked against its schema. Never rejects. */
export type CallTool = (tool: Tool, input: unknown, signal: AbortSignal) => Promise<CallResult>;

export interface SdkServerRequest {
  readonly input: Readable;
  readonly output: Writable;
  readonly serverInfo: ServerOffer["serverInfo"];
  readonly callTool: CallTool;
  readonly onError: (error: Error) => void;
}

export function serveOverSdk({ input, output, serverInfo, callTool, onError }: SdkServerRequest): void {
  const makeServer = (): McpServer => {
    const server = new McpServer({ ...serverInfo }, { instructions: INSTRUCTIONS });
    for (const tool of TOOLS) register(server, tool, callTool);
    return server;
  };
  serveStdio(makeServer, { transport: new StdioServerTransport(input, output), onerror: onError });
}

function register(server: McpServer, tool: Tool, callTool: CallTool): void {
  const { name, description, annotations } = tool;
  const inputSchema = fromJsonSchema(JSON.parse(JSON.stringify(tool.inputSchema)));
  server.registerTool(
    name,
    { description, inputSchema, annotations: { ...annotations }, _meta: { ...TOOL_META } },
    async (input, context) => {
      const { text, isError } = await callTool(tool, input, context.mcpReq.signal);
      return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
    },
  );
}
