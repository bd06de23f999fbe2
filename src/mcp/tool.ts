/** What a tool of the server owes: when to call it, what it takes, and one call to the memory. */
import type { Memory } from "../core/memory.ts";

/** As JSON schema: clients get it as it stands, and the SDK checks arguments against it. Flat, as some hosts flatten. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface PropertySchema {
  readonly type: "string" | "integer" | "array";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: PropertySchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** What is left out holds by the protocol's defaults, which assume the worst. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Who asks: the agent's session, where its host tells us. */
export interface Caller {
  readonly host: string | undefined;
  readonly session: string | undefined;
}

export interface ToolCall<Input> {
  readonly memory: Memory;
  readonly input: Input;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export interface Tool<Input = never> {
  readonly name: string;
  /** Tells the agent *when* to call it. */
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: ToolAnnotations;
  /** @returns What the agent reads. @throws {ArcticMemError} Becomes an error result with its hint. */
  run(call: ToolCall<Input>): Promise<string>;
}

/** A handle as listed, or enough of an id to be unique. */
export const HANDLE_PROPERTY: PropertySchema = { type: "string", description: "such as L-7f3k2q", maxLength: 40 };
