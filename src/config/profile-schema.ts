/** What a profile file may hold. Strict, because people write it; a pattern that is no regular expression is told. */
import { z } from "zod";
import { FACT_TYPES } from "../core/memory-record.ts";
import { type Profile, SIGNAL_IDS } from "../core/profile.ts";

export const PROFILE_NAME: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/;
const text = z.string().trim().min(1).max(4_000);
const pattern = text.refine(isPattern, "is no regular expression");

const TypeSchema = z.strictObject({
  id: z.enum(FACT_TYPES),
  label: text.max(60),
  definition: text,
  keep: text,
  reject: text,
  halfLifeDays: z.number().positive().nullable(),
});

const FacetSchema = z.strictObject({
  name: text.max(40),
  weight: z.number().positive().max(1),
  files: z.array(text.max(60).regex(/^[^/\\]+$/, "names a file, not a path")).max(20),
  variables: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,60}$/, "is capitals, digits, underscores")).max(8),
});

/** A whole profile, its ancestors merged in. */
export const ProfileSchema: z.ZodType<Profile> = z.strictObject({
  id: z.string().regex(PROFILE_NAME, "is small letters, digits, hyphens"),
  version: z.int().min(1),
  types: z
    .array(TypeSchema)
    .min(1)
    .refine((types) => new Set(types.map(({ id }) => id)).size === types.length, "names a type twice"),
  limits: z.strictObject({
    maxFacts: z.int().min(1).max(50),
    maxFailureLessons: z.int().min(0).max(10),
    summariseOverChars: z.int().min(4_000).max(10_000_000),
    titleMax: z.int().min(20).max(200),
  }),
  prompt: z.strictObject({ role: text, keepTest: z.array(text).min(1), never: z.array(text) }),
  outcome: z.strictObject({
    verifyCommands: z.array(pattern),
    readOnlyCommands: z.array(pattern),
    editTools: z.array(text.max(100)),
    revertCommands: z.array(pattern),
    weights: z.record(z.enum(SIGNAL_IDS), z.number().min(-9).max(9)),
    onUnknown: z.enum(["provisional", "skip"]),
    onPartial: z.enum(["provisional", "skip"]),
    judge: z.enum(["unknown_only", "always", "never"]),
    userStatedFromAny: z.boolean(),
    failureLessons: z.boolean(),
  }),
  filters: z.strictObject({ genericAdvice: z.array(text.max(200)), off: z.array(text.max(20)) }),
  redaction: z.strictObject({ pii: z.boolean() }),
  facets: z.array(FacetSchema).max(8),
  lifecycle: z.strictObject({ allowDelete: z.boolean(), deleteCap: z.int().min(0).max(50) }),
});

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "i") instanceof RegExp;
  } catch {
    return false; // the schema says so in its own words
  }
}
