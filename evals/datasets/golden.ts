/**
 * Reads the golden set: sessions written by hand, with what a careful reader would keep of each, what must not be kept,
 * how the session ended, and what becomes of memories that were there before.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const GOLDEN = join(import.meta.dirname, "../../test/fixtures/sessions/golden");

const FactType = z.enum(["lesson", "context", "preference", "pointer"]);
const Outcome = z.enum(["success", "partial", "failure", "unknown"]);

/** Small letters; `a|b` holds where either occurs. All of a list must hold. */
const Stems = z.array(z.string().regex(/^[^\p{Lu}]+$/u));

const Wanted = z.strictObject({
  id: z.string(),
  type: FactType,
  /** Types that are right as well. */
  anyOf: z.array(FactType).optional(),
  polarity: z.enum(["do", "avoid", "fact"]).optional(),
  symbols: z.array(z.string()),
  words: Stems,
});
export type Wanted = z.infer<typeof Wanted>;

const Unwanted = z
  .strictObject({
    words: Stems,
    symbols: z.array(z.string()),
    /** A fact that holds one of these says the opposite, and may be kept. */
    unlessWords: Stems.optional(),
    /** Looked for in every field; otherwise not in the reason, which may tell what was rejected. */
    anywhere: z.boolean().optional(),
    /** It may be kept as provisional. */
    trustedOnly: z.boolean().optional(),
    reason: z.string(),
  })
  .refine(({ words, symbols }) => words.length + symbols.length > 0, "has to name something");
export type Unwanted = z.infer<typeof Unwanted>;

const Seed = z.strictObject({
  id: z.string(),
  type: FactType,
  polarity: z.enum(["do", "avoid", "fact"]).default("do"),
  title: z.string().max(80),
  content: z.string(),
  why: z.string(),
  howToApply: z.string(),
  whenToUse: z.array(z.string()),
  symbols: z.array(z.string()),
  source: z.enum(["user_stated", "user_confirmed", "tool_verified", "agent_inferred"]),
  trust: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  confidence: z.number().min(0).max(1),
  pinned: z.boolean().default(false),
  at: z.iso.datetime(),
});
export type Seed = z.infer<typeof Seed>;

const Expectation = z.strictObject({
  seed: z.string(),
  becomes: z.enum(["superseded", "updated", "unchanged"]),
  /** The wanted fact that brings the change. */
  by: z.string().optional(),
  /** What the updated text must hold. */
  words: Stems.optional(),
  /** The session must count as seeing it again. */
  seenAgain: z.boolean().optional(),
});
export type Expectation = z.infer<typeof Expectation>;

const Expected = z.strictObject({
  host: z.enum(["claude-code", "codex", "gemini"]),
  project: z.string(),
  /** Of the package, under which it is ingested. */
  profile: z.enum(["coding", "data-analysis", "support", "research"]).default("coding"),
  /** Directory in which the session ran; Gemini CLI writes it beside the transcript only. */
  cwd: z.string(),
  /** `held` cases are reported apart, and nothing is tuned on them. */
  split: z.enum(["dev", "held"]),
  tags: z.array(z.string()).min(1),
  description: z.string(),
  outcome: Outcome,
  /** Labels that are defensible too. */
  outcomeAlso: z.array(Outcome).optional(),
  /** Where the run has to end otherwise than with facts or none. */
  ingest: z.literal("skipped").optional(),
  /** Cases that are ingested before it, into the same store. */
  after: z.array(z.string()).optional(),
  /** Lines of the transcript, and the outcome, when it is ingested for the first time. */
  grows: z.strictObject({ lines: z.int().positive(), outcome: Outcome }).optional(),
  mustHave: z.array(Wanted),
  /** Right where it is kept, no fault where it is not. */
  mayHave: z.array(Wanted),
  mustNotHave: z.array(Unwanted),
  lifecycle: z.strictObject({ seed: z.array(Seed), expect: z.array(Expectation) }).optional(),
});
export type Expected = z.infer<typeof Expected>;

export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  readonly expected: Expected;
  /** Its transcript holds generated text and is not committed: build it before reading it. */
  readonly isGenerated: boolean;
}

/**
 * The cases of a folder by name.
 *
 * @throws {Error} naming the case whose `expected.json` is not as it has to be.
 */
export function readGolden(folder: string = GOLDEN): GoldenCase[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readCase(join(folder, name), name))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function readCase(folder: string, name: string): GoldenCase {
  const parsed = Expected.safeParse(JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")));
  if (!parsed.success) throw new Error(`${name}/expected.json: ${z.prettifyError(parsed.error)}`);
  return { name, folder, expected: parsed.data, isGenerated: parsed.data.tags.includes("generated") };
}

/** A session with nothing worth keeping: every fact drawn from it is a false one. */
export function isNullCase({ expected }: GoldenCase): boolean {
  return expected.mustHave.length + expected.mayHave.length === 0;
}
