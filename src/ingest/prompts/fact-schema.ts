/**
 * The JSON schema of extracted facts, made from the profile. Strict-mode friendly: every key required, none extra,
 * null instead of absent. Lengths are enforced in code, because strict modes refuse them.
 */
import { POLARITIES, type Polarity, SOURCE_RANKS } from "../../core/memory-record.ts";
import type { Profile } from "../../core/profile.ts";

type Json = Readonly<Record<string, unknown>>;

const STRING = { type: "string" } as const;
const NULLABLE = { type: ["string", "null"] } as const;
const LIST = { type: "array", items: STRING } as const;

/** An object that takes exactly the given keys. */
export function strictObject(properties: Json): Json {
  return { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
}

export interface FactSchemaOptions {
  /** Default: all types of the profile. */
  readonly types?: readonly string[];
  readonly polarities?: readonly Polarity[];
}

/** `{facts: [...]}` as the extraction prompts ask for it. */
export function factSchema(profile: Pick<Profile, "types">, options: FactSchemaOptions = {}): Json {
  const fact = strictObject({
    type: { type: "string", enum: options.types ?? profile.types.map(({ id }) => id) },
    polarity: { type: "string", enum: options.polarities ?? POLARITIES },
    title: STRING,
    content: STRING,
    why: STRING,
    how_to_apply: STRING,
    when_to_use: LIST,
    when_not: NULLABLE,
    applies_if: NULLABLE,
    symbols: LIST,
    scope: { type: "string", enum: ["project", "user"] },
    source: { type: "string", enum: SOURCE_RANKS },
    confidence: { type: "number" },
    resolved_at: { type: ["integer", "null"] },
    evidence: { type: "array", items: strictObject({ turn: { type: "integer" }, quote: STRING }) },
    expires: NULLABLE,
  });
  return strictObject({ facts: { type: "array", items: fact } });
}
