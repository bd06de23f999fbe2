/** What a record of Claude Code is read with. */
import type { OpenCall } from "../../normal-form/record-steps.ts";

export interface RecordContext {
  /** Directory in which the session started, for telling its files from others. */
  readonly cwd: string | undefined;
  /** The record is a sub-agent's: what looks human in it was written by the model. */
  readonly isAgent: boolean;
  /** Calls by id; a reader adds the calls that it meets. */
  readonly calls: Map<string, OpenCall>;
}
