/** What the handler of every hook event gets. */
import type { Memory } from "../core/memory.ts";
import type { HookDialect, HookEvent, HostName } from "../hosts/host.ts";

export interface HookCall<Event extends HookEvent> {
  readonly memory: Memory;
  readonly host: HostName;
  readonly dialect: HookDialect;
  readonly event: Event;
  /** One line, without anything that was said in the session. */
  readonly log: (line: string) => void;
}
