/** What a model returns is redacted again: it may have put together, or remembered, what no transcript showed. */
import type { Rejection } from "../../core/report.ts";
import type { Redactor } from "../../text/redact.ts";
import type { FactCandidate } from "./fact-candidate.ts";
import { wholeText } from "./filters/fact-rule.ts";

/** A candidate in which a secret is found is dropped whole (R4): its meaning was the secret, or a guess at one. */
export async function redactCandidates(
  redactor: Redactor,
  candidates: readonly FactCandidate[],
): Promise<{ readonly kept: readonly FactCandidate[]; readonly rejections: readonly Rejection[] }> {
  const texts = candidates.map(allText);
  const redacted = await redactor.redactAll(texts);
  const kept: FactCandidate[] = [];
  const rejections: Rejection[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (redacted[at] === texts[at]) kept.push(candidate);
    else rejections.push({ rule: "R4", title: redacted[at]?.split("\n")[0] ?? "", detail: "a secret in the reply" });
  }
  return { kept, rejections };
}

function allText(candidate: FactCandidate): string {
  return [wholeText(candidate), ...candidate.symbols, ...candidate.evidence.map(({ quote }) => quote)].join("\n");
}
