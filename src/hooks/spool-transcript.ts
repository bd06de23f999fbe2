/** Leaves a note that a session wants ingesting, and starts the worker. */
import { stat } from "node:fs/promises";
import type { SpoolEntry } from "../core/memory.ts";
import type { HookEvent } from "../hosts/host.ts";
import type { HookCall } from "./hook-call.ts";

export interface SpoolRequest {
  readonly reason: SpoolEntry["reason"];
  /** Shorter transcripts are left alone. */
  readonly leastBytes: number;
}

/** Does nothing for a session without a transcript on disk. */
export async function spoolTranscript(
  { memory, host, event }: HookCall<HookEvent>,
  { reason, leastBytes }: SpoolRequest,
): Promise<void> {
  const { session, transcript, cwd } = event;
  if (transcript === null) return;
  const bytes = await sizeOf(transcript);
  if (bytes < leastBytes) return;
  await memory.ingest.spool({ host, session, transcript, cwd, offset: bytes, reason });
  await memory.ingest.launchWorker();
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0; // a session that kept no transcript
  }
}
