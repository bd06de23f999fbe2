/** Rules on where a fact comes from: secrets, what is written down already, text from outside. */
import { redactPatterns } from "../../../text/redact.ts";
import { containment, wordShingles } from "../../../text/shingles.ts";
import { claimOf, type FactRule, wholeText } from "./fact-rule.ts";
import { instructionShape } from "./instruction-shape.ts";

const KNOWN_SHARE = 0.7;
const REDACTED_OBJECT = /(?:\b(?:is|are|was|equals|to|with|as|use|set|value)|[:=])\s*["'`]?\[REDACTED:/i;

/** A second look for secrets, and facts whose meaning was one. */
export const secretRule: FactRule = {
  id: "R4",
  apply(fact) {
    const text = [claimOf(fact), fact.why, fact.howToApply, ...fact.whenToUse].join("\n");
    if (redactPatterns(text) !== text) return "holds a secret";
    return fact.title.includes("[REDACTED:") || REDACTED_OBJECT.test(claimOf(fact)) ? "its meaning was a secret" : fact;
  },
};

/** What the project's own files say is found there, and stays true to them. */
export const knownDocumentRule: FactRule = {
  id: "R9",
  apply(fact, { knownShingles }) {
    if (knownShingles.size === 0) return fact;
    const share = containment(wordShingles(fact.content), knownShingles);
    return share >= KNOWN_SHARE ? `${Math.round(share * 100)} % of it stands in the project's files` : fact;
  },
};

/**
 * What rests on text from outside may be remembered as something met, never as a wish or an order. For trust 2 and 3 the
 * tripwire only warns.
 */
export const outsideRule: FactRule = {
  id: "R10",
  apply(fact, { humanHosts, warn }) {
    if (fact.trust === 0) return "rests on our own memories";
    const shape = instructionShape(wholeText(fact));
    if (fact.trust > 1) {
      if (shape !== undefined) warn(`"${fact.title}" ${shape} (kept: trust ${fact.trust})`);
      return fact;
    }
    if (shape !== undefined) return `from outside, and ${shape}`;
    if (fact.type === "preference") return "a preference can't come from outside";
    if (fact.type === "pointer" && !hostsIn(claimOf(fact)).some((host) => humanHosts.has(host))) {
      return "an address from outside that no person repeated";
    }
    return fact;
  },
};

/** Lower case, without port. */
export function hostsIn(text: string): string[] {
  return Array.from(text.matchAll(/\bhttps?:\/\/(?:[^\s/@]+@)?([a-z0-9.-]+)/gi), (match) =>
    (match[1] ?? "").toLowerCase(),
  );
}
