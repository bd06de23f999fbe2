/**
 * One line of a rollout, whatever its age: new ones stand in an envelope `{timestamp, type, payload}`, the oldest are
 * bare items of the model's conversation after a first line that names the session.
 */
import { dateIn, type JsonObject, objectIn, textIn } from "../../../core/json/json-values.ts";

export type RolloutStream = "session_meta" | "turn_context" | "response_item" | "event_msg" | "compacted" | "other";

export interface RolloutRecord {
  readonly stream: RolloutStream;
  readonly payload: JsonObject;
  /** The payload's own type, or the line's where it has none. */
  readonly type: string;
  readonly at: Date | undefined;
  /** Position in the thread; forks and resumed files keep their parent's. */
  readonly ordinal: number | undefined;
  /** Copied from the thread that this one was forked from. */
  readonly isInherited: boolean;
}

const STREAMS: readonly string[] = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];

export function rolloutRecord(line: JsonObject): RolloutRecord {
  const payload = objectIn(line, "payload");
  const name = textIn(line, "type") ?? "";
  const common = {
    at: dateIn(line, "timestamp"),
    ordinal: typeof line.ordinal === "number" ? line.ordinal : undefined,
    isInherited: objectIn(line, "metadata")?.inherited_user_message === true,
  };
  if (payload !== undefined) {
    return { stream: isStream(name) ? name : "other", payload, type: textIn(payload, "type") ?? name, ...common };
  }
  if (isLegacyHead(line)) return { stream: "session_meta", payload: line, type: "session_meta", ...common };
  if (textIn(line, "record_type") !== undefined || name === "") {
    return { stream: "other", payload: line, type: textIn(line, "record_type") ?? "unknown", ...common };
  }
  return { stream: "response_item", payload: line, type: name, ...common };
}

/** The first line of the oldest format: `{id, timestamp, instructions, git}`. */
export function isLegacyHead(line: JsonObject): boolean {
  const isNamed = textIn(line, "id") !== undefined && textIn(line, "timestamp") !== undefined;
  return isNamed && !("type" in line) && ("instructions" in line || "git" in line);
}

function isStream(name: string): name is RolloutStream {
  return STREAMS.includes(name);
}
