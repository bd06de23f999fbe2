/** What use shows of memories: which were opened, and what agents and people say became of them. */
import { type MemoryId, type SessionId, sessionId } from "../ids.ts";
import type { MemoryRecord } from "../memory-record.ts";

/** `irrelevant` speaks against the search that brought a memory, not against the memory. */
export const VERDICTS = ["helped", "wrong", "stale", "irrelevant"] as const;
export type Verdict = (typeof VERDICTS)[number];

export type UsageKind = "opened" | Verdict;

/** Verdicts that speak against a memory. */
export const HARMFUL = ["wrong", "stale"] as const satisfies readonly Verdict[];

export function isHarmful(kind: UsageKind): boolean {
  return HARMFUL.some((harmful) => harmful === kind);
}

export interface UsageEvent {
  readonly memory: MemoryId;
  readonly kind: UsageKind;
  readonly who: "agent" | "user";
  /** `null` where the host does not tell: such sessions all count as one. */
  readonly session: SessionId | null;
  readonly host: string | null;
  readonly at: Date;
}

/** Whether what a voice said in a session before stays: an agent says a thing once, and takes no `wrong` or `stale` back. */
export function stands(earlier: UsageKind, { kind, who }: Pick<UsageEvent, "kind" | "who">): boolean {
  return who === "agent" && (earlier === kind || isHarmful(earlier));
}

/** A session without a name can't be told from another. */
export function callerOf({ session, host }: Pick<Feedback, "session" | "host">): Pick<UsageEvent, "session" | "host"> {
  const name = session?.trim() ?? "";
  return { session: name === "" ? null : sessionId(name), host: host ?? null };
}

export interface Feedback {
  readonly verdict: Verdict;
  readonly by: "person" | "agent";
  /** Why, in a few words. Goes into the history, and is never shown with the memory. */
  readonly note?: string;
  readonly session?: string;
  readonly host?: string;
}

export interface FeedbackReport {
  /** As it stands now. */
  readonly memory: MemoryRecord;
  /**
   * `noted`: its standing stays; `known`: this session has had its say; `protected`: the user said, wrote or pinned it;
   * `capped`: this session has spoken against too many.
   */
  readonly effect: "noted" | "disputed" | "archived" | "known" | "protected" | "capped";
}

export interface FeedbackPart {
  /**
   * An agent's `wrong` or `stale` disputes a memory, a second one from another session archives it; the user's archives at
   * once. `helped` lifts nothing. Each session of an agent is counted once a memory.
   *
   * @throws {ArcticMemError} `INPUT_INVALID` for an unknown verdict; what `get` throws.
   */
  feedback(handle: string, feedback: Feedback): Promise<FeedbackReport>;
  /** That an agent was given the text of a memory. Never throws and never waits for another process. */
  noteOpened(memory: MemoryId, caller: Pick<Feedback, "session" | "host">): Promise<void>;
}
