/**
 * One hook, from payload to answer. Fails open: any trouble is a line in the log and an empty answer. Nothing here or
 * behind it may load a schema library, a model client or the MCP SDK before an event needs it.
 */
import { messageOf } from "../core/errors.ts";
import type { Memory } from "../core/memory.ts";
import { claudeCodeHooks } from "../hosts/claude-code/hook-payload.ts";
import type { HookDialect, HookEvent, HostName } from "../hosts/host.ts";
import { type OpenMemoryOptions, openMemory } from "../memory.ts";
import { claimOnce } from "./claim-once.ts";
import { detectHost } from "./detect-host.ts";
import type { HookCall } from "./hook-call.ts";
import { appendLog } from "./log.ts";
import { onPreCompact } from "./pre-compact.ts";
import { onSessionEnd } from "./session-end.ts";
import { onSessionStart } from "./session-start.ts";

export interface HookRequest {
  /** The host in whose settings this hook stands. */
  readonly installedFor: string | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Tests pass their own. */
  readonly open?: (options: OpenMemoryOptions) => Promise<Memory>;
}

/**
 * How long a hook waits for another process that writes. Nothing of a hook's answer needs a write, and the wait holds up
 * the whole process, its own deadlines included.
 */
const STORE_WAIT_MS = 100;

/** Payloads are a few paths and flags, and at most the user's prompt. */
const MAX_PAYLOAD_BYTES = 4_000_000;

/** The hosts whose hooks we speak. */
const DIALECTS: Readonly<Partial<Record<HostName, HookDialect>>> = { "claude-code": claudeCodeHooks };

/** @returns What to print, or an empty text. Never rejects. */
export async function answerHook(request: HookRequest): Promise<string> {
  let log = (_line: string): void => {};
  try {
    const payload = await readPayload(request.input);
    const host = detectHost({ installedFor: request.installedFor, variables: request.variables, payload });
    const dialect = host === undefined ? undefined : DIALECTS[host];
    const event = dialect?.readPayload(payload);
    if (host === undefined || dialect === undefined || event === undefined) return "";
    const open = request.open ?? openMemory;
    await using memory = await open({ cwd: event.cwd, storeWaitMs: STORE_WAIT_MS });
    log = (line) => appendLog(memory.paths.log, line, new Date());
    if (!isFirst(memory, event)) return "";
    return await answerEvent({ memory, host, dialect, event, log });
  } catch (error) {
    log(`hook failed: ${messageOf(error)}`);
    return "";
  }
}

async function answerEvent({ event, ...call }: HookCall<HookEvent>): Promise<string> {
  switch (event.kind) {
    case "session-start":
      return onSessionStart({ ...call, event });
    case "session-end":
      await onSessionEnd({ ...call, event });
      return "";
    case "pre-compact":
      await onPreCompact({ ...call, event });
      return "";
    case "prompt-submit":
      return ""; // no host of ours is told to call it
    default:
      return event satisfies never;
  }
}

/** Some hosts also run the hooks that stand in another host's settings: the second run of an event does nothing. */
function isFirst(memory: Memory, event: HookEvent): boolean {
  const source = event.kind === "session-start" ? event.source : "";
  return claimOnce(memory.paths.state, `${event.kind} ${source} ${event.session}`, Date.now());
}

/** @throws {Error} For a payload that is too long to be one. */
async function readPayload(input: HookRequest["input"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PAYLOAD_BYTES) throw new Error("the payload is too long");
  }
  return text + decoder.decode();
}
