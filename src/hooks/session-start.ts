/** A session starts: what is known is put before the model, and sessions that were never ingested are found. */
import { messageOf } from "../core/errors.ts";
import { inTime } from "../core/time/in-time.ts";
import type { HookEvent } from "../hosts/host.ts";
import type { HookCall } from "./hook-call.ts";

type SessionStartEvent = Extract<HookEvent, { readonly kind: "session-start" }>;

/** Parts that would come later are left out of the answer. */
const ANSWER_MS = 150;
/** An answer that comes later still is not worth the wait: a store that is locked, a disk that sleeps. */
const GIVE_UP_MS = 1_000;
/** For finding idle transcripts and starting the worker, which takes tens of milliseconds on a machine with nothing to do. */
const CATCH_UP_MS = 500;

/** @returns What the host is to print, empty when there is nothing worth saying. */
export async function onSessionStart(call: HookCall<SessionStartEvent>): Promise<string> {
  const { memory, host, dialect, event, log } = call;
  const { session, source } = event;
  const deadlineAt = Date.now() + ANSWER_MS;
  const started = memory.start({ session, host, source, maxCharacters: dialect.maxContextCharacters, deadlineAt });
  const context = await inTime(started, GIVE_UP_MS, () => undefined);
  await inTime(catchUp(call), CATCH_UP_MS, () => undefined);
  if (context === undefined) {
    log(`session-start gave up after ${GIVE_UP_MS} ms`);
    return "";
  }
  if (context.degraded.length > 0) log(`session-start degraded: ${context.degraded.join("; ")}`);
  return context.text === "" ? "" : dialect.renderAnswer({ event: "session-start", context: context.text });
}

async function catchUp({ memory, log }: HookCall<SessionStartEvent>): Promise<void> {
  try {
    await memory.ingest.launchWorker();
  } catch (error) {
    log(`session-start could not catch up: ${messageOf(error)}`);
  }
}
