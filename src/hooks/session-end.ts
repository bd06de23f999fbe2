/** A session ends: a note is left for the worker, which is started. The transcript is read by nobody here. */
import type { HookEvent } from "../hosts/host.ts";
import type { HookCall } from "./hook-call.ts";
import { spoolTranscript } from "./spool-transcript.ts";

export async function onSessionEnd(
  call: HookCall<Extract<HookEvent, { readonly kind: "session-end" }>>,
): Promise<void> {
  await spoolTranscript(call, { reason: "session-end", leastBytes: 1 });
}
