/** A session is about to be compacted: a long one is spooled now, as it may go on for days and never end. */
import type { HookEvent } from "../hosts/host.ts";
import type { HookCall } from "./hook-call.ts";
import { spoolTranscript } from "./spool-transcript.ts";

/** Shorter ones wait for their end. A transcript takes about twice the characters of what was said in it. */
const LONG_BYTES = 160_000;

export async function onPreCompact(
  call: HookCall<Extract<HookEvent, { readonly kind: "pre-compact" }>>,
): Promise<void> {
  await spoolTranscript(call, { reason: "pre-compact", leastBytes: LONG_BYTES });
}
