/** Whether a memory says what the golden set asks for. Words are stems and alternatives, so that other wording counts too. */
import type { MemoryRecord } from "../../src/internals.ts";
import type { Unwanted, Wanted } from "../datasets/golden.ts";

export type Said = Pick<
  MemoryRecord,
  | "type"
  | "polarity"
  | "status"
  | "title"
  | "content"
  | "why"
  | "howToApply"
  | "whenToUse"
  | "whenNot"
  | "appliesIf"
  | "symbols"
>;

/** Same claim and one of the types that are right. The polarity is judged apart. */
export function isWanted(fact: Said, wanted: Wanted): boolean {
  const types = wanted.anyOf ?? [wanted.type];
  return types.includes(fact.type) && says(textOf(fact, "everywhere"), wanted);
}

/** A claim that must not be kept. */
export function isUnwanted(fact: Said, unwanted: Unwanted): boolean {
  if (unwanted.trustedOnly === true && fact.status !== "active") return false;
  const text = textOf(fact, unwanted.anywhere === true ? "everywhere" : "claim");
  if (!says(text, unwanted)) return false;
  return !(unwanted.unlessWords ?? []).some((word) => holds(text, word));
}

/** All stems occur in a text; `a|b` where either does. */
export function holdsAll(text: string, stems: readonly string[]): boolean {
  const folded = fold(text);
  return stems.every((stem) => holds(folded, stem));
}

function says(
  text: string,
  { words, symbols }: { readonly words: readonly string[]; readonly symbols: readonly string[] },
): boolean {
  return words.every((word) => holds(text, word)) && symbols.every((symbol) => text.includes(fold(symbol)));
}

function holds(text: string, stems: string): boolean {
  return stems.split("|").some((stem) => text.includes(stem));
}

function textOf(fact: Said, fields: "claim" | "everywhere"): string {
  const claim = [fact.title, fact.content, fact.howToApply];
  const rest = [fact.why, ...fact.whenToUse, fact.whenNot ?? "", fact.appliesIf ?? "", ...fact.symbols];
  return fold((fields === "claim" ? claim : [...claim, ...rest]).join("\n"));
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, " ");
}
