/**
 * A resumed or forked thread begins with another `session_meta` and the history so far, written once more. Those copies
 * are recognised by their content, in order, so that a person who says the same thing twice is still heard twice.
 */
import { sha256 } from "../../../core/hash.ts";
import type { RolloutRecord } from "./rollout-record.ts";

export interface ReplayTracker {
  /** Call for every record in order. @returns Whether it repeats what this file already told. */
  isReplay(record: RolloutRecord): boolean;
}

/** How many records of the history a copy may leave out between two that it holds. */
const REACH = 5;

export function createReplayTracker(): ReplayTracker {
  const history: string[] = [];
  let metas = 0;
  /** Where in the history the copies have come to; undefined while nothing is repeated. */
  let position: number | undefined;

  const follow = (key: string): boolean => {
    if (position === undefined) return false;
    const at = history.slice(position, position + REACH).indexOf(key);
    position = at === -1 ? undefined : position + at + 1;
    return at !== -1;
  };

  return {
    isReplay(record) {
      if (record.stream === "session_meta") {
        metas += 1;
        position = metas > 1 ? 0 : undefined;
        return false;
      }
      if (record.stream !== "response_item" || isContext(record)) return false;
      const key = sha256(JSON.stringify(record.payload));
      if (follow(key)) return true;
      history.push(key);
      return false;
    },
  };
}

/** Written anew at every start: it neither continues nor ends a replay. */
function isContext({ payload, type }: RolloutRecord): boolean {
  return type === "message" && payload.role !== "user" && payload.role !== "assistant";
}
