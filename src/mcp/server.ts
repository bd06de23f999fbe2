/**
 * The MCP server's process: answers the opening at once, then loads the SDK, then the memory, then does what is due in
 * the background. Trouble with the memory becomes the answer of a call; it never ends the server.
 */
import { ArcticMemError, messageOf } from "../core/errors.ts";
import type { Memory } from "../core/memory.ts";
import { firstAnswers, type ServerOffer } from "./first-answers.ts";
import { openStream } from "./opening-stream.ts";
import type { CallResult, CallTool } from "./sdk-server.ts";
import type { Caller, Tool, ToolCall } from "./tool.ts";
import { INSTRUCTIONS, listTools } from "./tool-list.ts";

/** A client that opens and then says nothing gets the SDK all the same. */
const IDLE_MS = 1_000;
/** How long a call that still runs may delay the end after the client has gone. */
const LAST_CALLS_MS = 5_000;
const PARENT_CHECK_MS = 5_000;

/** Serves over standard input and output until the client closes them. Ends the process. @param version - Of this package. */
export async function serve(version: string): Promise<void> {
  const offer: ServerOffer = {
    serverInfo: { name: "arcticmem", version },
    instructions: INSTRUCTIONS,
    tools: listTools(),
  };
  const stream = openStream({ input: process.stdin, output: process.stdout, answer: firstAnswers(offer) });
  const clientGone = whenClientIsGone();
  const memory = keptOpen(async () => (await import("../memory.ts")).openMemory());
  const calls = new Set<Promise<CallResult>>();
  const callTool: CallTool = (tool, input, signal) => {
    const call = runTool(tool, { open: memory.open, input, caller: callerOf(process.env), signal });
    calls.add(call);
    return call.finally(() => calls.delete(call));
  };

  await Promise.race([stream.isOver, after(IDLE_MS)]);
  const { serveOverSdk } = await import("./sdk-server.ts");
  serveOverSdk({ ...stream.handOver(), serverInfo: offer.serverInfo, callTool, onError: report });
  let isServing = true;
  catchUp(memory.open).catch((error: unknown) => {
    if (isServing) report(error); // else it was only interrupted by the end
  });

  await clientGone;
  isServing = false;
  await Promise.race([Promise.allSettled(calls), after(LAST_CALLS_MS)]);
  await Promise.race([memory.close(), after(LAST_CALLS_MS)]);
  process.exit(0);
}

export interface RunToolRequest {
  readonly open: () => Promise<Memory>;
  /** Checked against the tool's schema. */
  readonly input: unknown;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Never rejects: what goes wrong is told to the agent, with what to do about it. */
export async function runTool(tool: Tool, { open, input, caller, signal }: RunToolRequest): Promise<CallResult> {
  try {
    const call: ToolCall<unknown> = { memory: await open(), input, caller, signal };
    return { text: await (tool as Tool<unknown>).run(call), isError: false };
  } catch (error) {
    if (!(error instanceof ArcticMemError)) report(error);
    const hint = error instanceof ArcticMemError && error.hint !== undefined ? `\nhint: ${error.hint}` : "";
    return { text: `${messageOf(error)}${hint}`, isError: true };
  }
}

/** Opens on first use. An open that failed is tried again with the next call: the user may have mended the config. */
export function keptOpen(open: () => Promise<Memory>): { open(): Promise<Memory>; close(): Promise<void> } {
  let opened: Promise<Memory> | undefined;
  return {
    open() {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      const memory = await opened?.catch(() => undefined);
      await memory?.[Symbol.asyncDispose]();
    },
  };
}

/** What a start is a good moment for: sessions that wait, files that changed, and those that will. */
async function catchUp(open: () => Promise<Memory>): Promise<void> {
  const memory = await open();
  await memory.ingest.launchWorker();
  await memory.files.index();
  const { stopped } = await memory.files.watch();
  if (stopped !== null) report(new Error(`Files are not watched, each search looks at them itself: ${stopped}`));
}

/** Which session of which host asks. Claude Code passes its session to the servers that it starts. */
function callerOf(variables: Readonly<Record<string, string | undefined>>): Caller {
  const session = variables.CLAUDE_CODE_SESSION_ID;
  return { host: session === undefined ? undefined : "claude-code", session };
}

/** The client closes our input when it ends. Should it die without, and the pipe live on in a sibling, its pid tells. */
function whenClientIsGone(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    process.stdin.on("end", resolve);
    process.stdin.on("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_CHECK_MS).unref();
  });
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

/** Standard output is the wire: everything else goes here. */
function report(error: unknown): void {
  process.stderr.write(`arcticmem: ${messageOf(error)}\n`);
}
