/**
 * A tiny deterministic model: it reads handles, turns and quotes out of the prompt that it gets and answers by rule, so
 * that whole pipelines run with handles and quotes that are real. It understands nothing.
 */
import type { ModelCall } from "./script.ts";

type Answer = Readonly<Record<string, unknown>>;

export interface ReadTurn {
  readonly turn: number;
  /** `human`, `assistant`, `call Bash`, `result Bash, ok`. */
  readonly role: string;
  readonly text: string;
}

const HEAD = /^\[t(\d+) ([^\]\n]*)\] /gm;

/** The turns that the prompt shows, in order; summarised ranges are left out. */
export function turnsIn(prompt: string): ReadTurn[] {
  const evidence = /<(evidence-[\w-]+)>\n([\s\S]*?)\n<\/\1>/g;
  const quoted = Array.from(prompt.matchAll(evidence), (match) => match[2] ?? "").join("\n");
  const heads = [...quoted.matchAll(HEAD)];
  return heads.map((head, at) => ({
    turn: Number(head[1]),
    role: head[2] ?? "",
    text: quoted.slice(head.index + head[0].length, heads[at + 1]?.index ?? quoted.length).trim(),
  }));
}

export interface ReactiveFact {
  readonly type: string;
  readonly turn: number;
  readonly quote: string;
  readonly [field: string]: unknown;
}

/** A fact in the shape that the extraction prompts ask for, said in the words of its quote. */
export function factFrom({ type, turn, quote, ...fields }: ReactiveFact): Record<string, unknown> {
  const claim = quote.replace(/\s+/g, " ").trim();
  return {
    type,
    polarity: "fact",
    title: claim.slice(0, 78),
    content: `${claim} This was said in the session and holds for the project.`,
    why: "The user said so in the session.",
    how_to_apply: "Follow it whenever the same matter comes up again.",
    when_to_use: [`when the matter of this note comes up: ${claim.slice(0, 60)}`],
    when_not: null,
    applies_if: null,
    symbols: [],
    scope: "project",
    source: "user_stated",
    confidence: 0.9,
    resolved_at: null,
    evidence: [{ turn, quote: quote.slice(0, 160) }],
    expires: null,
    ...fields,
  };
}

/**
 * Answers an extraction call: one fact for each human turn that `pick` wants.
 *
 * @param pick - Which sentences of people are worth a fact; default: those with "always", "never" or "remember".
 */
export function reactiveExtraction(pick: RegExp = /\b(?:always|never|remember)\b/i): (call: ModelCall) => Answer {
  return (call) => {
    const humans = turnsIn(call.text).filter(({ role }) => role.startsWith("human"));
    const sentences = humans.flatMap(({ turn, text }) =>
      text
        .split(/(?<=[.!?])\s+|\n+/)
        .filter((sentence) => pick.test(sentence))
        .map((quote) => ({ type: "preference", turn, quote: quote.slice(0, 160) })),
    );
    return { facts: sentences.slice(0, 10).map(factFrom) };
  };
}

/** Answers a summarising call with the first words of each span. */
export function reactiveSummaries(call: ModelCall): Answer {
  const spans = [
    ...call.text.matchAll(/^Span (\d+), at most (\d+) characters:\n<(evidence-[\w-]+)>\n([\s\S]*?)\n<\/\3>/gm),
  ];
  return {
    summaries: spans.map(([, span, most, , text = ""]) => ({
      span: Number(span),
      text: text.replace(/\s+/g, " ").slice(0, Math.min(Number(most), 200)),
    })),
  };
}

/** Facts (letters) and candidates (numbers) that a lifecycle prompt shows. */
export function handlesIn(prompt: string): {
  readonly facts: readonly string[];
  readonly candidates: readonly number[];
} {
  return {
    facts: [...new Set(Array.from(prompt.matchAll(/^([A-Z]) \[/gm), (match) => match[1] ?? ""))],
    candidates: [...new Set(Array.from(prompt.matchAll(/^(\d{1,2}) \[/gm), (match) => Number(match[1])))],
  };
}

/** Answers a lifecycle call by adding every fact that it is shown. */
export function reactiveAdditions(call: ModelCall): Answer {
  const decisions = handlesIn(call.text).facts.map((fact) => ({
    fact,
    relation: "separate",
    op: "ADD",
    target: null,
    merged: null,
    quote: "",
    reason: "nothing like it is stored",
  }));
  return { decisions, verdicts: [] };
}
