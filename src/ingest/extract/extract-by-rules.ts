/**
 * Extraction without a model: seven rules that copy what was said and what was seen. They understand nothing, so that
 * everything they find is provisional and says by whom it was found.
 */
import type { Profile } from "../../core/profile.ts";
import type { OutcomeLabel, Session } from "../../core/session.ts";
import { cleanLine } from "../../text/clean.ts";
import { corrections } from "./rules/corrections.ts";
import { errorFixes } from "./rules/error-fixes.ts";
import { spokenSentences } from "./rules/spoken-sentences.ts";
import { type RuleContext, userStatements } from "./rules/user-statements.ts";
import { claimLine, type RuleFact, type RuleId } from "./rules/word-fact.ts";

/** Raised with every change of a rule: stored with every fact that a rule found. */
export const RULES_EXTRACTOR = "rules/2";

/** More than this from rules alone is noise. */
export const MAX_RULE_FACTS = 5;

/** What a person said counts whatever became of the session. */
const USER_STATED: readonly RuleId[] = ["X1", "X2", "X3", "X6"];

export interface RuleExtractionInput {
  /** Redacted. */
  readonly session: Session;
  readonly profile: Profile;
  /** Turns before this one were extracted by an earlier run. */
  readonly fromTurn: number;
  /** `user_stated`: X1–X3 and X6 only, beside a model or after a failure. */
  readonly which: "all" | "user_stated";
}

/** Which rules may speak after a session that ended so. */
export function rulesFor(outcome: OutcomeLabel): RuleExtractionInput["which"] {
  return outcome === "failure" ? "user_stated" : "all";
}

/** At most five facts, the surest first. One sentence gives one fact, by the strongest rule that heard it. */
export function extractByRules({ session, profile, fromTurn, which }: RuleExtractionInput): RuleFact[] {
  const context: RuleContext = { session, fromTurn, titleMax: profile.limits.titleMax, goal: goalOf(session) };
  const found = [...userStatements(context), ...corrections(context), ...errorFixes(context, profile)];
  const wanted = found.filter(({ rule }) => which === "all" || USER_STATED.includes(rule));
  const bySentence = new Map<string, RuleFact>();
  for (const item of wanted) {
    const [evidence] = item.fact.evidence;
    const key = `${evidence?.turn}\n${evidence?.quote}`;
    const earlier = bySentence.get(key);
    if (earlier === undefined || earlier.fact.confidence < item.fact.confidence) bySentence.set(key, item);
  }
  return [...bySentence.values()]
    .filter(({ fact }) => fact.title.length >= 8)
    .sort((a, b) => b.fact.confidence - a.fact.confidence)
    .slice(0, MAX_RULE_FACTS);
}

/** What the session was about: its first spoken sentence. */
function goalOf(session: Session): string | null {
  for (const turn of session.turns) {
    const [first] = spokenSentences(turn);
    if (first !== undefined) return cleanLine(claimLine(first.text), 100);
  }
  return null;
}
