/**
 * The language of a scripted model: what a request looks like whatever its protocol, and a list of entries that say
 * how it is answered. A request that no entry fits is a failure of the test, never a guess.
 */

export type Protocol = "openai" | "anthropic";

export interface CallMessage {
  readonly role: string;
  readonly text: string;
}

/** A request to a model, as every protocol can be read. */
export interface ModelCall {
  readonly protocol: Protocol;
  /** Value of `x-arcticmem-stage`; null where the client is not ours. */
  readonly stage: string | null;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly CallMessage[];
  /** Names of the tools that the client offers. */
  readonly tools: readonly string[];
  readonly stream: boolean;
  /** `json_schema`, `json_object`, `tool` or `plain`: which rung of the ladder it came by. */
  readonly format: string;
  /** Position among the requests with the same stage, from 0. */
  readonly callIndex: number;
  /** All the text that the model would read. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the scripted model says. A plain string is `{ text }`, any other object is sent as its JSON. */
export interface Said {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish?: "stop" | "length" | "tool";
}

export interface Match {
  readonly stage?: string;
  readonly protocol?: Protocol;
  /** Every one of them must occur in the text, system prompt included. */
  readonly contains?: string | readonly string[];
  readonly callIndex?: number;
  readonly when?: (call: ModelCall) => boolean;
}

export type Reply = string | Said | Readonly<Record<string, unknown>> | readonly unknown[];

export interface ScriptEntry {
  readonly match: Match;
  readonly reply?: Reply | ((call: ModelCall) => Reply);
  /** Answers with this status instead; `reply` is then the body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Sends only so much of the body, then drops the connection. */
  readonly cutAfterBytes?: number;
  /** Drops the connection without an answer. */
  readonly closeSocket?: boolean;
  /** How often the entry answers before the next one that fits takes over; default: always. */
  readonly times?: number;
}

/** The first entry that fits and is not used up. */
export function findEntry(
  script: readonly ScriptEntry[],
  used: ReadonlyMap<ScriptEntry, number>,
  call: ModelCall,
): ScriptEntry | undefined {
  return script.find((entry) => {
    if (entry.times !== undefined && (used.get(entry) ?? 0) >= entry.times) return false;
    return fits(entry.match, call);
  });
}

function fits(match: Match, call: ModelCall): boolean {
  const wanted = match.contains === undefined ? [] : [match.contains].flat();
  return (
    (match.stage === undefined || match.stage === call.stage) &&
    (match.protocol === undefined || match.protocol === call.protocol) &&
    (match.callIndex === undefined || match.callIndex === call.callIndex) &&
    wanted.every((text) => call.text.includes(text)) &&
    (match.when === undefined || match.when(call))
  );
}

/** A reply in its full form. */
export function toSaid(reply: Reply): Said {
  if (typeof reply === "string") return { text: reply };
  if (isSaid(reply)) return reply;
  return { text: JSON.stringify(reply) };
}

function isSaid(reply: Exclude<Reply, string>): reply is Said {
  return !Array.isArray(reply) && typeof (reply as { text?: unknown }).text === "string";
}
