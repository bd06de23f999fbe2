/**
 * The answers of the scripted model: it reads turns and handles out of the prompt and answers by rule. It understands
 * nothing. What it scores says that the pipeline carries a model's answers, never how good they are.
 */
import {
  factFrom,
  handlesIn,
  reactiveExtraction,
  reactiveSummaries,
  turnsIn,
} from "../../test/support/scripted-model/reactive.ts";
import type { ModelCall, ScriptEntry } from "../../test/support/scripted-model/script.ts";

type Answer = Readonly<Record<string, unknown>>;

/** One line of a failed result makes one warning. */
const FAILED_RESULT = /^result\b.*\berror\b/;
const MOST_WARNINGS = 3;
const SAME = 0.6;
const RELATED = 0.35;

export const SCRIPT: readonly ScriptEntry[] = [
  { match: { stage: "extract", contains: "You write warnings" }, reply: warnings },
  {
    match: { stage: "extract" },
    reply: reactiveExtraction(/\b(?:always|never|remember|because|since|instead|don't)\b|https?:\/\//i),
  },
  { match: { stage: "repair" }, reply: { facts: [] } },
  { match: { stage: "summarize" }, reply: reactiveSummaries },
  { match: { stage: "judge" }, reply: judgement },
  { match: { stage: "lifecycle" }, reply: decisions },
];

function warnings(call: ModelCall): Answer {
  const failed = turnsIn(call.text).filter(({ role }) => FAILED_RESULT.test(role));
  const facts = failed.slice(-MOST_WARNINGS).map(({ turn, text }) => {
    const quote =
      text.split("\n").find((line) => /error|fail|denied|refused|undefined/i.test(line)) ?? text.slice(0, 120);
    return factFrom({
      type: "lesson",
      turn,
      quote: quote.slice(0, 160),
      polarity: "avoid",
      source: "tool_verified",
      why: "unresolved",
    });
  });
  return { facts };
}

/** Never more than the last turn shows: thanks, or nothing. */
function judgement(call: ModelCall): Answer {
  const last = turnsIn(call.text).at(-1);
  const thanked =
    last?.role.startsWith("human") === true && /\b(?:thanks|thank you|thx|great|perfect)\b/i.test(last.text);
  return {
    evidence: last === undefined ? [] : [last.turn],
    reason: thanked ? "the user thanked at the end" : "nothing shows how it ended",
    label: thanked ? "success" : "unknown",
    confidence: thanked ? 0.7 : 0.3,
  };
}

/** By the words that a fact and a memory share: many and the same numbers is a repetition, many and others a change. */
function decisions(call: ModelCall): Answer {
  const { facts, candidates } = handlesIn(call.text);
  const decided = facts.map((fact) => decide(fact, candidates, call.text));
  return { decisions: decided, verdicts: [] };
}

function decide(fact: string, candidates: readonly number[], prompt: string): Answer {
  const text = linesOf(prompt, fact);
  const scored = candidates.map((target) => {
    const memory = linesOf(prompt, String(target));
    return { target, memory, shared: overlap(text, memory) };
  });
  const best = scored.sort((a, b) => b.shared - a.shared)[0];
  const quote = /evidence: (.*)/.exec(text)?.[1] ?? "";
  const add = {
    fact,
    relation: "separate",
    op: "ADD",
    target: null,
    merged: null,
    quote: "",
    reason: "nothing like it",
  };
  if (best === undefined || best.shared < RELATED) return add;
  const sameNumbers = numbersOf(text).join() === numbersOf(best.memory).join();
  if (best.shared >= SAME && sameNumbers) {
    return { ...add, relation: "same", op: "NONE", target: best.target, reason: "the memory says it already" };
  }
  if (sameNumbers) return add;
  return {
    ...add,
    relation: "outdates",
    op: "DELETE",
    target: best.target,
    quote,
    reason: "the same matter with other values",
  };
}

function linesOf(prompt: string, handle: string): string {
  return new RegExp(`^${handle} \\[[^\\n]*(?:\\n {3}[^\\n]*)*`, "m").exec(prompt)?.[0] ?? "";
}

function overlap(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const shared = [...second].filter((word) => first.has(word)).length;
  return second.size === 0 ? 0 : shared / second.size;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}]{4,}/gu) ?? []);
}

/** Numbers of title and content; those of the head tell handle and age. */
function numbersOf(text: string): string[] {
  const claim = text
    .replace(/^\w+ \[[^\]]*\]/, "")
    .split("\n")
    .slice(0, 2)
    .join(" ");
  return [...new Set(claim.match(/\d[\d.:]*/g) ?? [])].sort();
}
